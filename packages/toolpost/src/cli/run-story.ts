// What happened in a run, in order and in words, read from its journal and the record of its approvals.
// It knows how runs of agents name what they journal, and leaves out what it does not know: a journal may be of a newer
// version. Its texts are as models, tools and people wrote them; whoever prints them makes them visible.

import { callsOf } from "../agent/messages.ts";
import type { ApprovalRecord, RunInspection } from "../app/app-runs.ts";
import type { ModelReply, ReplyToolCall } from "../core/model.ts";
import type { ToolResult } from "../core/result.ts";
import type { Failure, JournalEntry } from "../core/run.ts";
import { formatDuration, formatInteger } from "../std/format.ts";
import type { Json } from "../std/json.ts";
import { encodeJson } from "../std/json.ts";
import { cutUtf8 } from "../std/text.ts";
import { answerText, outcomeText } from "./shown-approval.ts";

export interface Happening {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
}

export function storyOf(run: RunInspection): Happening[] {
  const story = new Story(run);
  story.tell(run.createdAt, `started by: ${shortened(messageText(run.input))}`);
  for (const entry of run.journal) story.take(entry);
  story.end();
  if (run.endedAt !== undefined) story.tell(run.endedAt, endText(run));
  return story.happenings;
}

/** `done`, `failed [model.failed]: …`, `cancelled: …`. */
export function endText({ state, error }: Pick<RunInspection, "state" | "error">): string {
  if (error === undefined) return state;
  if (state !== "cancelled") return `${state}${failureText(error)}`;
  return error.message.startsWith("cancelled by ") ? error.message : `cancelled: ${error.message}`;
}

/** What a run was started with, as far as it is text. */
export function messageText(input: Json): string {
  const message = (input as { readonly message?: unknown } | null)?.message;
  if (typeof message === "string") return message;
  if (!Array.isArray(message)) return encodeJson(message ?? null);
  return message
    .map((part: { readonly type?: unknown; readonly text?: unknown }) =>
      typeof part.text === "string" ? part.text : `[${String(part.type)}]`,
    )
    .join(" ");
}

class Story {
  readonly happenings: Happening[] = [];
  readonly #run: RunInspection;
  readonly #approvals: ReadonlyMap<string, ApprovalRecord>;
  /** Of this run, and told of neither as asked nor as answered. */
  readonly #unasked: Set<ApprovalRecord>;
  readonly #unanswered = new Set<ApprovalRecord>();
  /** By the key of their branch: what is called, with what. */
  readonly #calls = new Map<string, string>();
  /** By the key of the pause. */
  readonly #pauses = new Map<string, ApprovalRecord>();
  /** Acts that were begun, by their key. */
  readonly #begun = new Map<string, JournalEntry>();

  constructor(run: RunInspection) {
    this.#run = run;
    const own = run.approvals.filter(({ runId }) => runId === run.runId);
    this.#approvals = new Map(own.map((record) => [record.pauseId, record]));
    this.#unasked = new Set(own);
  }

  tell(at: number, text: string): void {
    this.happenings.push({ at, text });
  }

  take(entry: JournalEntry): void {
    const { key, kind, at } = entry;
    if (/^model:\d+$/.test(key)) return this.#replied(entry);
    const [, branch = "", word = ""] = /^(call:\d+:\d+)\/(.+)$/.exec(key) ?? [];
    if (branch === "") return;
    if (kind === "pause") return this.#answered(key, at);
    if (kind === "child") return this.tell(at, `${this.#nameOf(branch)}: the run \`${this.#run.runId}/${key}\` ended`);
    if (word === "decide" || /^recheck\d*$/.test(word)) return this.#decided(branch, entry);
    if (/^act\d*:intent$/.test(word)) return void this.#begun.set(key.replace(/:intent$/, ""), entry);
    if (/^(?:act\d*|start)$/.test(word)) return this.#acted(branch, entry);
    if (word.endsWith(":ask")) return this.#asked(branch, entry);
    if (word.endsWith(":send")) return this.#sent(branch, entry);
  }

  /** What no journal holds yet: answers that nobody has taken up, acts whose outcome nobody has seen. */
  end(): void {
    for (const [key, { at }] of this.#begun)
      this.tell(at, `${this.#nameOf(key.slice(0, key.indexOf("/")))}: begun, and no outcome is known`);
    for (const record of this.#unasked) this.#tellAsked(record, record.askedAt);
    for (const record of this.#unanswered) {
      if (record.state !== "waiting") this.#tellAnswered(record, record.answeredAt ?? record.askedAt);
    }
  }

  #replied({ key, at, value }: JournalEntry): void {
    const step = value as unknown as StepValue | null;
    for (const [position, { toolName }] of callsIn(step).entries())
      this.#calls.set(`${key.replace("model", "call")}:${position}`, toolName);
    this.tell(at, modelText(step));
  }

  #decided(branch: string, { at, value }: JournalEntry): void {
    const decided = (value as unknown as StepValue | null)?.value as Decided | undefined;
    if (decided === undefined || decided === null || typeof decided !== "object") return;
    const { tool, kind, status, errorCode, text = "" } = decided;
    const input = decided.wire ?? decided.input;
    const written = typeof input === "string" ? input : encodeJson(input ?? null);
    const name = tool ?? this.#nameOf(branch);
    this.#calls.set(branch, input === undefined ? name : `${name} ${shortened(written)}`);
    if (kind === "refused") this.tell(at, `${this.#nameOf(branch)}: ${status} (${errorCode}): ${text}`);
  }

  #acted(branch: string, { key, at, value }: JournalEntry): void {
    this.#begun.delete(key);
    const step = value as unknown as StepValue | null;
    if (step?.ok === false) return this.tell(at, `${this.#nameOf(branch)}: failed${failureText(step.error)}`);
    const end = (step?.value as { readonly end?: Ended } | undefined)?.end;
    if (end?.interrupted === true)
      this.tell(at, `${this.#nameOf(branch)}: a process ended while it was at work; what came of it is unknown`);
    else if (end?.status !== undefined) this.tell(at, `${this.#nameOf(branch)}: ${resultText(end as ToolResult)}`);
  }

  #asked(branch: string, { key, at, value }: JournalEntry): void {
    const asked = (value as unknown as StepValue | null)?.value as Asked | undefined;
    if (asked?.isGone === true) return;
    const record = this.#approvals.get(asked?.pauseId ?? "");
    // Of a moment ago: the pause comes next.
    if (record === undefined) return this.tell(at, `${this.#nameOf(branch)}: a person is to be asked`);
    this.#pauses.set(key.replace(/:ask$/, ""), record);
    this.#tellAsked(record, at, this.#nameOf(branch));
  }

  #sent(branch: string, { at, value }: JournalEntry): void {
    const step = value as unknown as StepValue | null;
    const { type, answer } = (step?.value ?? {}) as { readonly type?: string; readonly answer?: Json };
    if (step?.ok === false) this.tell(at, `${this.#nameOf(branch)}: its channel failed${failureText(step.error)}`);
    else if (type === "decided")
      this.tell(at, `${this.#nameOf(branch)}: its channel answered at once: ${answerText(answer, "")}`);
  }

  #answered(key: string, at: number): void {
    const record = this.#pauses.get(key);
    if (record !== undefined) this.#tellAnswered(record, record.answeredAt ?? at);
  }

  #tellAsked(record: ApprovalRecord, at: number, call = record.value.tool): void {
    this.#unasked.delete(record);
    this.#unanswered.add(record);
    const { value, pauseId } = record;
    const what = value.kind === "approval" ? "waits for approval" : `asks: ${value.question}`;
    this.tell(at, `${call}: ${what} (${pauseId})`);
  }

  #tellAnswered(record: ApprovalRecord, at: number): void {
    this.#unanswered.delete(record);
    this.tell(at, `${record.value.tool}: ${outcomeText(record)}`);
  }

  #nameOf(branch: string): string {
    return this.#calls.get(branch) ?? "a call";
  }
}

/** What the journal holds of a step. */
type StepValue =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly error: Failure; readonly value?: undefined };

interface Decided {
  readonly kind?: string;
  readonly tool?: string | null;
  readonly wire?: Json;
  readonly input?: Json;
  readonly status?: string;
  readonly errorCode?: string;
  readonly text?: string;
}

interface Asked {
  readonly pauseId?: string;
  /** Nobody was asked: the tool was not there any more. */
  readonly isGone?: boolean;
}

type Ended = Partial<ToolResult> & { readonly interrupted?: boolean };

function modelText(step: StepValue | null): string {
  if (step?.ok === false) return `the model failed${failureText(step.error)}`;
  const text = contentOf(step)
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("");
  const calls = callsIn(step).map(({ toolName }) => toolName);
  const said = text === "" ? [] : [`says: ${shortened(text)}`];
  const called = calls.length === 0 ? [] : [`calls ${calls.join(", ")}`];
  return `the model ${[...called, ...said].join(" and ") || "says nothing"}`;
}

function callsIn(step: StepValue | null): readonly ReplyToolCall[] {
  return callsOf({ content: contentOf(step) } as ModelReply);
}

function contentOf(step: StepValue | null): ModelReply["content"] {
  const { content = [] } = (step?.value ?? {}) as Partial<ModelReply>;
  return content;
}

function resultText({ status, errorCode, durationMs, size, text }: ToolResult): string {
  const ending = errorCode === undefined ? status : `${status} (${errorCode})`;
  const said = status === "ok" ? `, ${formatInteger(size.total)} bytes` : `: ${text}`;
  return `${ending}, ${formatDuration(durationMs)}${said}`;
}

/** The story is to be read at a glance; all of it is in the journal. */
function shortened(text: string): string {
  const cut = cutUtf8(text, 300);
  return cut.text === text ? text : `${cut.text}…`;
}

function failureText({ code, message }: Failure): string {
  return `${code === undefined ? "" : ` [${code}]`}: ${message}`;
}
