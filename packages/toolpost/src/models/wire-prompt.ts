// The way down: our prompt, which is v4's but for URLs as text, in the form a model's specification asks for.
// With a view kept over the requests of a run, which appends to one array, each message is looked at once, however many
// turns the run takes. What needs no change goes through as it is, the array included.
// Source: LanguageModelV2Prompt, V3Prompt and V4Prompt of @ai-sdk/provider 2, 3 and 4.

import type { AssistantPart, FilePart, Message, TextPart, ToolCallPart, ToolResultPart } from "../core/message.ts";
import type { LanguageModel } from "../core/model.ts";
import { ModelError } from "../core/run-errors.ts";
import { ownCallAsText } from "./own-calls.ts";
import type { ResultContent } from "./result-files.ts";
import { fitContent } from "./result-files.ts";
import type { ToWireId } from "./wire-ids.ts";
import type { WireKind } from "./wire-kind.ts";

/**
 * The prompt for one model. `view` is what is known of the same prompt from the request before; it is brought up to date.
 * Throws ModelError `model.unsupported` for a file URL that is not an absolute URL.
 */
export type ToWirePrompt = (prompt: readonly Message[], view?: PromptView) => readonly unknown[];

export interface PromptTarget {
  readonly version: LanguageModel["specificationVersion"];
  readonly wire: WireKind;
  readonly toWireId: ToWireId;
  /** Hears, once per message, of what cannot be sent as it is. */
  readonly onLoss: (loss: string) => void;
}

/** Makes the mapping for one model. It remembers changed messages for as long as they live. */
export function toWirePrompt(target: PromptTarget): ToWirePrompt {
  const changed = new WeakMap<Message, readonly unknown[]>();
  const mapOnce = (message: Message): readonly unknown[] | undefined => {
    const known = changed.get(message);
    if (known !== undefined) return known;
    const mapped = toWireMessages(message, target);
    if (mapped !== undefined) changed.set(message, mapped);
    return mapped;
  };
  return (prompt, view = newPromptView()) => {
    if (!isStart(view, prompt)) Object.assign(view, newPromptView());
    return extend(view, prompt, mapOnce);
  };
}

/** What is known of a prompt's first `seen` messages. `mapped` stays undefined while none of them needed a change. */
export interface PromptView {
  seen: number;
  last: Message | undefined;
  mapped: unknown[] | undefined;
}

export function newPromptView(): PromptView {
  return { seen: 0, last: undefined, mapped: undefined };
}

/** Whether the prompt was only appended to. */
function isStart(view: PromptView, prompt: readonly Message[]): boolean {
  return view.seen <= prompt.length && prompt[view.seen - 1] === view.last;
}

/** @param map gives `undefined` for a message that goes through as it is */
function extend(
  view: PromptView,
  prompt: readonly Message[],
  map: (message: Message) => readonly unknown[] | undefined,
): readonly unknown[] {
  for (; view.seen < prompt.length; view.seen++) {
    const message = prompt[view.seen]!;
    const mapped = map(message);
    if (mapped !== undefined) view.mapped ??= prompt.slice(0, view.seen);
    if (mapped === undefined) view.mapped?.push(message);
    else view.mapped?.push(...mapped);
    view.last = message;
  }
  return view.mapped ?? prompt;
}

/** `undefined` where the model takes the message as it is; files that cannot stand in results come in one of their own. */
function toWireMessages(message: Message, target: PromptTarget): readonly unknown[] | undefined {
  if (message.role === "system") return undefined;
  const { role, content } = message;
  const shown: unknown[] = [];
  let changed: unknown[] | undefined;
  for (let index = 0; index < content.length; index++) {
    const part = content[index]!;
    const wire = toWirePart(part, role, { target, shown });
    if (wire !== part) changed ??= content.slice(0, index);
    changed?.push(wire);
  }
  if (changed === undefined) return undefined;
  const mapped = { ...message, content: changed };
  return shown.length === 0 ? [mapped] : [mapped, { role: "user", content: shown }];
}

interface PartPlace {
  readonly target: PromptTarget;
  /** Takes what has to be shown after the results. */
  readonly shown: unknown[];
}

type Part = Exclude<Message, { role: "system" }>["content"][number];

function toWirePart(part: Part, role: Message["role"], place: PartPlace): unknown {
  const { target } = place;
  if (part.type === "file") return toWireFile(part, target.version);
  const told = role === "assistant" ? ownCallAsText(part as AssistantPart, target) : undefined;
  if (told !== undefined) return told;
  if (part.type === "tool-call") return withWireId(part, target);
  if (part.type !== "tool-result") return part;
  const result = withWireId(part, target);
  if (part.output.type === "content") return toWireResult(result, part.output.value, place);
  return part.output.type === "error-text" && isErrorWrapped(target) ? asText(result, part.output.value) : result;
}

function withWireId<Part extends ToolCallPart | ToolResultPart>(part: Part, { toWireId }: PromptTarget): Part {
  const toolCallId = toWireId(part.toolCallId);
  return toolCallId === part.toolCallId ? part : { ...part, toolCallId };
}

function toWireResult(result: ToolResultPart, value: ResultContent, { target, shown }: PartPlace): unknown {
  const { content, moved } = fitContent(value, target.wire, target.onLoss);
  for (const [index, file] of moved.entries()) {
    shown.push({
      type: "text",
      text: `File ${index + 1} of the result of \`${result.toolName}\` (${result.toolCallId}):`,
    });
    shown.push(toWireFile(file, target.version));
  }
  if (target.wire === "chat") return asText(result, content.map(textOf).join("\n"));
  return { ...result, output: { type: "content", value: content.map((part) => toOutputPart(part, target)) } };
}

/** OpenAI's APIs know no failed results; packages of v4 put the text into `{"error":…}`, and it says already what it is. */
function isErrorWrapped({ version, wire }: PromptTarget): boolean {
  return version === "v4" && (wire === "chat" || wire === "responses");
}

function asText(result: ToolResultPart, value: string): ToolResultPart {
  return { ...result, output: { type: "text", value } };
}

function textOf(part: TextPart | FilePart): string {
  return part.type === "text" ? part.text : "";
}

function toWireFile(part: FilePart, version: PromptTarget["version"]): unknown {
  if (part.data.type === "data") return version === "v4" ? part : { ...part, data: part.data.data };
  const url = toUrl(part.data.url);
  // A provider that must have the text exactly finds it here; parsing may have changed it.
  const original = url.href === part.data.url ? {} : { originalUrl: part.data.url };
  if (version === "v4") return { ...part, data: { type: "url", url, ...original } };
  return { ...part, data: url, ...original };
}

function toOutputPart(part: TextPart | FilePart, { version, onLoss }: PromptTarget): unknown {
  if (part.type === "text") return part;
  if (version === "v4") return toWireFile(part, "v4");
  if (version === "v3") return toV3OutputPart(part);
  if (part.data.type === "url")
    onLoss("a file in a tool result was sent as its address: specification v2 has no linked files there");
  return toV2OutputPart(part);
}

function toV3OutputPart({ mediaType, data, filename, providerOptions }: FilePart): unknown {
  const kind = mediaType.startsWith("image/") ? "image" : "file";
  const rest = providerOptions === undefined ? {} : { providerOptions };
  if (data.type === "url")
    return { type: `${kind}-url`, url: data.url, ...(kind === "file" && { mediaType }), ...rest };
  const name = kind === "file" && filename !== undefined ? { filename } : {};
  return { type: `${kind}-data`, data: data.data, mediaType, ...name, ...rest };
}

/** v2 has no URLs in a result; the model reads the address. */
function toV2OutputPart({ mediaType, data }: FilePart): unknown {
  return data.type === "url" ? { type: "text", text: data.url } : { type: "media", data: data.data, mediaType };
}

function toUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null) return url;
  throw new ModelError("model.unsupported", `a file has the URL \`${text.slice(0, 200)}\`, which is not absolute`, {
    hint: "Give the file an absolute URL, such as https://… or data:…, or its content as base64.",
  });
}
