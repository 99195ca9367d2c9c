// What an item type is: the result of a decorator, or a class, given as it is or by a function because it is declared
// later. All else is a mistake, and the message says what was probably meant.

import type { DtoClass } from "../../core/schema.ts";
import { isClass } from "../classes/class-notes.ts";
import { showValue } from "../show-value.ts";
import type { CarriesType, PlanWork } from "./field-type.ts";
import { fieldTypeKey } from "./field-type.ts";

export function carriesType(item: unknown): item is CarriesType<unknown> {
  return typeof item === "function" && typeof (item as Partial<CarriesType<unknown>>)[fieldTypeKey] === "object";
}

/** The class; without one the problem is reported. */
export function itemClass(item: unknown, label: string, work: PlanWork): DtoClass | undefined {
  const isLater = typeof item === "function" && !isClass(item) && !Object.hasOwn(natives, item.name);
  const type = isLater ? called(item as () => unknown) : item;
  if (isClass(type)) return type as unknown as DtoClass;
  if (type === undefined) {
    const mend = isLater
      ? "`() => Type` gives it when the class is used first: check what it returns"
      : "its class is declared further down, or its file is imported in a circle: write `() => Type`";
    work.problem(`${label} got \`undefined\`: ${mend}`);
    return undefined;
  }
  if (carriesType(type)) work.problem(`${label} got a decorator that was not called: write Text() or the like`);
  else {
    const native = typeof type === "function" && Object.hasOwn(natives, type.name) ? natives[type.name] : undefined;
    const mend = native ?? "a DTO class, `() => Type` or a decorator such as Text()";
    work.problem(`${label} got \`${showValue(type)}\`, expected ${mend}`);
  }
  return undefined;
}

function called(thunk: () => unknown): unknown {
  try {
    return thunk();
  } catch {
    // A class that is not there yet.
    return undefined;
  }
}

/** What is meant by JavaScript's own constructors. */
const natives: Readonly<Record<string, string>> = {
  String: "Text()",
  Number: "Number() or Integer() from toolpost/dto",
  Boolean: "Flag()",
  Date: "Moment()",
  Array: "ListOf(…)",
  Object: "MapOf(…) or a DTO class",
};
