// A history as every provider takes it: no call without its result, no result without its call. Threads may come from
// anywhere: cut at some message, written by a process that died, put together by other code.
// It must not change a message that needs no change, nor invent a result that is there somewhere.

import type { AssistantPart, Message, ToolCallPart, ToolResultPart } from "../core/message.ts";

/**
 * The same array where nothing is to be mended. Else:
 *
 * - A result without a call before it is left out: nothing says what it is the result of.
 * - A call without any result gets one that says so. Leaving it out would hide that it may have had its effect, and the
 *   model would make it again.
 * - The results of one message's calls stand in one tool message right after it, in the order of the calls; some APIs
 *   count them there. One that stood further on is moved.
 * - A call that the provider executed and has no result up to the next user message is left out, with the reasoning
 *   right before it, which may not stand without what it led to: only the provider could say what came of it.
 * - A message that holds nothing (any more) is left out.
 */
export function mendExchanges(messages: readonly Message[]): readonly Message[] {
  const pairs = pair(messages);
  const mended: Message[] = [];
  let isSame = true;
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]!;
    if (message.role === "tool") {
      isSame = false;
    } else if (message.role !== "assistant") {
      mended.push(message);
    } else {
      const kept = withoutStrays(message, index, pairs.strays);
      if (kept !== message) isSame = false;
      if (kept !== undefined) mended.push(kept);
      const open = pairs.slots.get(index);
      if (open === undefined) continue;
      const next = messages[index + 1];
      const isWhole = next?.role === "tool" && holds(next.content, open);
      mended.push(isWhole ? next : { role: "tool", content: open.map(resultOf) });
      if (isWhole) index++;
      else isSame = false;
    }
  }
  return isSame ? messages : mended;
}

/** A call of ours, and what came of it. */
interface Slot {
  readonly call: ToolCallPart;
  result: ToolResultPart | undefined;
}

interface Pairs {
  /** Of the assistant's message at an index, in the order of its calls. */
  readonly slots: ReadonlyMap<number, readonly Slot[]>;
  /** Places of calls and results of the provider's own tools that lack each other. */
  readonly strays: ReadonlySet<Place>;
}

/** Index of the message and of the part: one object may stand in a history twice. */
type Place = `${number}/${number}`;

function pair(messages: readonly Message[]): Pairs {
  const slots = new Map<number, Slot[]>();
  const strays = new Set<Place>();
  const ours = new Map<string, Slot[]>();
  const theirs = new Map<string, Place>();
  for (const [index, message] of messages.entries()) {
    // Theirs settle within the turn, or never: what is summarised or left out is whole turns.
    if (message.role === "user") theirs.clear();
    else if (message.role === "tool") for (const result of message.content) take(ours, result);
    else if (message.role === "assistant") {
      for (const [at, part] of message.content.entries()) {
        if (isTheirs(part)) pairTheirs(part, `${index}/${at}`, { theirs, strays });
      }
      const calls = message.content.filter(isOurCall);
      if (calls.length === 0) continue;
      const made = calls.map((call): Slot => ({ call, result: undefined }));
      slots.set(index, made);
      // An id that comes again means the later call from here on.
      for (const { call } of made) ours.delete(call.toolCallId);
      for (const slot of made) append(ours, slot);
    }
  }
  return { slots, strays };
}

function append(ours: Map<string, Slot[]>, slot: Slot): void {
  const waiting = ours.get(slot.call.toolCallId);
  if (waiting === undefined) ours.set(slot.call.toolCallId, [slot]);
  else waiting.push(slot);
}

function take(ours: Map<string, Slot[]>, result: ToolResultPart): void {
  const slot = ours.get(result.toolCallId)?.shift();
  if (slot !== undefined) slot.result = result;
}

/** A call is a stray until its result comes. */
function pairTheirs(
  part: ToolCallPart | ToolResultPart,
  place: Place,
  { theirs, strays }: { readonly theirs: Map<string, Place>; readonly strays: Set<Place> },
): void {
  const call = theirs.get(part.toolCallId);
  if (part.type === "tool-result" && call !== undefined) {
    theirs.delete(part.toolCallId);
    strays.delete(call);
    return;
  }
  strays.add(place);
  if (part.type === "tool-call") theirs.set(part.toolCallId, place);
}

type AssistantMessage = Extract<Message, { role: "assistant" }>;

/** `undefined` where nothing is left. */
function withoutStrays(
  message: AssistantMessage,
  index: number,
  strays: ReadonlySet<Place>,
): AssistantMessage | undefined {
  const { content } = message;
  const kept: AssistantPart[] = [];
  for (const [at, part] of content.entries()) {
    if (strays.size === 0 || !strays.has(`${index}/${at}`)) kept.push(part);
    else if (part.type === "tool-call") while (kept.at(-1)?.type === "reasoning") kept.pop();
  }
  if (kept.length === 0) return undefined;
  return kept.length === content.length ? message : { ...message, content: kept };
}

function holds(results: readonly ToolResultPart[], slots: readonly Slot[]): boolean {
  return results.length === slots.length && slots.every(({ result }, index) => result === results[index]);
}

function resultOf({ call: { toolCallId, toolName }, result }: Slot): ToolResultPart {
  return result ?? { type: "tool-result", toolCallId, toolName, output: { type: "error-text", value: unknownOutcome } };
}

/** As a call's own result says it whose process died under way. */
const unknownOutcome = "Tool error: the outcome is unknown: the call may have had its effect";

function isOurCall(part: AssistantPart): part is ToolCallPart {
  return part.type === "tool-call" && part.providerExecuted !== true;
}

function isTheirs(part: AssistantPart): part is ToolCallPart | ToolResultPart {
  return part.type === "tool-result" || (part.type === "tool-call" && part.providerExecuted === true);
}
