// Gemini's part of JSON Schema: one type per schema, texts as the only literals, nothing beside `anyOf`, few formats, and
// references not where they are needed. What has no place is told in the description, so that the model still reads it.
// Source: `Schema` and `FunctionDeclaration.parametersJsonSchema` of the Gemini API; packages send one or the other.

import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";
import type { NoteLoss } from "./schema-parts.ts";
import { propertyPath, recordsOf, requiredOf, targetOf, typesOf } from "./schema-parts.ts";

/** The schema of a tool whose root is a plain object. */
export function toGeminiSchema(schema: JsonSchema, noteLoss: NoteLoss): JsonSchema {
  return new GeminiWriter(schema, noteLoss).write(schema, "", ["#"]);
}

type Draft = Record<string, unknown>;

class GeminiWriter {
  readonly #root: JsonSchema;
  readonly #noteLoss: NoteLoss;
  #written = 0;

  constructor(root: JsonSchema, noteLoss: NoteLoss) {
    this.#root = root;
    this.#noteLoss = noteLoss;
  }

  /** @param within the references that led here */
  write(schema: unknown, path: string, within: readonly string[]): JsonSchema {
    if (!isRecord(schema)) return this.#anything({}, path);
    this.#written++;
    if (typeof schema.$ref === "string") return this.#unrolled(schema, schema.$ref, { path, within });
    const whole = this.#withoutAllOf(schema, path);
    const choices = choicesOf(whole);
    if (choices !== undefined) return this.#choice(whole, choices, { path, within });
    const notes: string[] = [];
    const draft = this.#single(whole, { path, within, notes });
    return described(draft, whole.description, notes);
  }

  /** A reference becomes what it leads to; one that comes back to itself, twice over, and then an object. */
  #unrolled(schema: JsonSchema, $ref: string, { path, within }: Place): JsonSchema {
    const { $ref: _, ...siblings } = schema;
    const target = targetOf(this.#root, $ref);
    if (target === undefined) return this.#anything(siblings, path);
    const isDeep = within.filter((seen) => seen === $ref).length > mostRounds || within.length > deepest;
    if (!isDeep && this.#written < mostSchemas) return this.write({ ...target, ...siblings }, path, [...within, $ref]);
    this.#noteLoss(path, "the schema contains itself: it is written out to a depth and then an object of any kind");
    return described({ type: typesOf(target)[0] ?? "object" }, siblings.description ?? target.description, [
      "and so on, as above",
    ]);
  }

  /** `null` aside, alternatives that are one are that one. Nothing may stand beside `anyOf`. */
  #choice(schema: JsonSchema, choices: readonly JsonSchema[], { path, within }: Place): JsonSchema {
    const { anyOf: _any, oneOf: _one, type: _type, enum: _enum, description, ...beside } = schema;
    const own = Object.keys(beside).filter((key) => !silent.has(key));
    if (schema.anyOf !== undefined || schema.oneOf !== undefined) {
      for (const key of own) if (!handed.has(key)) this.#noteLoss(path, `\`${key}\` beside alternatives is not sent`);
    }
    const shared = Object.fromEntries(own.filter((key) => handed.has(key)).map((key) => [key, beside[key]]));
    const written = choices.map((choice) => {
      const type = choice.type ?? (schema.anyOf === undefined && schema.oneOf === undefined ? undefined : schema.type);
      const whole = isNull(choice) ? choice : { ...shared, ...choice, ...(type !== undefined && { type }) };
      const said =
        isNull(choice) || choice.description !== undefined ? {} : { ...(description !== undefined && { description }) };
      return this.write({ ...whole, ...said }, path, within);
    });
    return { anyOf: written.flatMap((one) => (isRecord(one) && Array.isArray(one.anyOf) ? one.anyOf : [one])) };
  }

  /** A schema of one type, without alternatives. */
  #single(schema: JsonSchema, place: Place & { readonly notes: string[] }): Draft {
    const { path, notes } = place;
    const type = typesOf(schema)[0] ?? guessedType(schema);
    const draft: Draft = type === undefined ? {} : { type };
    for (const [key, value] of Object.entries(schema)) {
      if (kept.has(key)) draft[key] = value;
      else if (key === "enum" || key === "const") this.#literals(draft, key === "const" ? [value] : value, place);
      else if (!silent.has(key)) this.#lose(key, value, { ...place, draft });
    }
    if (type === "object") this.#object(draft, schema, place);
    if (type === "array") this.#array(draft, schema, place);
    if (type === undefined && notes.length === 0 && draft.enum === undefined) return this.#anything(draft, path);
    return draft;
  }

  #literals(draft: Draft, values: unknown, { path, notes }: Place & { readonly notes: string[] }): void {
    if (!Array.isArray(values)) return;
    if (values.every((value) => typeof value === "string")) {
      draft.type = "string";
      const choices = values.filter((value) => value !== "");
      if (choices.length > 0) draft.enum = choices;
      if (choices.length === values.length) return;
      notes.push("may be empty");
      this.#noteLoss(path, "an empty text among the choices is told in the description only");
      return;
    }
    // As texts they would come back as texts, and fail.
    notes.push(
      values.length === 1
        ? `always ${JSON.stringify(values[0])}`
        : `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`,
    );
    this.#noteLoss(path, "literals that are no texts are told in the description only");
  }

  #lose(
    key: string,
    value: unknown,
    { draft, path, notes }: Place & { readonly draft: Draft; readonly notes: string[] },
  ): void {
    const isInteger = draft.type === "integer" && Number.isSafeInteger(value);
    if (key === "format" && geminiFormats.has(String(value))) draft.format = value;
    else if (key === "exclusiveMinimum" && isInteger) draft.minimum = (value as number) + 1;
    else if (key === "exclusiveMaximum" && isInteger) draft.maximum = (value as number) - 1;
    else {
      const phrase = phrases[key];
      if (phrase !== undefined) notes.push(phrase(value));
      const what = key === "format" ? `\`format: ${value}\`` : `\`${key}\``;
      this.#noteLoss(path, `${what} ${phrase === undefined ? "is not sent" : "is told in the description only"}`);
    }
  }

  #object(draft: Draft, schema: JsonSchema, { path, within, notes }: Place & { readonly notes: string[] }): void {
    if (isRecord(schema.properties) && Object.keys(schema.properties).length > 0) {
      const entries = Object.entries(schema.properties);
      draft.properties = Object.fromEntries(
        entries.map(([name, property]) => [name, this.write(property, propertyPath(path, name), within)]),
      );
      const required = requiredOf(schema).filter((name) => Object.hasOwn(schema.properties as object, name));
      if (required.length > 0) draft.required = required;
    }
    const { additionalProperties } = schema;
    if (additionalProperties === undefined) return;
    this.#noteLoss(path, "`additionalProperties` is not sent");
    if (!isRecord(additionalProperties)) return;
    const values = this.write(additionalProperties, propertyPath(path, "*"), within);
    notes.push(
      `${draft.properties === undefined ? "any keys" : "any further keys"}, each with a value like ${JSON.stringify(values)}`,
    );
  }

  /** An array without `items` is refused. */
  #array(draft: Draft, schema: JsonSchema, { path, within, notes }: Place & { readonly notes: string[] }): void {
    const tuple = Array.isArray(schema.prefixItems)
      ? schema.prefixItems
      : Array.isArray(schema.items)
        ? schema.items
        : undefined;
    if (tuple === undefined) {
      draft.items = this.write(schema.items ?? true, `${path}[]`, within);
      return;
    }
    const items = tuple.map((item, index) => this.write(item, `${path}[${index}]`, within));
    const different = [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
    draft.items = different.length === 1 ? different[0] : { anyOf: different };
    draft.minItems = schema.minItems ?? items.length;
    draft.maxItems = schema.maxItems ?? items.length;
    notes.push(`in this order: ${items.map((item) => JSON.stringify(item)).join(", ")}`);
    this.#noteLoss(path, "the order in a tuple is told in the description only");
  }

  /** Without a type a schema is refused; a text can hold anything, but only a text would fit a text. */
  #anything(siblings: JsonSchema, path: string): JsonSchema {
    this.#noteLoss(path, "a value of any kind is offered as text, number, boolean or object");
    const said = siblings.description === undefined ? {} : { description: siblings.description };
    return { anyOf: ["string", "number", "boolean", "object"].map((type) => ({ type, ...said })) };
  }

  /** Parts that must all fit, as far as one schema can say it: fields together, the rest one over the other. */
  #withoutAllOf(schema: JsonSchema, path: string): JsonSchema {
    const parts = recordsOf(schema.allOf).map((part) => ({
      ...(targetOf(this.#root, part.$ref) ?? {}),
      ...part,
      $ref: undefined,
    }));
    if (parts.length === 0) return schema;
    const { allOf: _, ...own } = schema;
    const all: JsonSchema[] = [...parts, own];
    if (parts.length > 1) this.#noteLoss(path, "`allOf` is sent as one schema");
    const merged: Draft = Object.assign({}, ...all);
    const properties = Object.assign({}, ...all.map((part) => part.properties));
    if (Object.keys(properties).length > 0) {
      merged.properties = properties;
      merged.required = [...new Set(all.flatMap(requiredOf))];
    }
    delete merged.$ref;
    delete merged.allOf;
    return merged;
  }
}

interface Place {
  readonly path: string;
  readonly within: readonly string[];
}

/** How often a schema may stand within itself, how many references deep, and how many schemas a tool may come to. */
const mostRounds = 1;
const deepest = 12;
const mostSchemas = 2_000;

/** The alternatives a schema comes to by `anyOf`, several types or literals of several kinds. */
function choicesOf(schema: JsonSchema): JsonSchema[] | undefined {
  const choices = [...recordsOf(schema.anyOf), ...recordsOf(schema.oneOf)];
  if (choices.length > 0) return choices;
  const literals = Array.isArray(schema.enum) ? schema.enum : [];
  const kinds = [...new Set(literals.map(kindOf))];
  if (kinds.length > 1) {
    return kinds.map((type) =>
      type === "null" ? { type } : { type, enum: literals.filter((value) => kindOf(value) === type) },
    );
  }
  const types = typesOf(schema);
  return types.length > 1 ? types.map((type) => (type === "null" ? { type } : { ...schema, type })) : undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function isNull(schema: JsonSchema): boolean {
  return schema.type === "null" || schema.const === null;
}

function guessedType(schema: JsonSchema): string | undefined {
  if (schema.const !== undefined) return kindOf(schema.const);
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return kindOf(schema.enum[0]);
  if (schema.properties !== undefined) return "object";
  return schema.items !== undefined || schema.prefixItems !== undefined ? "array" : undefined;
}

function described(draft: Draft, description: unknown, notes: readonly string[]): JsonSchema {
  const said = [...(typeof description === "string" && description !== "" ? [description] : []), ...notes];
  return said.length === 0 ? draft : { ...draft, description: said.join("; ") };
}

/** Go as they are. */
const kept: ReadonlySet<string> = new Set([
  "title",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "pattern",
]);

/** From beside alternatives they go into each of them. */
const handed: ReadonlySet<string> = new Set([...kept, "properties", "required", "items", "format"]);

/** Written elsewhere, or saying nothing about what fits. */
const silent: ReadonlySet<string> = new Set([
  "type",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "prefixItems",
  "$defs",
  "definitions",
  "$schema",
  "$id",
  "$comment",
  "default",
  "examples",
  "readOnly",
  "writeOnly",
]);

const geminiFormats: ReadonlySet<string> = new Set(["date-time", "enum", "float", "double", "int32", "int64"]);

const phrases: Readonly<Record<string, (value: unknown) => string>> = {
  format: (value) => `format: ${String(value)}`,
  exclusiveMinimum: (value) => `greater than ${String(value)}`,
  exclusiveMaximum: (value) => `less than ${String(value)}`,
  multipleOf: (value) => `a multiple of ${String(value)}`,
  uniqueItems: () => "no item twice",
};
