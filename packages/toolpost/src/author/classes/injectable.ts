// `@Injectable`: says what the constructor of a class is to be given.
// It only notes: nothing is constructed here, and nothing is read of what a compiler may write on a class.

import type { AnyClass } from "./class-notes.ts";
import { noteOn, ownNote } from "./class-notes.ts";
import type { Dependency, Instances } from "./token.ts";

const INJECTABLE = Symbol.for("toolpost.injectable");

export interface InjectableSettings<Deps extends readonly Dependency[]> {
  /** One for each parameter of the constructor, in order. The compiler holds them against it. */
  readonly deps?: Deps;
}

/**
 * A class the container can construct: one instance per application. It provides itself and every class it extends.
 * @example \@Injectable({ deps: [HttpClient] }) class GithubIssues extends IssuesApi { constructor(private http: HttpClient) { … } }
 */
export function Injectable<const Deps extends readonly Dependency[] = []>(
  settings: InjectableSettings<Deps> = {},
): <C extends new (...args: Instances<Deps>) => object>(type: C, context?: ClassDecoratorContext) => void {
  return (type) => noteDeps(type, settings.deps ?? []);
}

/** Also of the decorators that make a class injectable by themselves. */
export function noteDeps(type: object, deps: readonly unknown[]): void {
  noteOn(type, INJECTABLE, () => ({ deps }));
}

/** What the constructor is to be given; `undefined` for a class that is not decorated. */
export function depsOf(type: AnyClass): readonly unknown[] | undefined {
  return ownNote<{ readonly deps: readonly unknown[] }>(type, INJECTABLE)?.deps;
}
