// `@Injectable`: says what the constructor of a class is to be given.
// It only notes: nothing is constructed here, and nothing is read of what a compiler may write on a class.

import type { AnyClass } from "./class-notes.ts";
import { classChain, noteOn, ownNote } from "./class-notes.ts";
import type { Instances, NamedDependency } from "./token.ts";

const INJECTABLE = Symbol.for("toolpost.injectable");

export interface InjectableSettings<Deps extends readonly NamedDependency[]> {
  /** One for each parameter of the constructor, in order. The compiler holds them against it. */
  readonly deps?: Deps;
}

/**
 * A class the container can construct: one instance per application. It provides itself and every class it extends.
 * @example \@Injectable({ deps: [HttpClient] }) class GithubIssues extends IssuesApi { constructor(private http: HttpClient) { … } }
 */
export function Injectable<const Deps extends readonly NamedDependency[] = []>(
  settings: InjectableSettings<Deps> = {},
): <C extends new (...args: Instances<Deps>) => object>(type: C, context?: ClassDecoratorContext) => void {
  return (type) => noteDeps(type, settings.deps);
}

/** Also of the decorators that make a class injectable by themselves. `undefined` where one says nothing of `deps`. */
export function noteDeps(type: object, deps: unknown): void {
  const given = noteOn<unknown[]>(type, INJECTABLE, () => []);
  if (deps !== undefined) given.push(deps);
}

/** What is known of a constructor's parameters. */
export interface Deps {
  readonly isDecorated: boolean;
  /** As the decorators gave them: one list, unless something is wrong. */
  readonly given: readonly unknown[];
  /** What the constructor is to be given. */
  readonly list: readonly unknown[];
}

/** A class that says nothing and takes no parameters has its parent's constructor, or one that passes them on. */
export function depsOf(type: AnyClass): Deps {
  const own = ownNote<readonly unknown[]>(type, INJECTABLE);
  const isDecorated = own !== undefined;
  if (own !== undefined && own.length > 0)
    return { isDecorated, given: own, list: Array.isArray(own[0]) ? own[0] : [] };
  const parent = classChain(type).at(-2);
  if (type.length > 0 || parent === undefined) return { isDecorated, given: [], list: [] };
  return { ...depsOf(parent), isDecorated };
}
