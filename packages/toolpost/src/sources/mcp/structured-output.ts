// The structured content of a result held against the schema its server declared: code may rely on what passed.
// The pipeline validates bare values only; this one travels beside the content, as the output's `data`.
// Source: MCP specification 2025-11-25, server/tools (output schema).

import { compileSchema } from "../../author/compile-schema.ts";
import { InvalidOutputError } from "../../core/errors.ts";
import type { ToolOutput } from "../../core/result.ts";
import type { JsonSchema } from "../../core/schema.ts";

/**
 * The output as it is, where it is an error or there is no schema.
 * @throws InvalidOutputError when the structured content is missing or does not fit
 */
export async function checkStructured(output: ToolOutput, schema: JsonSchema | undefined): Promise<ToolOutput> {
  if (schema === undefined || output.isError === true) return output;
  if (output.data === undefined) {
    throw new InvalidOutputError([{ path: "", message: "the structured content that the tool declares is missing" }]);
  }
  const validation = await compileSchema(schema, "output").validate(output.data);
  if (!validation.ok) throw new InvalidOutputError(validation.issues, { cause: validation.cause });
  return output;
}
