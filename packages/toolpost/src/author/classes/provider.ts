// What stands for a contract: the entries of `providers`, and of a test's `overrides`.
// Nothing is constructed here, and nothing chosen.

import type { Problem } from "../../core/errors.ts";
import { isMarked, mark } from "../../core/mark.ts";
import type { AnyClass } from "./class-notes.ts";
import { isClass } from "./class-notes.ts";
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
export function provide<Contract>(
  contract: Dependency<Contract>,
  implementation: Implementation<NoInfer<Contract>>,
): Binding {
  return Object.freeze(mark({ contract, implementation }, BINDING));
}

export function isBinding(value: unknown): value is Binding {
  return isMarked(value, BINDING);
}

/** What is wrong with entries themselves. A circular import leaves holes like these. */
export function providerProblems(providers: readonly unknown[], list: "providers" | "overrides"): Problem[] {
  return providers.flatMap((provider, index) => {
    const fault = faultOf(provider);
    return fault === undefined ? [] : [{ code: "di.invalid-deps", message: `\`${list}[${index}]\` ${fault}` }];
  });
}

function faultOf(provider: unknown): string | undefined {
  if (!isBinding(provider)) {
    const isGiven = isClass(provider) || (typeof provider === "object" && provider !== null);
    return isGiven ? undefined : `is \`${String(provider)}\`: give a class, an instance, or \`provide(…)\``;
  }
  const { contract, implementation } = provider;
  if (!isClass(contract) && !isToken(contract))
    return `binds \`${nameOfDependency(contract)}\`, which is neither a class nor a token: is it imported in a circle?`;
  if (implementation !== undefined) return undefined;
  return `binds ${nameOfDependency(contract)} to \`undefined\`: give a class or what stands for it; is it imported in a circle?`;
}
