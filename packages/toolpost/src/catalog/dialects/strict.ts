// The schemas of strict tools: OpenAI and Anthropic then promise arguments that fit, for a part of JSON Schema.
// At OpenAI every property is required there; what may be left out may be `null` instead, which `left-out.ts` takes back.
// What cannot be said strictly makes the tool a plain one, with the reason; it never makes a request that is refused.
// Source: "Supported schemas" of OpenAI's structured outputs; "JSON Schema limitations" of Anthropic's.

import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";
import { acceptsNull, orNull } from "./or-null.ts";
import type { NoteLoss } from "./schema-parts.ts";
import { propertyPath, recordsOf, requiredOf, targetOf, typesOf } from "./schema-parts.ts";

export type StrictDialect = "openai" | "anthropic";

/** Why a schema has no strict form. */
export class NotStrict extends Error {
  readonly path: string;

  constructor(path: string, why: string) {
    super(why);
    this.path = path;
  }
}

/** The strict form of a schema whose root is a plain object. Throws NotStrict where there is none. */
export function toStrictSchema(schema: JsonSchema, dialect: StrictDialect, noteLoss: NoteLoss): JsonSchema {
  return new StrictWriter(schema, dialect, noteLoss).write(schema, "");
}

class StrictWriter {
  readonly #root: JsonSchema;
  readonly #dialect: StrictDialect;
  readonly #noteLoss: NoteLoss;

  constructor(root: JsonSchema, dialect: StrictDialect, noteLoss: NoteLoss) {
    this.#root = root;
    this.#dialect = dialect;
    this.#noteLoss = noteLoss;
  }

  write(schema: unknown, path: string): JsonSchema {
    if (!isRecord(schema)) throw new NotStrict(path, "any value is taken there");
    if (schema.$ref !== undefined) return this.#reference(schema, path);
    const kept: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(schema)) this.#keep(kept, key, value, path);
    const choices = [...recordsOf(schema.anyOf), ...recordsOf(schema.oneOf)];
    if (choices.length > 0) kept.anyOf = choices.map((choice) => this.write(choice, path));
    if (isRecord(schema.properties) || typesOf(schema).includes("object")) this.#object(kept, schema, path);
    if (typesOf(schema).includes("array")) this.#array(kept, schema, path);
    if (!says.some((key) => kept[key] !== undefined)) throw new NotStrict(path, "any value is taken there");
    return kept;
  }

  #keep(kept: Record<string, unknown>, key: string, value: unknown, path: string): void {
    if (written.has(key)) return;
    if (key === "$defs" || key === "definitions") {
      const entries = Object.entries(isRecord(value) ? value : {});
      kept[key] = Object.fromEntries(entries.map(([name, part]) => [name, this.write(part, name)]));
    } else if (key === "format" && !formats.has(String(value)))
      this.#noteLoss(path, `\`format: ${value}\` is not sent`);
    else if (known[this.#dialect].has(key)) kept[key] = value;
    else if (!silent.has(key)) this.#noteLoss(path, `\`${key}\` is not sent`);
  }

  #object(kept: Record<string, unknown>, schema: JsonSchema, path: string): void {
    const { properties, additionalProperties = isRecord(properties) ? false : undefined } = schema;
    if (additionalProperties !== false || schema.patternProperties !== undefined)
      throw new NotStrict(path, "it takes any key there");
    const fields = Object.entries(isRecord(properties) ? properties : {});
    const required = new Set(requiredOf(schema));
    const all = this.#dialect === "openai";
    kept.properties = Object.fromEntries(
      fields.map(([name, property]) => {
        const strict = this.write(property, propertyPath(path, name));
        return [name, !all || required.has(name) || acceptsNull(this.#root, property) ? strict : orNull(strict)];
      }),
    );
    kept.required = fields.map(([name]) => name).filter((name) => all || required.has(name));
    kept.additionalProperties = false;
  }

  #array(kept: Record<string, unknown>, schema: JsonSchema, path: string): void {
    if (schema.prefixItems !== undefined || Array.isArray(schema.items)) throw new NotStrict(path, "it is a tuple");
    kept.items = this.write(schema.items ?? true, `${path}[]`);
  }

  #reference(schema: JsonSchema, path: string): JsonSchema {
    const { $ref, description } = schema;
    if (targetOf(this.#root, $ref) === undefined) throw new NotStrict(path, `\`${String($ref)}\` leads nowhere`);
    if (this.#dialect === "anthropic" && comesBack(this.#root, $ref)) throw new NotStrict(path, "it contains itself");
    // References to places that are rewritten still lead there: the writer keeps `properties`, `items`, `anyOf` and `$defs`.
    return description === undefined ? { $ref } : { anyOf: [{ $ref }], description };
  }
}

/** Whether a reference is met again below what it leads to. */
function comesBack(root: JsonSchema, reference: unknown): boolean {
  const seen = new Set<unknown>();
  const open: unknown[] = [targetOf(root, reference)];
  while (open.length > 0) {
    const place = open.pop();
    if (typeof place !== "object" || place === null || seen.has(place)) continue;
    seen.add(place);
    if (isRecord(place) && place.$ref === reference) return true;
    open.push(...Object.values(place), isRecord(place) ? targetOf(root, place.$ref) : undefined);
  }
  return false;
}

/** Rewritten, not copied. */
const written: ReadonlySet<string> = new Set([
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "oneOf",
]);

/** One of these must be there for a schema to say anything. */
const says: readonly string[] = ["type", "enum", "const", "anyOf", "properties"];

const both: readonly string[] = ["type", "description", "enum", "const", "format", "pattern", "title"];

const known: Readonly<Record<StrictDialect, ReadonlySet<string>>> = {
  openai: new Set([
    ...both,
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
  ]),
  anthropic: new Set([...both, "default"]),
};

/** Say nothing about what fits. */
const silent: ReadonlySet<string> = new Set([
  "$schema",
  "$comment",
  "$id",
  "examples",
  "default",
  "readOnly",
  "writeOnly",
]);

const formats: ReadonlySet<string> = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);
