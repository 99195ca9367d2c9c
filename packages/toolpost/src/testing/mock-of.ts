// A stand-in for a contract with only the parts a test needs. A part that is missing says so when it is reached for,
// instead of being `undefined` somewhere further down.

import type { Binding, Implementation } from "../author/classes/provider.ts";
import { provide } from "../author/classes/provider.ts";
import type { Dependency } from "../author/classes/token.ts";
import { nameOfDependency } from "../author/classes/token.ts";
import { ToolpostError } from "../core/errors.ts";

/**
 * An object that passes for the contract (`instanceof` too) and has the given members. Reading another one throws
 * `ToolpostError` (`mock.missing-member`) with its name.
 * @example const issues = mockOf(IssuesApi, { search: async () => [] });
 */
export function mockOf<Contract extends object>(contract: Dependency<Contract>, members: Partial<Contract>): Contract {
  const prototype = typeof contract === "function" ? (contract.prototype as object) : Object.prototype;
  const target = Object.create(prototype, Object.getOwnPropertyDescriptors(members)) as Contract;
  return new Proxy(target, {
    get(mock, key, receiver) {
      if (key === "constructor" || Object.hasOwn(mock, key)) return Reflect.get(mock, key, receiver) as unknown;
      // Members may be an instance of a stand-in class, whose methods are its prototype's.
      if (key in members && !(key in Object.prototype)) return ofInstance(members, key);
      if (key in Object.prototype) return Reflect.get(Object.prototype, key, receiver) as unknown;
      // What the language and assertions ask of every object: whether it can be awaited, printed, turned into JSON.
      if (typeof key === "symbol" || key === "then" || key === "toJSON") return undefined;
      const name = nameOfDependency(contract);
      throw new ToolpostError(
        "mock.missing-member",
        `the mock of ${name} has no \`${key}\`: give it one, mockOf(${name}, { ${key}: … })`,
      );
    },
  });
}

function ofInstance(members: object, key: PropertyKey): unknown {
  const value: unknown = Reflect.get(members, key);
  return typeof value === "function" ? value.bind(members) : value;
}

/**
 * What a test puts in the place of a contract: a class, constructed with what it asks for, or the thing itself.
 * @example testTool(SearchIssues, { overrides: [override(IssuesApi, mockOf(IssuesApi, { search: async () => [] }))] });
 */
export function override<Contract>(
  contract: Dependency<Contract>,
  implementation: Implementation<NoInfer<Contract>>,
): Binding {
  return provide(contract, implementation);
}
