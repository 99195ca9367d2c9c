// The input side of a tool: always an object, whatever its schema says, as models write arguments as one object.
// It must not accept a schema whose root could be anything else.

import { ToolpostError } from "../core/errors.ts";
import { markWrapper } from "../core/passive-validator.ts";
import type { CompiledSchema, JsonSchema, Validate } from "../core/schema.ts";
import { isRecord } from "../std/is-record.ts";
import { kindOf } from "./json-schema/kinds.ts";
import { localTarget } from "./json-schema/references.ts";
import { showValue } from "./show-value.ts";

/**
 * The schema with `type: "object"` at its root. A root `$ref` is replaced by what it leads to, as providers refuse one.
 * Throws `ToolpostError` (`tool.schema-unusable`) where the root is not an object.
 */
export function toObjectSchema(schema: JsonSchema): JsonSchema {
  const root = withoutRootReference(schema);
  if (!isObjectSchema(root, root, 0)) {
    const message = `the input schema describes ${describe(root)}, expected an object: give its root \`type: "object"\``;
    throw new ToolpostError("tool.schema-unusable", message);
  }
  return root.type === "object" ? root : { ...root, type: "object" };
}

/** Validates with the compiled schema, but refuses before whatever is no plain JSON object. */
export function objectValidator<Parsed>({ validate }: CompiledSchema<Parsed>): Validate<Parsed> {
  const ofObjects: Validate<Parsed> = (value) => {
    if (isRecord(value)) return validate(value);
    return { ok: false, issues: [{ path: "", message: `expected object, got ${kindOf(value)}` }] };
  };
  markWrapper(ofObjects, () => validate);
  return ofObjects;
}

/** References to references, and alternatives of alternatives, that are followed before the schema counts as strange. */
const mostHops = 8;

function withoutRootReference(schema: JsonSchema): JsonSchema {
  let root = schema;
  for (let hops = 0; isRecord(root) && typeof root.$ref === "string" && hops < mostHops; hops++) {
    const target = localTarget(root, root.$ref);
    if (target === undefined) break;
    const { $ref: _, ...siblings } = root;
    root = { ...target, ...siblings };
  }
  return root;
}

function isObjectSchema(root: JsonSchema, schema: unknown, hops: number): boolean {
  if (!isRecord(schema) || hops > mostHops) return false;
  if (schema.type !== undefined) return [schema.type].flat().includes("object");
  const isObject = (part: unknown): boolean => isObjectSchema(root, part, hops + 1);
  if (typeof schema.$ref === "string") return isObject(localTarget(root, schema.$ref));
  if (Array.isArray(schema.allOf) && schema.allOf.some(isObject)) return true;
  return [schema.anyOf, schema.oneOf].some(
    (choice) => Array.isArray(choice) && choice.length > 0 && choice.every(isObject),
  );
}

function describe(schema: unknown): string {
  if (!isRecord(schema)) return `\`${showValue(schema)}\``;
  return schema.type === undefined ? "a value of any type" : `\`${[schema.type].flat().join(" or ")}\``;
}
