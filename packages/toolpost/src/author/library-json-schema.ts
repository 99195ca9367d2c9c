// JSON Schema of a schema of a library (zod, arktype, valibot, any other with the Standard JSON Schema interface).
// Places where the library wants a native Date or bigint, which JSON has not, are marked for `native-values.ts`.
// It must not let a place that has no JSON Schema at all spoil the rest: such a place is `{}`.

import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { ToolpostError } from "../core/errors.ts";
import type { JsonSchema } from "../core/schema.ts";
import type { NativeKind } from "./native-values.ts";
import { markKey, withoutMarks } from "./native-values.ts";
import { requireForUser } from "./require-for-user.ts";

export type SchemaDirection = "input" | "output";

/**
 * Draft 2020-12, with marks. Throws `ToolpostError` (`tool.schema-unusable`) when the library cannot convert.
 * Costs tens of microseconds; the caller keeps the result.
 */
export function libraryJsonSchema(schema: StandardSchemaV1, direction: SchemaDirection): JsonSchema {
  const convert = converterOf(schema, direction);
  try {
    return convert();
  } catch (error) {
    throw unusable(
      `${schema["~standard"].vendor} cannot convert the schema to JSON Schema: ${messageOf(error)}`,
      error,
    );
  }
}

function converterOf(schema: StandardSchemaV1, direction: SchemaDirection): () => JsonSchema {
  const { vendor, jsonSchema } = schema["~standard"] as StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props>;
  if (jsonSchema !== undefined) {
    const libraryOptions = standardOptions[vendor];
    return () => jsonSchema[direction]({ target: draft, ...(libraryOptions && { libraryOptions }) });
  }
  if (vendor === "valibot") {
    const { toJsonSchema } = requireForUser<ValibotConverter>("@valibot/to-json-schema", "@valibot/to-json-schema");
    return () =>
      toJsonSchema(schema, { target: draft, errorMode: "ignore", typeMode: direction, overrideSchema: markValibot });
  }
  // zod/mini and the first releases of zod 4 leave the interface out.
  if (vendor === "zod" && "_zod" in schema) {
    const { toJSONSchema } = requireForUser<ZodConverter>("zod/v4/core", "zod@4");
    return () => toJSONSchema(schema, { target: draft, io: direction, ...zodOptions });
  }
  const mend =
    vendor === "zod" ? "update to zod 4" : "give the tool a raw JSON Schema, or a schema of zod 4, valibot or arktype";
  throw unusable(`schemas of \`${vendor}\` have no JSON Schema: ${mend}`);
}

const draft = "draft-2020-12";

type ValibotConverter = { toJsonSchema(schema: unknown, options: object): JsonSchema };
type ZodConverter = { toJSONSchema(schema: unknown, options: object): JsonSchema };
type Draft = Record<string, unknown>;

/** The part of zod's schemas that tells their kind. Source: zod/v4/core. */
interface ZodSchema {
  readonly _zod: {
    readonly def: { readonly type: string; readonly values?: readonly unknown[]; readonly in?: ZodSchema };
  };
}

const zodOptions: Record<string, unknown> = {
  unrepresentable: "any",
  override({ zodSchema, jsonSchema }: { zodSchema: ZodSchema; jsonSchema: Draft }): void {
    const { type, values, in: from } = zodSchema._zod.def;
    if (type === "date" || type === "bigint") jsonSchema[markKey] = type;
    else if (type === "literal" && values?.some(isBigint)) markLiterals(jsonSchema, values);
    // What `z.preprocess` is given is what was written, so nothing below it is converted before.
    else if (type === "pipe" && from?._zod.def.type === "transform") replaceBy(jsonSchema, withoutMarks(jsonSchema));
  },
};

function replaceBy(jsonSchema: Draft, other: Draft): void {
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  Object.assign(jsonSchema, other);
}

/** What arktype says about a place it cannot express. Source: ToJsonSchema.FallbackContext of @ark/schema. */
interface ArkFallback {
  readonly code: string;
  readonly base: Draft;
  readonly domain?: string;
  readonly unit?: unknown;
}

function markArk(place: ArkFallback): Draft {
  if (place.code === "date" || place.unit instanceof Date)
    return { ...place.base, [markKey]: "date" satisfies NativeKind };
  if (place.domain === "bigint") return { ...place.base, [markKey]: "bigint" satisfies NativeKind };
  if (isBigint(place.unit)) return markLiterals({ ...place.base }, [place.unit]);
  return place.base;
}

const standardOptions: Readonly<Record<string, Record<string, unknown>>> = {
  zod: zodOptions,
  arktype: { fallback: markArk },
};

/** The part of valibot's schemas that tells their kind. */
interface ValibotSchema {
  readonly type: string;
  readonly literal?: unknown;
  readonly options?: readonly unknown[];
}

function markValibot({
  valibotSchema,
  jsonSchema,
}: {
  valibotSchema: ValibotSchema;
  jsonSchema: Draft;
}): Draft | undefined {
  const { type, literal, options } = valibotSchema;
  if (type === "date" || type === "bigint") return { ...jsonSchema, [markKey]: type };
  const values = type === "literal" ? [literal] : type === "picklist" ? options : undefined;
  return values?.some(isBigint) ? markLiterals({ ...jsonSchema }, values) : undefined;
}

/** A choice among values of which some are bigints: those are written as digits. */
function markLiterals(jsonSchema: Draft, values: readonly unknown[]): Draft {
  for (const key of ["const", "type"]) delete jsonSchema[key];
  return Object.assign(jsonSchema, {
    enum: values.map((value) => (isBigint(value) ? String(value) : value)),
    [markKey]: "bigint",
  });
}

function isBigint(value: unknown): value is bigint {
  return typeof value === "bigint";
}

function unusable(message: string, cause?: unknown): ToolpostError {
  return new ToolpostError("tool.schema-unusable", message, { cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
