// What an approval stands for: this definition of this tool, this input, this caller.
// Compared between asking and acting, so that nobody's yes is used for something they were not shown.

import type { AnyTool } from "../core/tool.ts";
import { sha256Hex } from "../std/id.ts";
import { canonicalJson } from "../std/json.ts";

export interface Binding {
  readonly tool: Pick<AnyTool, "name" | "description" | "inputSchema" | "source">;
  /** As the person was shown it. */
  readonly input: unknown;
  readonly userId: string | undefined;
}

/**
 * A hash, 64 hex digits, that differs as soon as the tool's name, description, input schema or source, the input or
 * the caller does. The order of keys plays no part.
 * @throws RangeError when the input is too large to be told apart: then nothing is approved
 */
export function bindingOf({ tool, input, userId }: Binding): string {
  const { name, description, inputSchema, source } = tool;
  return sha256Hex(canonicalJson([name, description, inputSchema, source, input, userId ?? null]));
}
