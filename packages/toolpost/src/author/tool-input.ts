// The input side of a tool: always an object, whatever its schema says, as models write arguments as one object.
// It must not accept a schema whose root could be anything else.

import { ToolpostError } from "../core/errors.ts";
import type { CompiledSchema, JsonSchema, Validate } from "../core/schema.ts";

/**
 * The schema with `type: "object"` at its root. A root `$ref` is replaced by what it leads to, as providers refuse one.
 * Throws `ToolpostError` (`tool.schema-unusable`) where the root is not an object.
 */
export function toObjectSchema(schema: JsonSchema): JsonSchema {
  const root = isRecord(schema) ? withoutRootReference(schema) : schema;
  if (isRecord(root) && isObjectSchema(root, root, 0)) return root.type === "object" ? root : { ...root, type: "object" };
  throw new ToolpostError(
    "tool.schema-unusable",
    `the input schema describes \`${describe(root)}\`, expected an object: arguments of a call are one JSON object`,
  );
}

/** Validates with the compiled schema, but refuses whatever is no plain JSON object before. */
export function objectValidator<Parsed>(compiled: CompiledSchema<Parsed>): Validate<Parsed> {
  return (value) => (isRecord(value) ? compiled.validate(value) : { ok: false, issues: [{ path: "", message: `expected object, got ${kindOf(value)}` }] });
}

function withoutRootReference(schema: JsonSchema): JsonSchema {
  let root = schema;
  for (let hops = 0; typeof root.$ref === "string" && hops < 8; hops++) {
    const target = resolveLocal(schema, root.$ref);
    if (target === undefined || target === root) break;
    const { $ref: _, ...siblings } = root;
    root = { ...target, ...siblings };
  }
  return root;
}

function isObjectSchema(root: JsonSchema, schema: unknown, depth: number): boolean {
  if (!isRecord(schema) || depth > 8) return false;
  if (schema.type !== undefined) return schema.type === "object";
  const isObject = (part: unknown): boolean => isObjectSchema(root, part, depth + 1);
  if (typeof schema.$ref === "string") return isObject(resolveLocal(root, schema.$ref));
  if (Array.isArray(schema.allOf) && schema.allOf.some(isObject)) return true;
  return [schema.anyOf, schema.oneOf].some((choice) => Array.isArray(choice) && choice.length > 0 && choice.every(isObject));
}

function resolveLocal(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith("#/")) return undefined;
  let node: unknown = root;
  for (const part of reference.slice(2).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    node = isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return isRecord(node) ? node : undefined;
}

function describe(schema: unknown): string {
  if (!isRecord(schema)) return kindOf(schema);
  return typeof schema.type === "string" ? schema.type : "a value of any type";
}

/** The JSON type of a value, as messages name it. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
