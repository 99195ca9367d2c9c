// Whether the schemas of a tool can be used: converted, an object at the root, every part of a raw one understood.
// It must report what goes wrong and never throw: one unusable schema must not hide the problems of the others.

import type { Problem } from "../core/errors.ts";
import { isToolpostError } from "../core/errors.ts";
import type { AnyTool } from "../core/tool.ts";
import { isRecord } from "../std/is-record.ts";
import { isStandardSchema } from "./compile-schema.ts";
import { anatomyOf } from "./define-tool.ts";
import { dtoClassName, isDtoClass } from "./dto-class.ts";
import { kindOf, unusableSchema } from "./json-schema/kinds.ts";
import { toObjectSchema } from "./tool-input.ts";
import { checkJsonSchema } from "./validate-json-schema.ts";

/** @param about the tool's name and place, with which messages begin */
export function schemaProblems(tool: object, about: string): Problem[] {
  const given = tool as AnyTool;
  const anatomy = anatomyOf(tool);
  return [
    ...attempt(`${about}: input`, () => {
      if (anatomy !== undefined) {
        refuseInstance(anatomy.input);
        refuseShape(anatomy.input);
      }
      const { inputSchema } = given;
      toObjectSchema(inputSchema);
      checkRaw(anatomy === undefined ? given.validateInput === undefined && inputSchema : anatomy.input);
    }),
    ...attempt(`${about}: output`, () => {
      refuseInstance(anatomy?.output);
      const { outputSchema } = given;
      if (outputSchema === undefined) return;
      if (!isRecord(outputSchema)) throw unusableSchema("#", `an object, got ${kindOf(outputSchema)}`);
      checkRaw(anatomy === undefined ? given.validateOutput === undefined && outputSchema : anatomy.output);
    }),
  ];
}

/** A schema that Toolpost itself validates with; those of libraries and tools with validators of their own do not matter. */
function checkRaw(schema: unknown): void {
  if (isRecord(schema) && !isStandardSchema(schema)) checkJsonSchema(schema);
}

/** An instance reads as JSON Schema that says nothing. */
function refuseInstance(schema: unknown): void {
  const type = isRecord(schema) ? dtoClassName(schema.constructor) : undefined;
  if (type !== undefined) throw new Error(`it is an instance of the class \`${type}\`: give the class itself`);
}

/** An object of schemas is a shape, as some libraries take it; here it would read as JSON Schema that says nothing. */
function refuseShape(input: unknown): void {
  if (input === undefined) throw new Error("`input` is missing: give a schema, for example z.object({ … })");
  if (!isRecord(input) || isStandardSchema(input)) return;
  const parts = Object.values(input);
  if (parts.length > 0 && parts.every((part) => isStandardSchema(part) || isDtoClass(part)))
    throw new Error("it is an object of schemas: wrap it, z.object({ … })");
}

function attempt(about: string, check: () => void): Problem[] {
  try {
    check();
    return [];
  } catch (error) {
    const message = isToolpostError(error) || error instanceof Error ? error.message : String(error);
    return [{ code: "tool.schema-unusable", message: `${about}: ${message}` }];
  }
}
