// The way down: our prompt, which is v4's but for URLs as text, in the form a model's specification asks for.
// A message is looked at once per prompt array, so a run that appends to one array pays for each message once,
// however many turns it takes. What needs no change goes through as it is, the array included.
// Source: LanguageModelV2Prompt, V3Prompt and V4Prompt of @ai-sdk/provider 2, 3 and 4.

import type { FilePart, Message, ToolResultOutput } from "../core/message.ts";
import type { LanguageModel } from "../core/model.ts";
import { ModelError } from "../core/run-errors.ts";

type Version = LanguageModel["specificationVersion"];

/** The prompt for one model. Throws ModelError `model.unsupported` for a file URL that is not an absolute URL. */
export type ToWirePrompt = (prompt: readonly Message[]) => readonly unknown[];

/** Makes the mapping for one specification. It remembers what it mapped for as long as its input lives. */
export function toWirePrompt(version: Version): ToWirePrompt {
  const views = new WeakMap<readonly Message[], PromptView>();
  const changed = new WeakMap<Message, unknown>();
  const mapOnce = (message: Message): unknown => {
    const known = changed.get(message);
    if (known !== undefined) return known;
    const mapped = toWireMessage(message, version);
    if (mapped !== message) changed.set(message, mapped);
    return mapped;
  };
  return (prompt) => {
    let view = views.get(prompt);
    if (view === undefined || !isStart(view, prompt))
      views.set(prompt, (view = { seen: 0, last: undefined, mapped: undefined }));
    return extend(view, prompt, mapOnce);
  };
}

/** What is known of a prompt's first `seen` messages. `mapped` stays undefined while none of them needed a change. */
interface PromptView {
  seen: number;
  last: Message | undefined;
  mapped: unknown[] | undefined;
}

/** Whether the prompt was only appended to. */
function isStart(view: PromptView, prompt: readonly Message[]): boolean {
  return view.seen <= prompt.length && prompt[view.seen - 1] === view.last;
}

function extend(view: PromptView, prompt: readonly Message[], map: (message: Message) => unknown): readonly unknown[] {
  for (; view.seen < prompt.length; view.seen++) {
    const message = prompt[view.seen]!;
    const mapped = map(message);
    if (mapped !== message) view.mapped ??= prompt.slice(0, view.seen);
    view.mapped?.push(mapped);
    view.last = message;
  }
  return view.mapped ?? prompt;
}

/** The same object where the version takes it as it is. */
function toWireMessage(message: Message, version: Version): unknown {
  if (message.role === "system" || !message.content.some(holdsFile)) return message;
  const content = message.content.map((part) => {
    if (part.type === "file") return toWireFile(part, version);
    if (part.type !== "tool-result" || part.output.type !== "content") return part;
    return { ...part, output: toWireOutput(part.output, version) };
  });
  return content.every((part, index) => part === message.content[index]) ? message : { ...message, content };
}

function holdsFile(part: Exclude<Message["content"], string>[number]): boolean {
  return part.type === "file" || (part.type === "tool-result" && part.output.type === "content");
}

function toWireFile(part: FilePart, version: Version): unknown {
  if (part.data.type === "data") return version === "v4" ? part : { ...part, data: part.data.data };
  const url = toUrl(part.data.url);
  // A provider that must have the text exactly finds it here; parsing may have changed it.
  const original = url.href === part.data.url ? {} : { originalUrl: part.data.url };
  if (version === "v4") return { ...part, data: { type: "url", url, ...original } };
  return { ...part, data: url, ...original };
}

function toWireOutput(output: ToolResultOutput & { type: "content" }, version: Version): unknown {
  const toPart = version === "v4" ? toV4OutputPart : version === "v3" ? toV3OutputPart : toV2OutputPart;
  return { ...output, value: output.value.map((part) => (part.type === "file" ? toPart(part) : part)) };
}

function toV4OutputPart(part: FilePart): unknown {
  return toWireFile(part, "v4");
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
