// Whether the schemas of a tool can be used: converted, an object at the root, every part of a raw one understood.
// It must report what goes wrong and never throw: one unusable schema must not hide the problems of the others.

import type { Problem } from "../core/errors.ts";
import { isToolpostError } from "../core/errors.ts";
import type { AnyTool } from "../core/tool.ts";
import { isStandardSchema } from "./compile-schema.ts";
import { anatomyOf } from "./define-tool.ts";
import { isRecord, kindOf, unusableSchema } from "./json-schema/kinds.ts";
import { toObjectSchema } from "./tool-input.ts";
import { checkJsonSchema } from "./validate-json-schema.ts";

/** @param about the tool's name and place, with which messages begin */
export function schemaProblems(tool: object, about: string): Problem[] {
  const given = tool as AnyTool;
  const anatomy = anatomyOf(tool);
  return [
    ...attempt(`${about}: input`, () => {
      const { inputSchema } = given;
      toObjectSchema(inputSchema);
      checkRaw(anatomy === undefined ? given.validateInput === undefined && inputSchema : anatomy.input);
    }),
    ...attempt(`${about}: output`, () => {
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

function attempt(about: string, check: () => void): Problem[] {
  try {
    check();
    return [];
  } catch (error) {
    const message = isToolpostError(error) || error instanceof Error ? error.message : String(error);
    return [{ code: "tool.schema-unusable", message: `${about}: ${message}` }];
  }
}
