// What an item type is: the result of a decorator, or a class, given as it is or by a function because it is declared
// later. All else is a mistake, and the message says what was probably meant.

import type { DtoClass } from "../../core/schema.ts";
import { isClass } from "../classes/class-notes.ts";
import { showValue } from "../show-value.ts";
import type { CarriesType, PlanWork } from "./field-type.ts";
import { fieldTypeKey, modifierKey } from "./field-type.ts";
import { messageOf } from "./first-instances.ts";
import { isBuiltIn } from "./object-kind.ts";

export function carriesType(item: unknown): item is CarriesType<unknown> {
  return typeof item === "function" && typeof (item as Partial<CarriesType<unknown>>)[fieldTypeKey] === "object";
}

/** The class; without one the problem is reported. */
export function itemClass(item: unknown, label: string, work: PlanWork): DtoClass | undefined {
  const given = isLater(item) ? called(item) : { type: item };
  if ("thrown" in given) {
    const why = messageOf(given.thrown);
    work.problem(
      `${label} got a function that throws (${why}): give \`() => Type\` with a class that is there by then`,
    );
    return undefined;
  }
  const { type } = given;
  if (isClass(type) && !isBuiltIn(type)) return type as unknown as DtoClass;
  work.problem(`${label} got ${mistakeOf(type, type !== item)}`);
  return undefined;
}

/** A function that gives the class when it is called. */
function isLater(item: unknown): item is () => unknown {
  return typeof item === "function" && !isClass(item) && !isBuiltIn(item) && !isDecorator(item);
}

function called(thunk: () => unknown): { readonly type: unknown } | { readonly thrown: unknown } {
  try {
    return { type: thunk() };
  } catch (thrown) {
    return { thrown };
  }
}

function isDecorator(item: unknown): boolean {
  return carriesType(item) || modifierLabel(item) !== undefined;
}

function modifierLabel(item: unknown): string | undefined {
  return typeof item === "function" ? (item as { [modifierKey]?: string })[modifierKey] : undefined;
}

function mistakeOf(type: unknown, isGiven: boolean): string {
  if (type === undefined)
    return isGiven
      ? "`undefined`: `() => Type` gives it when the class is used first: check what it returns"
      : "`undefined`: its class is declared further down, or its file is imported in a circle: write `() => Type`";
  const modifier = modifierLabel(type);
  if (modifier !== undefined) return `${modifier}, which only fields take: give the type alone`;
  if (carriesType(type)) return "a decorator that was not called: write Text() or the like";
  const mend = isBuiltIn(type) && Object.hasOwn(builtIns, type.name) ? builtIns[type.name] : undefined;
  return `\`${showValue(type)}\`, expected ${mend ?? "a DTO class, `() => Type` or a decorator such as Text()"}`;
}

/** What is meant by JavaScript's own constructors. */
const builtIns: Readonly<Record<string, string>> = {
  String: "Text()",
  Number: "Number() or Integer() from toolpost/dto",
  Boolean: "Flag()",
  Date: "Moment()",
  Array: "ListOf(…)",
  Set: "ListOf(…) with `unique: true`",
  Object: "MapOf(…) or a DTO class",
  Map: "MapOf(…)",
};
