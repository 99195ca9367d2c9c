// Calls that a provider executed itself, and their results, on the way back to APIs or packages that have no place for them
// in a history: sent as calls, they would be calls without a result, which are refused. Their text says what happened.

import type { AssistantPart, TextPart, ToolCallPart, ToolResultPart } from "../core/message.ts";
import type { LanguageModel } from "../core/model.ts";
import type { WireKind } from "./wire-kind.ts";

export interface OwnCallTarget {
  readonly version: LanguageModel["specificationVersion"];
  readonly wire: WireKind;
  readonly onLoss: (loss: string) => void;
}

/** The part of an assistant's message as text; `undefined` for one that goes as it is. */
export function ownCallAsText(part: AssistantPart, target: OwnCallTarget): TextPart | undefined {
  if (part.type !== "tool-result" && (part.type !== "tool-call" || part.providerExecuted !== true)) return undefined;
  if (hasPlace(part, target)) return undefined;
  const { toolName } = part;
  if (part.type === "tool-result")
    return { type: "text", text: `[\`${toolName}\` gave ${written(part.output.value)}]` };
  target.onLoss(
    `a call of \`${toolName}\` that the provider executed itself was sent as text: it has no other place there`,
  );
  return { type: "text", text: `[called \`${toolName}\` with ${written(part.input)}]` };
}

function written(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function hasPlace(part: ToolCallPart | ToolResultPart, { version, wire }: OwnCallTarget): boolean {
  if (wire !== "gemini") return wire !== "chat";
  return isServerTool(part) || (version === "v4" && part.toolName === "code_execution");
}

/** Gemini's newer server tools, which its packages from v3 send back. */
function isServerTool({ providerOptions }: ToolCallPart | ToolResultPart): boolean {
  return Object.values(providerOptions ?? {}).some((data) => data.serverToolCallId !== undefined);
}
