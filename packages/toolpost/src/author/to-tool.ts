// Brings a tool into the one form the pipeline calls: with `validateInput`, and `validateOutput` where it has a schema.
// It must not change the tool it is given, nor judge it: `checkTool` does.

import { deriveTool } from "../core/derive-tool.ts";
import type { JsonSchema, Validate } from "../core/schema.ts";
import type { AnyTool } from "../core/tool.ts";
import { compileSchema } from "./compile-schema.ts";
import { lazyValidate } from "./lazy-validate.ts";
import { objectValidator, toObjectSchema } from "./tool-input.ts";

/** A tool that can validate its own input. */
export type ReadyTool = AnyTool & { readonly validateInput: Validate };

/**
 * The tool itself where it validates (as those of `defineTool` do), else one that stands for it; the same one each
 * time. Schemas are compiled at the first call. Reading the `inputSchema` of one that stands for another throws
 * `ToolpostError` (`tool.schema-unusable`) where it is no object's.
 */
export function toTool(tool: AnyTool): ReadyTool {
  if (isReady(tool)) return tool;
  const kept = ready.get(tool);
  if (kept !== undefined) return kept;
  const made = deriveTool(tool, validators(tool)) as ReadyTool;
  ready.set(tool, made);
  return made;
}

const ready: WeakMap<AnyTool, ReadyTool> = new WeakMap();

/** What the tool lacks; validators it has stay its own. */
function validators(tool: AnyTool): Partial<ReadyTool> {
  let inputSchema: JsonSchema | undefined;
  const makeInput = (): Validate => objectValidator(compileSchema(tool.inputSchema, "input"));
  const makeOutput = (): Validate => compileSchema(tool.outputSchema!, "output").validate;
  const lacksOutput = tool.validateOutput === undefined && hasOutputSchema(tool);
  return {
    get inputSchema(): JsonSchema {
      inputSchema ??= toObjectSchema(tool.inputSchema);
      return inputSchema;
    },
    ...(tool.validateInput === undefined && { validateInput: lazyValidate(makeInput) }),
    ...(lacksOutput && { validateOutput: lazyValidate(makeOutput) }),
  };
}

function isReady(tool: AnyTool): tool is ReadyTool {
  return tool.validateInput !== undefined && (tool.validateOutput !== undefined || !hasOutputSchema(tool));
}

/** A schema that cannot be read counts: what cannot be checked is refused. */
function hasOutputSchema(tool: AnyTool): boolean {
  try {
    return tool.outputSchema !== undefined;
  } catch {
    return true;
  }
}
