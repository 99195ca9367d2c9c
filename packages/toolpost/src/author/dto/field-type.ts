// What a field of a DTO class is: the type that a decorator carries, and the plan that is made of it once per class.
// Types, and the symbol that tells a decorator's result from any other function.

import type { DtoClass, JsonSchema } from "../../core/schema.ts";
import type { Json } from "../../std/json.ts";
import type { Report, refused } from "./report.ts";
import type { Sure } from "./sure.ts";

/** Registered, so that decorators of another copy of the package are understood. */
export const fieldTypeKey: unique symbol = Symbol.for("toolpost.dto.field-type");

/** The label of a decorator that changes a field of any kind, on its result; registered too. */
export const modifierKey: unique symbol = Symbol.for("toolpost.dto.modifier");

/** What every decorator of a kind takes. */
export interface FieldOptions<Value = unknown> {
  /** The description the model reads. */
  readonly prompt?: string;
  /** What an absent field is; copied for each instance. */
  readonly default?: Value;
}

/** A kind with its options, as a decorator's author wrote them; nothing is judged before it is planned. */
export interface FieldType<Value = unknown> {
  /** As it is written: `@Text()`. */
  readonly label: string;
  readonly options: FieldOptions;
  plan(work: PlanWork): FieldPlan;
  /** Types only; never there at run time. */
  readonly "~value"?: Value;
}

/** Reads a value: the value to keep, or `refused` after saying why in the report. Never `undefined`. */
export type Read = (value: unknown, report: Report) => unknown | typeof refused;

/** How values of one field, item or alternative are read and shown. */
export interface FieldPlan {
  readonly read: Read;
  /** Values that are kept as they are, without asking `read`. */
  readonly sure?: Sure;
  schema(writer: SchemaWriter): JsonSchema;
  /** Whether there is a finite value, given the classes that are known to have one. */
  canEnd(ending: ReadonlySet<object>): boolean;
  /** The class of a nested field. */
  readonly nested?: ClassPlan;
  /** The one value of a choice that has no other. */
  readonly only?: string | number;
}

/** One field of a class. */
export interface PlannedField extends FieldPlan {
  readonly key: string;
  readonly options: FieldOptions;
  readonly isRequired: boolean;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  /** The decorator's `default`; without one an absent field is what the class's initialiser makes it. */
  readonly fallback: unknown;
  /** The value of an absent field in a first instance. */
  readonly initial: unknown;
  /** What the initialiser made it in a second one. */
  readonly second: unknown;
  /** The default as the model is told it; `undefined` where there is none, or not the same one each time. */
  readonly shown: Json | undefined;
}

/** A DTO class ready for use. `fields` and `read` are there when all classes it refers to are planned. */
export interface ClassPlan {
  readonly type: DtoClass;
  readonly name: string;
  readonly fields: readonly PlannedField[];
  readonly read: Read;
  /** Whether its values can hold values of itself. */
  readonly recurs: boolean;
}

/** What a kind is given to plan itself. */
export interface PlanWork {
  /** Reports a mistake of the field's author; the place is added. */
  problem(message: string): void;
  /** The plan of an item type. `label` is that of the decorator that was given it. */
  item(item: unknown, label: string): FieldPlan;
}

/** Gives the JSON Schema of classes: written out, or a reference where they recur. */
export interface SchemaWriter {
  ofClass(plan: ClassPlan): JsonSchema;
}

/** What the lists, maps and alternatives of a DTO hold: a class, a class named later, or a decorator's result. */
export type ItemType = DtoClass | (() => DtoClass) | CarriesType<unknown>;

/** What a value of an item type is in the handler. */
export type ItemValue<Item> =
  Item extends CarriesType<infer Value>
    ? Value
    : Item extends DtoClass<infer Instance>
      ? Instance
      : Item extends () => DtoClass<infer Instance>
        ? Instance
        : never;

/** The result of a decorator of a kind. */
export interface CarriesType<Value> {
  readonly [fieldTypeKey]: FieldType<Value>;
}
