// The container: constructs classes with what their constructors ask for, one instance of each per application.
// What cannot be constructed is found before anything is; then each is constructed when first needed.

import type { Problem } from "../../core/errors.ts";
import { isToolpostError, ToolpostError } from "../../core/errors.ts";
import { ExecutionContext, SpendRecorder } from "../../core/execution-context.ts";
import { isMarked, mark } from "../../core/mark.ts";
import type { AnyClass } from "./class-notes.ts";
import { classChain, isClass } from "./class-notes.ts";
import { depsOf } from "./injectable.ts";
import type { Dependency } from "./token.ts";
import { isToken, nameOfDependency } from "./token.ts";

const BINDING = Symbol.for("toolpost.binding");

/** A contract and what stands for it. */
export interface Binding {
  readonly contract: Dependency;
  readonly implementation: unknown;
}

/** A class that is constructed when needed, an object that is there already, or a `provide(…)`. */
export type Provider = AnyClass | Binding | object;

/** What stands for a contract: a class to construct, or the thing itself. */
export type Implementation<Contract> = Contract | (abstract new (...args: never[]) => Contract);

/**
 * Binds a contract to what stands for it, before all that is found by inheritance.
 * @example createApp({ providers: [provide(ISSUES_API, GithubIssues), provide(PAGE_SIZE, 50)], … })
 */
export function provide<Contract>(contract: Dependency<Contract>, implementation: Implementation<Contract>): Binding {
  return Object.freeze(mark({ contract, implementation }, BINDING));
}

export function isBinding(value: unknown): value is Binding {
  return isMarked(value, BINDING);
}

type Resolved =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "class"; readonly type: AnyClass }
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly names: readonly string[] };

export class Container {
  readonly #providers: readonly unknown[];
  readonly #overrides: readonly Binding[];
  readonly #instances = new Map<AnyClass, object>();

  /** `overrides` come before everything else; the last one for a contract counts. */
  constructor(providers: readonly unknown[] = [], overrides: readonly Binding[] = []) {
    this.#providers = providers;
    this.#overrides = overrides;
  }

  /** What keeps a class from being constructed, its dependencies' faults among them. Constructs nothing. */
  problemsOf(type: AnyClass): Problem[] {
    const problems = new Map<string, Problem>();
    this.#walk(type, [], (problem) => problems.set(problem.message, problem));
    return [...problems.values()];
  }

  /** The instance of a class, constructed at the first call. Throws `ToolpostError`, `di.construction-failed`. */
  get<Instance extends object>(type: AnyClass<Instance>): Instance {
    const known = this.#instances.get(type);
    if (known !== undefined) return known as Instance;
    const args = (depsOf(type) ?? []).map((dependency) => this.#provided(dependency));
    const made = construct(type, args);
    this.#instances.set(type, made);
    return made as Instance;
  }

  /** Ends what was constructed and can be disposed of, the last one first. Rejects with nothing: gives the errors. */
  async dispose(): Promise<readonly unknown[]> {
    const errors: unknown[] = [];
    for (const instance of [...this.#instances.values()].reverse()) {
      try {
        const { [Symbol.asyncDispose]: later, [Symbol.dispose]: now } = instance as Partial<
          AsyncDisposable & Disposable
        >;
        await (later ?? now)?.call(instance);
      } catch (error) {
        errors.push(error);
      }
    }
    this.#instances.clear();
    return errors;
  }

  #provided(dependency: unknown): unknown {
    const resolved = this.#resolve(dependency);
    if (resolved.kind === "value") return resolved.value;
    if (resolved.kind === "class") return this.get(resolved.type);
    // Assembly has checked; this is for containers that were asked without.
    throw new ToolpostError("di.missing-implementation", `nothing provides ${nameOfDependency(dependency)}`);
  }

  #resolve(dependency: unknown): Resolved {
    const bound =
      this.#overrides.findLast(({ contract }) => contract === dependency) ??
      this.#providers.filter(isBinding).findLast(({ contract }) => contract === dependency);
    if (bound !== undefined) return asResolved(bound.implementation);
    if (!isClass(dependency)) return { kind: "none" };
    const candidates = new Set(this.#providers.filter((provider) => provides(provider, dependency)));
    if (candidates.has(dependency)) return { kind: "class", type: dependency };
    if (candidates.size > 1) return { kind: "several", names: [...candidates].map(nameOfProvider) };
    const [only] = candidates;
    if (only !== undefined) return isClass(only) ? { kind: "class", type: only } : { kind: "value", value: only };
    return isSelfProviding(dependency) ? { kind: "class", type: dependency } : { kind: "none" };
  }

  #walk(type: AnyClass, above: readonly AnyClass[], tell: (problem: Problem) => void): void {
    const chain = [...above, type];
    const deps = depsOf(type);
    const wanted = type.length;
    if (wanted > (deps?.length ?? 0)) tell(depsMissing(type, wanted, deps));
    for (const [index, dependency] of (deps ?? []).entries()) {
      const place = `parameter ${index + 1} of the constructor of "${type.name}"`;
      if (!isClass(dependency) && !isToken(dependency)) {
        tell({
          code: "di.invalid-deps",
          message: `${place}: \`deps\` has ${shown(dependency)} there: ${undefinedMend}`,
        });
        continue;
      }
      const resolved = this.#resolve(dependency);
      if (resolved.kind === "none") tell(missing(place, dependency, chain));
      else if (resolved.kind === "several") tell(ambiguous(place, dependency, resolved.names));
      else if (resolved.kind === "class" && chain.includes(resolved.type)) tell(circular([...chain, resolved.type]));
      else if (resolved.kind === "class") this.#walk(resolved.type, chain, tell);
    }
  }
}

const builtIn: ReadonlySet<unknown> = new Set([ExecutionContext, SpendRecorder]);

function isSelfProviding(type: AnyClass): boolean {
  return depsOf(type) !== undefined || builtIn.has(type);
}

/** A class is constructed, everything else is the thing itself. */
function asResolved(implementation: unknown): Resolved {
  return isClass(implementation) ? { kind: "class", type: implementation } : { kind: "value", value: implementation };
}

function provides(provider: unknown, contract: AnyClass): boolean {
  if (isBinding(provider)) return false;
  if (isClass(provider)) return classChain(provider).includes(contract);
  return typeof provider === "object" && provider !== null && provider instanceof contract;
}

function construct(type: AnyClass, args: readonly unknown[]): object {
  try {
    return Reflect.construct(type as new (...args: unknown[]) => object, args);
  } catch (error) {
    if (isToolpostError(error) && error.code === "di.construction-failed") throw error;
    const said = error instanceof Error ? `: ${error.message}` : "";
    throw new ToolpostError("di.construction-failed", `the constructor of "${type.name}" threw${said}`, {
      cause: error,
    });
  }
}

const undefinedMend =
  "expected a class or a token; a class that is undefined here is imported in a circle, so move one of the two to a file of its own";

function depsMissing(type: AnyClass, wanted: number, deps: readonly unknown[] | undefined): Problem {
  const one = wanted === 1;
  const has = deps === undefined ? `says nothing of ${one ? "it" : "them"}` : `\`deps\` names ${deps.length}`;
  const mend = `name a dependency for ${one ? "it" : "each"} in the \`deps\` of its decorator`;
  const message = `"${type.name}": its constructor takes ${wanted} parameter${one ? "" : "s"} and ${has}: ${mend}`;
  return { code: "di.invalid-deps", message };
}

function missing(place: string, dependency: unknown, chain: readonly AnyClass[]): Problem {
  const name = nameOfDependency(dependency);
  const mend = isToken(dependency)
    ? `add \`provide(${name}, …)\` to \`providers\``
    : `add a class that extends it to \`providers\`, or decorate it with \`@Injectable()\` if it is to be constructed itself`;
  const way = chain.length > 1 ? ` (${chain.map((type) => type.name).join(" → ")} → ${name})` : "";
  return { code: "di.missing-implementation", message: `${place} is ${name}, and nothing provides it${way}: ${mend}` };
}

function ambiguous(place: string, dependency: unknown, names: readonly string[]): Problem {
  const name = nameOfDependency(dependency);
  const all = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const message = `${place} is ${name}, and ${all} provide it: choose one, \`provide(${name}, ${names[0]})\``;
  return { code: "di.ambiguous-implementation", message };
}

function circular(chain: readonly AnyClass[]): Problem {
  const circle = chain.slice(chain.indexOf(chain.at(-1)!), -1).map((type) => type.name);
  // From the same class on, wherever the circle was entered, so that it is told of once.
  const first = circle.indexOf([...circle].sort()[0]!);
  const names = [...circle.slice(first), ...circle.slice(0, first + 1)];
  const message = `${names.join(" → ")}: each needs the next to be constructed: take what two of them share into a class of its own`;
  return { code: "di.circular-dependency", message };
}

function nameOfProvider(provider: unknown): string {
  return isClass(provider) ? provider.name : `an instance of ${(provider as object).constructor.name}`;
}

function shown(value: unknown): string {
  return value === undefined ? "`undefined`" : `\`${typeof value === "object" ? "an object" : String(value)}\``;
}
