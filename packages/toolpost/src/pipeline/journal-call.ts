// What a journal holds of a governed call, and how a call is read from it: what was decided, and what the tool came to.
// A tool is held by its name and arguments as the model wrote them; functions and instances are found and made again.
// What an act did to its run besides its result (a started call, money, an end) is done again when it is read.

import { ToolError } from "../core/errors.ts";
import { errorFrom, failureOf } from "../core/failure.ts";
import type { NormalVerdict } from "../core/policy.ts";
import type { ToolResult, ToolResultStatus } from "../core/result.ts";
import type { Failure } from "../core/run.ts";
import type { AnyTool } from "../core/tool.ts";
import { abortText } from "../std/abort.ts";
import type { Json } from "../std/json.ts";
import { toJson } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import { fromStructured, toStructured } from "../std/structured.ts";
import type { Admission } from "./admit-call.ts";
import { readAgain } from "./admit-call.ts";
import { count } from "./call-context.ts";
import type { ActEnd } from "./ending.ts";
import { freezeJson } from "./freeze-json.ts";
import type { LiveCall } from "./live-call.ts";

interface WrittenAdmission {
  readonly kind: "refused" | "admitted";
  readonly tool: string | null;
  readonly status?: ToolResultStatus;
  readonly errorCode?: string;
  readonly text?: string;
  readonly ended?: WrittenEnd;
  /** Of a refusal as far as it could be read; of an admitted call only where it is JSON and not what the model wrote. */
  readonly input?: Json;
  readonly wire?: Json;
  readonly verdict?: NormalVerdict;
  /** The input, where it is no JSON (see structured.ts). */
  readonly made?: string;
  /** It holds what no text can: it is to be made from `wire` again. */
  readonly isMade?: boolean;
  /** What the steps of the call depend on, should the tool not be there on replay. */
  readonly isRepeatable?: boolean;
  readonly flow?: string;
  readonly onUnknown?: AnyTool["onUnknown"];
  readonly channel?: string;
}

export function writeAdmission(admission: Admission, live: LiveCall): Json {
  const { kind } = admission;
  const tool = admission.tool?.name ?? null;
  const input = toJson(admission.input);
  if (kind === "refused") {
    const { status, errorCode, text } = admission;
    return toJson({ kind, tool, status, errorCode, text, input, ended: writeEnd(live) });
  }
  const { wire, verdict } = admission;
  const { flow, onUnknown, channel } = admission.tool;
  const written = { kind, tool, wire, verdict, isRepeatable: canBeRepeated(admission.tool), flow, onUnknown, channel };
  if (admission.input === wire) return toJson(written);
  if (input === admission.input) return toJson({ ...written, input });
  const made = toStructured(admission.input);
  return toJson(made === undefined ? { ...written, isMade: true } : { ...written, made });
}

export function readAdmission(json: Json, live: LiveCall, isReplayed: boolean): Soon<Admission> {
  if (!isReplayed && live.admission !== undefined) return live.admission;
  const written = json as unknown as WrittenAdmission;
  const tool = written.tool === null ? undefined : live.view.known(live.call.tool);
  const { input = written.wire } = written;
  if (written.kind === "refused") {
    const { status = "failed", errorCode = "tool.failed", text = "", ended } = written;
    readEnd(ended, live);
    return { kind: "refused", tool, status, errorCode, text, input };
  }
  const { wire = null, verdict = { verdict: "deny" } } = written;
  // What was done is read all the same; what was not done yet fails.
  if (tool === undefined) return { kind: "admitted", tool: standIn(written, live), wire, input, verdict };
  if (written.isMade === true) return readAgain(tool, wire, verdict);
  if (written.made !== undefined) return admitMade(written.made, tool, wire, verdict);
  freezeJson(input);
  return { kind: "admitted", tool, wire, input, verdict };
}

/** The very values that were decided on; one of a newer Node is made from `wire` again. */
function admitMade(made: string, tool: AnyTool, wire: Json, verdict: NormalVerdict): Soon<Admission> {
  let input: unknown;
  try {
    input = fromStructured(made);
  } catch {
    return readAgain(tool, wire, verdict);
  }
  freezeJson(input);
  return { kind: "admitted", tool, wire, input, verdict };
}

interface WrittenAct {
  readonly end: Json;
  readonly hasStarted: boolean;
  /** Of an entry that ended in a question: what a result would tell of it, for the one that is to come. */
  readonly notes?: Pick<ToolResult, "spend" | "meta" | "durationMs">;
  readonly isStopAsked?: boolean;
  readonly ended?: WrittenEnd;
}

/** What the run has ended by when a step of the call settled: this call, another, or time. Each entry of a call tells of it. */
interface WrittenEnd {
  readonly failure?: Failure & { readonly abort: boolean };
  /** The reason in words, where the other calls of the run are cancelled. */
  readonly aborted?: string;
}

export function writeAct(end: ActEnd, live: LiveCall): Json {
  const { hasStarted, isStopAsked } = live;
  const written: { -readonly [Key in keyof WrittenAct]: WrittenAct[Key] } = { end: toJson(end), hasStarted };
  if ("question" in end) written.notes = notesOf(live);
  if (isStopAsked) written.isStopAsked = true;
  const ended = writeEnd(live);
  if (ended !== undefined) written.ended = ended;
  return toJson(written);
}

function writeEnd(live: LiveCall): WrittenEnd | undefined {
  const { abort, failure } = live.scope;
  if (failure === undefined && !abort.aborted) return undefined;
  live.noteEnd(abort.aborted);
  return {
    ...(failure === undefined ? {} : { failure: { ...failureOf(failure.error), abort: failure.abort } }),
    ...(abort.aborted ? { aborted: abortText(abort.reason) } : {}),
  };
}

function readEnd(ended: WrittenEnd | undefined, live: LiveCall): void {
  if (ended === undefined) return;
  const { failure, aborted } = ended;
  // What aborted it may have come before the failure, or be another's: other calls read why.
  if (aborted !== undefined) live.abortRun(aborted);
  if (failure !== undefined) live.fail(errorFrom(failure), failure.abort);
}

export function readAct(json: Json, live: LiveCall, isReplayed: boolean): ActEnd {
  if (!isReplayed && live.end !== undefined) return live.end;
  const { end, hasStarted, notes, isStopAsked, ended } = json as unknown as WrittenAct;
  const read = end as unknown as ActEnd;
  if (hasStarted && !live.hasStarted) live.start();
  takeNotes("status" in read ? read : notes, live);
  if (isStopAsked === true) live.stop();
  readEnd(ended, live);
  return "status" in read ? Object.freeze(withOwnData(read, live)) : read;
}

function notesOf({ spend, meta, executionMs }: LiveCall): NonNullable<WrittenAct["notes"]> {
  return {
    durationMs: executionMs,
    ...(spend === undefined ? {} : { spend }),
    ...(meta === undefined ? {} : { meta }),
  };
}

/** Each tells all that the call noted so far: what an entry before told of is not spent again. */
function takeNotes(notes: WrittenAct["notes"], live: LiveCall): void {
  if (notes === undefined) return;
  const { spend, meta, durationMs } = notes;
  for (const each of spend?.slice(live.spend?.length ?? 0) ?? []) count(each, live.scope);
  if (spend !== undefined) live.spend = [...spend];
  if (meta !== undefined) live.meta = meta;
  live.executionMs = durationMs;
}

/** The framework's own tool gives back what it was given: that is validated, where a journal has only JSON. */
function withOwnData(result: ToolResult, { tool, input, scope }: LiveCall): ToolResult {
  if (tool === undefined || result.data === undefined || scope.counts(tool)) return result;
  return { ...result, data: input };
}

/** Whether a call may be made again after a crash, under its key. */
export function canBeRepeated({ annotations }: AnyTool): boolean {
  return annotations?.idempotent === true || annotations?.readOnly === true;
}

/** For a tool that its source no longer brings: the call takes the same steps, and cannot be executed. */
function standIn({ tool, isRepeatable = false, flow, onUnknown, channel }: WrittenAdmission, live: LiveCall): AnyTool {
  const name = tool ?? "";
  return {
    name,
    description: "",
    inputSchema: { type: "object" },
    source: "custom",
    annotations: { idempotent: isRepeatable },
    ...(flow === undefined ? {} : { flow }),
    ...(onUnknown === undefined ? {} : { onUnknown }),
    ...(channel === undefined ? {} : { channel }),
    execute: () => {
      const back = live.scope.untilToolsAreBack();
      if (back !== undefined) return back;
      throw new ToolError({ code: "tool.unknown", userMessage: `the tool ${name} is not there any more` });
    },
  };
}
