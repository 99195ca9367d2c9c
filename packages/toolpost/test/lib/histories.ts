// Histories for tests: short ways to write one down, any at all for properties, and what is wrong with one.
import fc from "fast-check";
import type { AssistantPart, Message, ToolCallPart, ToolResultPart } from "../../src/core/message.ts";

type Role<Name extends Message["role"]> = Extract<Message, { role: Name }>;

export function said(text: string): Role<"user"> {
  return { role: "user", content: [{ type: "text", text }] };
}

export function spoke(text: string): Role<"assistant"> {
  return { role: "assistant", content: [{ type: "text", text }] };
}

export function called(...ids: readonly string[]): { role: "assistant"; content: readonly ToolCallPart[] } {
  return {
    role: "assistant",
    content: ids.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "look", input: { id: toolCallId } })),
  };
}

export function resulted(...ids: readonly string[]): { role: "tool"; content: readonly ToolResultPart[] } {
  return { role: "tool", content: ids.map((id) => resultPart(id)) };
}

function resultPart(toolCallId: string): ToolResultPart {
  return { type: "tool-result", toolCallId, toolName: "look", output: { type: "text", value: `of ${toolCallId}` } };
}

/** The result of a call that has none. */
export function unknown(toolCallId: string): ToolResultPart {
  const value = "Tool error: the outcome is unknown: the call may have had its effect";
  return { type: "tool-result", toolCallId, toolName: "look", output: { type: "error-text", value } };
}

const id = fc.constantFrom("a", "b", "c", "d");
const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  id.map((text): AssistantPart => ({ type: "text", text })),
  id.map((text): AssistantPart => ({ type: "reasoning", text })),
  fc.tuple(id, fc.boolean()).map(([call, isTheirs]) => ({
    ...called(call).content[0]!,
    ...(isTheirs ? { providerExecuted: true } : {}),
  })),
  id.map(resultPart),
);

/** Nothing holds in it: calls and results stand wherever they like, ids come again. */
export const anyHistory: fc.Arbitrary<readonly Message[]> = fc.array(
  fc.oneof(
    id.map(said),
    fc.constant<Message>({ role: "system", content: "Be brief" }),
    fc.array(assistantPart, { maxLength: 4 }).map((content): Message => ({ role: "assistant", content })),
    fc.array(id.map(resultPart), { maxLength: 3 }).map((content): Message => ({ role: "tool", content })),
    fc.uniqueArray(id, { minLength: 1, maxLength: 3 }).map((ids) => called(...ids)),
    fc.uniqueArray(id, { minLength: 1, maxLength: 3 }).map((ids) => resulted(...ids)),
  ),
  { maxLength: 14 },
);

/** What a provider could refuse the exchanges of a prompt for. */
export function exchangeFaults(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  let theirs: string[] = [];
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1];
    if (message.role !== "system" && message.content.length === 0) faults.push(`${index}: is empty`);
    if (message.role === "tool" && ownCalls(before).length === 0) faults.push(`${index}: results of no call`);
    if (message.role === "user") theirs = without(theirs, faults, index);
    if (message.role !== "assistant") continue;
    for (const part of message.content) {
      if (part.type === "tool-call" && part.providerExecuted === true) theirs.push(part.toolCallId);
      if (part.type !== "tool-result") continue;
      if (!theirs.includes(part.toolCallId)) faults.push(`${index}: a result of the provider's without its call`);
      theirs.splice(theirs.lastIndexOf(part.toolCallId), 1);
    }
    const calls = ownCalls(message);
    const after = messages[index + 1];
    const results = after?.role === "tool" ? after.content.map(({ toolCallId }) => toolCallId) : [];
    if (calls.join() !== results.join()) faults.push(`${index}: calls ${calls.join()}, and results ${results.join()}`);
  }
  without(theirs, faults, messages.length);
  return faults;
}

function without(theirs: readonly string[], faults: string[], index: number): string[] {
  for (const call of theirs) faults.push(`${index}: the provider's call ${call} has no result before`);
  return [];
}

function ownCalls(message: Message | undefined): string[] {
  if (message?.role !== "assistant") return [];
  return message.content.flatMap((part) =>
    part.type === "tool-call" && part.providerExecuted !== true ? [part.toolCallId] : [],
  );
}
