// A request as a scripted model got it: kept for assertions, and what a script reacts to.
// The loop appends to one prompt array over a run, so a record keeps the array and its length at that time;
// copying it at each turn would make long scripts quadratic.

import type { Message, ToolResultPart } from "../core/message.ts";
import type { Thinking, ToolChoice, WireTool } from "../core/model.ts";

/** The AI SDK v4 call options that a scripted model reads. Messages and tools are open, as others than the loop call it. */
export interface ScriptedCallOptions {
  readonly prompt: readonly unknown[];
  readonly tools?: readonly unknown[];
  readonly toolChoice?: ToolChoice;
  readonly reasoning?: Thinking | "provider-default";
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly providerOptions?: Readonly<Record<string, object>>;
  readonly abortSignal?: AbortSignal;
}

/** The result of a tool as the model reads it. */
export interface ScriptedResult {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Its text; JSON for a `json` output, the texts of a `content` output joined by line feeds. */
  readonly text: string;
  readonly isError: boolean;
}

/** What a request must be like. A string must be contained in the text, a RegExp must match it. */
export interface ScriptedMatch {
  readonly lastUser?: string | RegExp;
  /** Text of the last result. */
  readonly lastResult?: string | RegExp;
  readonly system?: string | RegExp;
  /** The names of all tools offered, in any order. */
  readonly tools?: readonly string[];
}

export class ScriptedRequest {
  /** Place among the model's requests, from 0. */
  readonly index: number;
  readonly isStreamed: boolean;
  /** As they were passed in; its `prompt` goes on growing. */
  readonly options: ScriptedCallOptions;
  readonly #length: number;
  #prompt: readonly Message[] | undefined = undefined;

  constructor(index: number, isStreamed: boolean, options: ScriptedCallOptions) {
    this.index = index;
    this.isStreamed = isStreamed;
    this.options = options;
    this.#length = options.prompt.length;
  }

  /** The messages of this request, without those that were appended later. */
  get prompt(): readonly Message[] {
    return (this.#prompt ??= this.options.prompt.slice(0, this.#length) as Message[]);
  }

  get tools(): readonly WireTool[] {
    return (this.options.tools ?? []) as readonly WireTool[];
  }

  get toolNames(): readonly string[] {
    return this.tools.map((tool) => tool.name);
  }

  get toolChoice(): ToolChoice | undefined {
    return this.options.toolChoice;
  }

  get lastMessage(): Message | undefined {
    return this.#at(this.#length - 1);
  }

  /** The system messages, joined by an empty line; empty without one. */
  get system(): string {
    const texts = this.prompt.flatMap((message) => (message.role === "system" ? [message.content] : []));
    return texts.join("\n\n");
  }

  /** Text of the last user message, empty without one. */
  get lastUser(): string {
    for (let index = this.#length - 1; index >= 0; index--) {
      const message = this.#at(index)!;
      if (message.role === "user") return messageText(message);
    }
    return "";
  }

  /** The results since the model last spoke, in order; empty when the prompt does not end in results. */
  get lastResults(): readonly ScriptedResult[] {
    let start = this.#length;
    while (start > 0 && this.#at(start - 1)!.role === "tool") start--;
    const results: ScriptedResult[] = [];
    for (let index = start; index < this.#length; index++) {
      const message = this.#at(index)!;
      if (message.role !== "tool") continue;
      // A provider's history may hold other parts there, such as approvals.
      for (const part of message.content) if (part.type === "tool-result") results.push(toResult(part));
    }
    return results;
  }

  /** Text of the last of `lastResults`, empty without one. */
  get lastResult(): string {
    return this.lastResults.at(-1)?.text ?? "";
  }

  #at(index: number): Message | undefined {
    return this.options.prompt[index] as Message | undefined;
  }
}

/** What of the request is not as wanted, one sentence; `undefined` when it fits. */
export function mismatch(request: ScriptedRequest, match: ScriptedMatch): string | undefined {
  for (const name of ["lastUser", "lastResult", "system"] as const) {
    const wanted = match[name];
    if (wanted === undefined || fits(request[name], wanted)) continue;
    const verb = typeof wanted === "string" ? "contain" : "match";
    return `\`${name}\` should ${verb} ${typeof wanted === "string" ? JSON.stringify(wanted) : String(wanted)} and is ${quote(request[name])}`;
  }
  if (match.tools === undefined) return undefined;
  const wanted = match.tools.toSorted().join(", ");
  const offered = request.toolNames.toSorted().join(", ");
  return wanted === offered ? undefined : `\`tools\` should be [${wanted}] and are [${offered}]`;
}

/** The message in one short line, for errors. */
export function describeMessage(message: Message | undefined): string {
  return message === undefined ? "nothing: the prompt is empty" : `${message.role}: ${quote(messageText(message))}`;
}

function messageText(message: Message): string {
  if (message.role === "system") return message.content;
  return message.content
    .map((part) => {
      if (part.type === "tool-result") return toResult(part).text;
      if (part.type === "tool-call") return `${part.toolName}(${JSON.stringify(part.input)})`;
      return "text" in part ? part.text : `[${part.type}]`;
    })
    .join("\n");
}

function toResult({ toolCallId, toolName, output }: ToolResultPart): ScriptedResult {
  const isError = output.type === "error-text" || output.type === "error-json";
  return { toolCallId, toolName, text: outputText(output), isError };
}

function outputText(output: ToolResultPart["output"]): string {
  if (output.type === "text" || output.type === "error-text") return output.value;
  if (output.type !== "content") return JSON.stringify(output.value);
  return output.value.map((part) => (part.type === "text" ? part.text : `[file ${part.mediaType}]`)).join("\n");
}

function fits(text: string, wanted: string | RegExp): boolean {
  // `search` leaves `lastIndex` alone, which `test` of a /g or /y expression does not.
  return typeof wanted === "string" ? text.includes(wanted) : text.search(wanted) !== -1;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
