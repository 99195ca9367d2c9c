// Which fields the decorators compile on, and which they refuse; under TC39 decorators here, and under legacy ones by
// the project in `test/dto/legacy-types`. Never run.

import type { DtoWire, SchemaParsed, SchemaReturned, SchemaWire } from "../../core/schema.ts";
import { ChoiceField as Choice } from "./choice-field.ts";
import { FlagField as Flag } from "./flag-field.ts";
import { ListField as ListOf } from "./list-field.ts";
import { MapField as MapOf } from "./map-field.ts";
import { MomentField as Moment } from "./moment-field.ts";
import { NestedField as Nested } from "./nested-field.ts";
import { IntegerField as Integer, NumberField as Numeric } from "./number-field.ts";
import { OneOfField as OneOf } from "./one-of-field.ts";
import { NullableField as Nullable, OptionalField as Optional } from "./optional-field.ts";
import { TextField as Text } from "./text-field.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function is<_T extends true>(): void {}

const colours = { red: 0, green: 1 } as const;

export class Filter {
  @Text() field!: string;
  @Numeric() value!: number;
}

export class Right {
  @Text({ prompt: "p", minLength: 1, pattern: /a/, format: "email", default: "a" }) text!: string;
  @Optional() @Text() maybe?: string;
  @Text() wide!: string | undefined;
  @Text() unknown!: unknown;
  @Text() either!: string | number;
  @Integer({ min: 1 }) integer = 1;
  @Flag() flag!: boolean;
  @Choice(["a", "b"]) choice!: "a" | "b";
  @Choice(["a", "b"], { default: "a" }) text2!: string;
  @Choice(colours) colour!: 0 | 1;
  @Moment({ min: new Date() }) moment!: Date;
  @ListOf(Text({ maxLength: 20 })) list!: string[];
  @ListOf(Text(), { default: [] }) readonly readonlyList!: readonly string[];
  @ListOf(ListOf(Integer())) grid!: number[][];
  @ListOf(Filter) filters!: Filter[];
  @ListOf(() => Right) rights!: Right[];
  @MapOf(Numeric()) map!: Record<string, number>;
  @MapOf(Filter) filterMap!: { [key: string]: Filter };
  @Nested(Filter) filter!: Filter;
  @Optional() @Nested(() => Right) right?: Right;
  @OneOf([Text(), Integer()]) id!: string | number;
  @OneOf([Filter, () => Right]) union!: Filter | Right;
  @Nullable() @Text() nullable!: string | null;
  @Optional() @Nullable() @Text() both?: string | null;
}

export class Wrong {
  // @ts-expect-error a text is no number
  @Text() a!: number;
  // @ts-expect-error not every text is one of these
  @Text() b!: "a" | "b";
  // @ts-expect-error a number is no text
  @Numeric() c!: string;
  // @ts-expect-error nor is an integer
  @Integer() d!: string;
  // @ts-expect-error a flag is no text
  @Flag() e!: string;
  // @ts-expect-error other values
  @Choice(["a"]) f!: "b";
  // @ts-expect-error fewer values
  @Choice(["a", "b"]) g!: "a";
  // @ts-expect-error a Date in the handler, not text
  @Moment() h!: string;
  // @ts-expect-error a list of texts
  @ListOf(Text()) i!: number[];
  // @ts-expect-error a list
  @ListOf(Text()) j!: string;
  // @ts-expect-error a list of another class
  @ListOf(Filter) k!: Right[];
  // @ts-expect-error a map of numbers
  @MapOf(Numeric()) l!: Record<string, string>;
  // @ts-expect-error another class
  @Nested(Filter) m!: Right;
  // @ts-expect-error one alternative is missing
  @OneOf([Text(), Integer()]) n!: string;
  // @ts-expect-error it may be undefined
  @Optional() @Text() o!: string;
  // @ts-expect-error it may be null
  @Nullable() @Text() p!: string;
  // @ts-expect-error a default of another type
  @Integer({ default: "1" }) q!: number;
  // @ts-expect-error not a value of the choice
  @Choice(["a"], { default: "b" }) r!: "a";
  // @ts-expect-error no such option
  @Text({ minlength: 1 }) s!: string;
  // @ts-expect-error no such format
  @Text({ format: "phone" }) t!: string;
  // @ts-expect-error no class and no decorator's result
  @ListOf("text") u!: string[];
  // @ts-expect-error its constructor takes arguments
  @Nested(Needy) v!: Needy;
}

class Needy {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

// What is written, got and returned for a class.
class Issue {
  title!: string;
  due!: Date;
  tags?: string[];
  parent?: Issue;
  filters!: Filter[];
  kind!: "a" | null;
  byName!: Record<string, Date>;
  isLate(): boolean {
    return this.due < new Date();
  }
}
is<Equal<SchemaParsed<typeof Issue>, Issue>>();
is<Equal<SchemaWire<typeof Filter>, { readonly field?: string | undefined; readonly value?: number | undefined }>>();
export const wire: DtoWire<Issue> = {
  due: "2026-01-01",
  tags: ["a"],
  parent: { title: "p", filters: [{ value: 1 }] },
  kind: null,
  byName: { a: "2026-01-01" },
};
// @ts-expect-error a method is not written
export const noMethod: DtoWire<Issue> = { isLate: () => true };
// @ts-expect-error text for a date
export const noDate: DtoWire<Issue> = { due: new Date() };
class Sealed {
  readonly #secret = 1;
  private readonly hidden = 2;
  issue!: Issue;
  list?: Issue[];
  sum(): number {
    return this.#secret + this.hidden;
  }
}
const issue = { title: "t", due: new Date(), filters: [], kind: null, byName: { a: new Date() } } as const;
export const instance: SchemaReturned<typeof Sealed> = new Sealed();
export const itsFields: SchemaReturned<typeof Sealed> = { issue, list: [{ ...issue, parent: issue }] };
// @ts-expect-error a field is missing
export const noIssue: SchemaReturned<typeof Sealed> = { list: [] };
// @ts-expect-error a `Date` for a date
export const noText: SchemaReturned<typeof Issue> = { ...issue, due: "2026-01-01" };
