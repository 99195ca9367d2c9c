// The container: constructs classes with what their constructors ask for, one instance of each per application.
// What cannot be constructed is found before anything is; then each is constructed when first needed.

import { runOutsideContext } from "../../core/current-context.ts";
import type { Problem } from "../../core/errors.ts";
import { isToolpostError, ToolpostError } from "../../core/errors.ts";
import { ExecutionContext, SpendRecorder } from "../../core/execution-context.ts";
import type { AnyClass } from "./class-notes.ts";
import { classChain, isClass } from "./class-notes.ts";
import * as wrong from "./di-problems.ts";
import type { Deps } from "./injectable.ts";
import { depsOf } from "./injectable.ts";
import type { Binding } from "./provider.ts";
import { isBinding, providerProblems } from "./provider.ts";
import { isToken, nameOfDependency } from "./token.ts";

type Resolved =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "class"; readonly type: AnyClass }
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly providers: readonly unknown[] };

export class Container {
  readonly #providers: readonly unknown[];
  readonly #overrides: readonly Binding[];
  readonly #instances = new Map<AnyClass, object>();
  readonly #checked = new Set<AnyClass>();

  /** `overrides` come before everything else; the last one for a contract counts. */
  constructor(providers: readonly unknown[] = [], overrides: readonly Binding[] = []) {
    this.#providers = providers;
    this.#overrides = overrides;
  }

  /** What is wrong with the providers, and with what those that are classes ask for. */
  checkProviders(): Problem[] {
    return [
      ...providerProblems(this.#providers, "providers"),
      ...providerProblems(this.#overrides, "overrides"),
      ...this.#providers.filter(isClass).flatMap((type) => this.check(type)),
    ];
  }

  /**
   * What keeps a class from being constructed, its dependencies' faults among them. A class is looked at once: later
   * calls tell only what is new. Constructs nothing.
   */
  check(type: AnyClass): Problem[] {
    const problems: Problem[] = [];
    this.#walk(type, [], problems);
    return problems;
  }

  /** The instance of a class, constructed at the first call. Throws `ToolpostError`, `di.construction-failed`. */
  get<Instance extends object>(type: AnyClass<Instance>): Instance {
    const known = this.#instances.get(type);
    if (known !== undefined) return known as Instance;
    const args = depsOf(type).list.map((dependency) => this.#provided(dependency));
    const made = construct(type, args);
    this.#instances.set(type, made);
    return made as Instance;
  }

  /** Ends what was constructed and can be disposed of, the last one first. Never rejects: gives the errors. */
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

  #provided(asked: unknown): unknown {
    const dependency = dependencyOf(asked);
    const resolved = this.#resolve(dependency);
    if (resolved.kind === "value") return resolved.value;
    if (resolved.kind === "class") return this.get(resolved.type);
    // Assembly has checked; this is for containers that were asked without.
    throw new ToolpostError("di.missing-implementation", `nothing provides ${nameOfDependency(dependency)}`);
  }

  #resolve(dependency: unknown): Resolved {
    const override = this.#overrideOf(dependency);
    if (override !== undefined) return override;
    const found = this.#found(dependency);
    // A contract may lead to a class that a test puts something else in the place of.
    return (found.kind === "class" && this.#overrideOf(found.type)) || found;
  }

  #overrideOf(contract: unknown): Resolved | undefined {
    const override = this.#overrides.findLast((binding) => binding.contract === contract);
    return override === undefined ? undefined : asResolved(override.implementation);
  }

  #found(dependency: unknown): Resolved {
    const bound = this.#providers.filter(isBinding).findLast(({ contract }) => contract === dependency);
    if (bound !== undefined) return asResolved(bound.implementation);
    if (!isClass(dependency)) return { kind: "none" };
    const candidates = new Set(this.#providers.filter((provider) => provides(provider, dependency)));
    if (candidates.has(dependency)) return { kind: "class", type: dependency };
    if (candidates.size > 1) return { kind: "several", providers: [...candidates] };
    const [only] = candidates;
    if (only !== undefined) return isClass(only) ? { kind: "class", type: only } : { kind: "value", value: only };
    return isSelfProviding(dependency) ? { kind: "class", type: dependency } : { kind: "none" };
  }

  #walk(type: AnyClass, above: readonly AnyClass[], problems: Problem[]): void {
    if (above.includes(type)) return void problems.push(wrong.circular([...above, type]));
    if (this.#checked.has(type)) return;
    this.#checked.add(type);
    const chain = [...above, type];
    const deps = depsOf(type);
    problems.push(...shapeProblems(type, deps));
    for (const [index, asked] of deps.list.entries()) {
      const place = { index, chain };
      const dependency = dependencyOf(asked);
      if (!isClass(dependency) && !isToken(dependency)) {
        problems.push(wrong.noDependency(dependency, place));
        continue;
      }
      const resolved = this.#resolve(dependency);
      if (resolved.kind === "none") problems.push(wrong.missing(dependency, place));
      else if (resolved.kind === "several") problems.push(wrong.ambiguous(dependency, resolved.providers, place));
      else if (resolved.kind === "class") this.#walk(resolved.type, chain, problems);
    }
  }
}

const builtIn: ReadonlySet<unknown> = new Set([ExecutionContext, SpendRecorder]);

function isSelfProviding(type: AnyClass): boolean {
  return depsOf(type).isDecorated || builtIn.has(type);
}

/** What `deps` names: a class or token, or what `() => TheClass` gives. */
function dependencyOf(asked: unknown): unknown {
  return typeof asked === "function" && !isClass(asked) ? (asked as () => unknown)() : asked;
}

function shapeProblems(type: AnyClass, { list, given }: Deps): Problem[] {
  if (given.length > 1) return [wrong.depsTwice(type)];
  if (given.length === 1 && !Array.isArray(given[0])) return [wrong.depsNoList(type)];
  return type.length > list.length ? [wrong.depsMissing(type, given.length === 0 ? undefined : list.length)] : [];
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

/** Outside of the call that needs it first: an instance serves all calls, and what it starts must not belong to one. */
function construct(type: AnyClass, args: readonly unknown[]): object {
  try {
    return runOutsideContext(() => Reflect.construct(type as new (...given: unknown[]) => object, args));
  } catch (error) {
    if (isToolpostError(error) && error.code === "di.construction-failed") throw error;
    const said = error instanceof Error ? `: ${error.message}` : "";
    throw new ToolpostError("di.construction-failed", `the constructor of "${type.name}" threw${said}`, {
      cause: error,
    });
  }
}
