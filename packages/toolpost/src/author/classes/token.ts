// What a constructor can ask for: a class, an abstract class, or a token where the contract is an interface.
// Types and the token only; what answers the asking is the container's.

import { isMarked, mark } from "../../core/mark.ts";
import type { AnyClass } from "./class-notes.ts";

const TOKEN = Symbol.for("toolpost.token");

/** Stands for a contract that is no class: an interface, a function, a plain value. Told apart by identity. */
export interface Token<out Contract> {
  readonly name: string;
  /** Carries the type; never set. */
  readonly "~contract"?: Contract;
}

export type Dependency<Contract = unknown> = AnyClass<Contract> | Token<Contract>;

/** A dependency as `deps` names it: itself, or a function that gives a class which is declared later. */
export type NamedDependency = Dependency | (() => Dependency);

/** What a constructor with these dependencies is given. */
export type Instances<Deps extends readonly NamedDependency[]> = {
  -readonly [Index in keyof Deps]: Provided<Deps[Index]>;
};

/** What stands for a dependency once it is provided. */
export type Provided<D> =
  D extends AnyClass<infer Instance>
    ? Instance
    : D extends Token<infer Contract>
      ? Contract
      : D extends () => infer Later
        ? Provided<Later>
        : never;

/**
 * Makes a token.
 * @param name as messages show it
 * @example export const ISSUES_API = token<IssuesApi>("ISSUES_API");
 */
export function token<Contract>(name: string): Token<Contract> {
  return Object.freeze(mark({ name }, TOKEN));
}

export function isToken(value: unknown): value is Token<unknown> {
  return isMarked(value, TOKEN);
}

/** As messages name it. */
export function nameOfDependency(dependency: unknown): string {
  if (typeof dependency === "function") return dependency.name || "a class without a name";
  return isToken(dependency) ? dependency.name : String(dependency);
}
