// JSON Schema (draft 2020-12) of a planned class. Classes are written out where they are used, as not every provider
// follows references; only those that recur, or would make the schema too long, are definitions that are referred to.
// The root must not be a reference, as providers refuse one.

import { sanitizeName } from "../../core/name.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { SchemaDirection } from "../library-json-schema.ts";
import type { ClassPlan, PlannedField, SchemaWriter } from "./field-type.ts";

export function classSchema(plan: ClassPlan, direction: SchemaDirection): JsonSchema {
  const defined = definedClasses(plan);
  const names = new Map<ClassPlan, string>();
  const definitions: Record<string, JsonSchema> = {};
  const writer: SchemaWriter = {
    ofClass(held) {
      if (!defined.has(held)) return objectSchema(held, direction, writer);
      let name = names.get(held);
      if (name === undefined) {
        name = freeName(held, definitions);
        names.set(held, name);
        // Taken before it is written, as it refers to itself.
        definitions[name] = {};
        definitions[name] = objectSchema(held, direction, writer);
      }
      return { $ref: `#/$defs/${name}` };
    },
  };
  const root = objectSchema(plan, direction, writer);
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions };
}

/** More objects than these are not written out. A class that holds another one twice doubles them with each level. */
const mostObjects = 50;

/** The classes that are definitions: those that recur, and in a long schema all that are used more than once. */
function definedClasses(root: ClassPlan): ReadonlySet<ClassPlan> {
  const uses = new Map<ClassPlan, number>();
  const sizes = new Map<ClassPlan, number>();
  const objectsIn = (plan: ClassPlan): number => {
    const known = sizes.get(plan);
    if (known !== undefined) return known;
    let size = 1;
    sizes.set(plan, size);
    const counter: SchemaWriter = {
      ofClass(held) {
        uses.set(held, (uses.get(held) ?? 0) + 1);
        const inner = objectsIn(held);
        if (!held.recurs) size += inner;
        return {};
      },
    };
    for (const field of plan.fields) field.schema(counter);
    sizes.set(plan, size);
    return size;
  };
  let total = objectsIn(root);
  for (const [plan, size] of sizes) if (plan.recurs && plan !== root) total += size;
  const isDefined = ([plan, count]: readonly [ClassPlan, number]): boolean =>
    plan.recurs || (total > mostObjects && count > 1);
  return new Set([...uses].filter(isDefined).map(([plan]) => plan));
}

function freeName({ name }: ClassPlan, taken: object): string {
  const wish = sanitizeName(name);
  let free = wish;
  for (let count = 2; Object.hasOwn(taken, free); count++) free = `${wish}${count}`;
  return free;
}

function objectSchema({ fields }: ClassPlan, direction: SchemaDirection, writer: SchemaWriter): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of fields) {
    properties[field.key] = fieldSchema(field, writer);
    // A default is always there in what comes out.
    if (field.isRequired || (direction === "output" && field.initial !== undefined)) required.push(field.key);
  }
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    ...(direction === "output" && { additionalProperties: false }),
  };
}

function fieldSchema(field: PlannedField, writer: SchemaWriter): JsonSchema {
  const schema = field.schema(writer);
  const { options, shown } = field;
  return {
    ...(field.isNullable ? orNull(schema) : schema),
    ...(options.prompt !== undefined && { description: options.prompt }),
    ...(shown !== undefined && { default: shown }),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  if (typeof rest.type !== "string")
    return { anyOf: [rest, { type: "null" }], ...(description !== undefined && { description }) };
  return { ...schema, type: [rest.type, "null"], ...(Array.isArray(rest.enum) && { enum: [...rest.enum, null] }) };
}
