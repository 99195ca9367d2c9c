// Calls that a provider executed itself, and their results, on the way back to APIs or packages that have no place for them
// in a history: sent as calls, they would be calls without a result, which are refused. Their text says what happened.

import type { AssistantPart, TextPart } from "../core/message.ts";
import type { LanguageModel } from "../core/model.ts";
import type { WireKind } from "./wire-kind.ts";

export interface OwnCallTarget {
  readonly version: LanguageModel["specificationVersion"];
  readonly wire: WireKind;
  readonly onLoss: (loss: string) => void;
}

/** The part of an assistant's message as text; `undefined` for one that goes as it is. */
export function ownCallAsText(part: AssistantPart, { version, wire, onLoss }: OwnCallTarget): TextPart | undefined {
  if (wire !== "chat" && (wire !== "gemini" || version === "v4")) return undefined;
  if (part.type === "tool-result") {
    if (isServerTool(part)) return undefined;
    const { output } = part;
    const value = typeof output.value === "string" ? output.value : JSON.stringify(output.value);
    return { type: "text", text: `[\`${part.toolName}\` gave ${value}]` };
  }
  if (part.type !== "tool-call" || part.providerExecuted !== true || isServerTool(part)) return undefined;
  onLoss(
    `a call of \`${part.toolName}\` that the provider executed itself was sent as text: it has no other place there`,
  );
  return { type: "text", text: `[called \`${part.toolName}\` with ${JSON.stringify(part.input)}]` };
}

/** Gemini's newer server tools, which its package of v3 sends back. */
function isServerTool({ providerOptions }: AssistantPart): boolean {
  return Object.values(providerOptions ?? {}).some((data) => data.serverToolCallId !== undefined);
}
