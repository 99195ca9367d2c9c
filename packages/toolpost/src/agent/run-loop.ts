// The loop: ask the model, run its calls, until something ends the run. One loop, streaming or not.
// Whatever the end, every call has exactly one result in the history before the run ends.

import type { BudgetBreach, Spend } from "../core/budget.ts";
import type { ToolCall } from "../core/call.ts";
import type { Catalog } from "../core/catalog.ts";
import type { Message } from "../core/message.ts";
import type {
  Dialect,
  ModelDelta,
  ModelReply,
  ModelRequest,
  ReplyPart,
  ReplyToolCall,
  ToolChoice,
  WireTool,
} from "../core/model.ts";
import type { ToolResult } from "../core/result.ts";
import type { Work } from "../core/run.ts";
import { BudgetExceededError, ModelError, RunCancelledError } from "../core/run-errors.ts";
import type { StoppedBy } from "../core/run-result.ts";
import { count } from "../pipeline/call-context.ts";
import type { LazyAbort } from "../std/abort.ts";
import { abortText } from "../std/abort.ts";
import type { Json, JsonParse } from "../std/json.ts";
import { lazyField } from "../std/lazy-field.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike } from "../std/soon.ts";
import { wellFormed } from "../std/text.ts";
import type { AgentRun } from "./agent-run.ts";
import { assignCallIds } from "./call-ids.ts";
import { assistantMessage, callsOf, readArguments, textOf, toolMessage } from "./messages.ts";
import { userMessage } from "./user-message.ts";
import { runCalls } from "./waves.ts";

/** How a run came to its end by itself. */
export interface LoopEnd {
  readonly status: "done" | "stopped";
  readonly stoppedBy?: StoppedBy;
  readonly endedByTool?: string;
  readonly answer?: { readonly value: unknown };
}

/** Moves a run to its end. Rejects with what ends it early: a limit, a budget, a fatal tool, a cancel, the model. */
export async function runLoop(state: AgentRun): Promise<LoopEnd> {
  const { agentSetup } = state;
  let isAnswerDemanded = false;
  for (;;) {
    state.throwIfOver();
    if (state.visit >= agentSetup.maxSteps) return { status: "stopped", stoppedBy: "steps" };
    const view = isAnswerDemanded ? agentSetup.lastCatalog : agentSetup.catalog.at(state.visit, state.executed);
    let reply: ModelReply;
    try {
      reply = await askModel(view, isAnswerDemanded ? demanded(state) : undefined, state);
    } catch (error) {
      throw noReply(error, state);
    }
    const soon = runReply(reply, view, state);
    const results = isPromiseLike(soon) ? await soon : soon;
    state.throwIfOver();
    if (isPaused(reply, results)) {
      state.visit++;
      continue;
    }
    const answer = answerOf(results, state);
    const endedByTool = endingTool(results);
    if (answer !== undefined) return { status: "done", answer, ...(endedByTool === undefined ? {} : { endedByTool }) };
    if (endedByTool !== undefined) return lastStep(endedByTool, state);
    const end = results.length === 0 ? endOfText(reply, state, isAnswerDemanded) : brake(state);
    if (end !== undefined) return end;
    isAnswerDemanded = results.length === 0;
    if (isAnswerDemanded)
      state.prompt.push(userMessage(`Give your final answer now: call \`${agentSetup.answerTool?.name}\`.`));
    state.visit++;
  }
}

/** To be given back as it is, and gone on with. */
function isPaused({ isPaused }: ModelReply, results: readonly ToolResult[]): boolean {
  return results.length === 0 && isPaused === true;
}

function endingTool(results: readonly ToolResult[]): string | undefined {
  for (const { endsRun, tool } of results) if (endsRun === true) return tool;
  return undefined;
}

/** Takes a reply into account and runs the calls in it; at once where all that they call is synchronous. */
function runReply(reply: ModelReply, view: Catalog, state: AgentRun): Soon<readonly ToolResult[]> {
  takeReply(reply, state);
  const calls = callsOf(reply);
  if (calls.length === 0) {
    takeMessage(assistantMessage(reply, [], []), state);
    return [];
  }
  const ids = assignCallIds(calls, state);
  const read = calls.map(readArguments);
  takeMessage(assistantMessage(reply, ids, read), state);
  const turn = { view, reply, dialect: state.agentSetup.dialect, ids, read };
  const asked = calls.map((call, position) => toCall(call, position, turn));
  const results = runCalls(state.run, asked, view, state);
  return isPromiseLike(results)
    ? results.then((settled) => takeResults(settled, calls, read, state))
    : takeResults(results, calls, read, state);
}

function takeMessage(message: Message | undefined, state: AgentRun): void {
  if (message !== undefined) state.prompt.push(message);
}

function takeResults(
  results: readonly ToolResult[],
  calls: readonly ReplyToolCall[],
  read: readonly JsonParse[],
  state: AgentRun,
): readonly ToolResult[] {
  state.prompt.push(toolMessage(calls, results));
  state.noteTurn(results);
  logUnreadable(calls, read, state);
  return results;
}

interface Turn {
  readonly view: Catalog;
  readonly reply: ModelReply;
  readonly dialect: Dialect;
  readonly ids: readonly string[];
  readonly read: readonly JsonParse[];
}

function toCall(call: ReplyToolCall, position: number, { view, reply, dialect, ids, read }: Turn): ToolCall {
  const input = isCutBeforeArguments(call, reply) ? "{" : view.inputFromWire(call.toolName, call.input, dialect);
  return {
    callId: ids[position] ?? "",
    tool: view.fromWire(call.toolName),
    input,
    parsed: input === call.input ? read[position] : undefined,
    position,
  };
}

/** Blank arguments mean none, but not where the token limit cut the reply: there they were still to come. */
function isCutBeforeArguments(call: ReplyToolCall, reply: ModelReply): boolean {
  return reply.finish === "length" && call.input.trim() === "" && call === callsOf(reply).at(-1);
}

/** Sends the request of a step. Whoever waits for it has `noReply` make the error, should it fail. */
function askModel(view: Catalog, toolChoice: ToolChoice | undefined, state: AgentRun): Soon<ModelReply> {
  const { agentSetup, visit: step, runId, now: at } = state;
  refuseBreach(state, (kind) => kind === "time");
  const tools = view.wire(agentSetup.dialect);
  state.tell({ type: "step-start", runId, at, step, tools: namesOf(tools) });
  state.request = requestOf(state, tools, toolChoice);
  return state.run.perform(`model:${step}`, modelStep, state);
}

/** Sends the request that stands in the state. */
const modelStep: Work<ModelReply, AgentRun> = {
  perform: (state) => {
    state.lateSpend = state.takeLate();
    // Within the step, as a replay is at this place at another time.
    state.throwIfEnded();
    refuseBreach(state);
    const onDelta = state.start.isStreaming ? (delta: ModelDelta) => state.emitDelta(delta) : undefined;
    return state.agentSetup.model.call(state.request as ModelRequest, onDelta);
  },
  write: (reply, { lateSpend }) => (lateSpend === undefined ? reply : { ...reply, lateSpend }) as unknown as Json,
  read: (written, state, isReplayed) => {
    const { lateSpend, ...reply } = written as unknown as WrittenReply;
    if (isReplayed) for (const spend of lateSpend ?? []) count(spend, state);
    return reply;
  },
  // What ended the run meanwhile cut the request off.
  failed: (error, { failure, abort: { aborted, reason } }) =>
    failure?.error ?? (aborted ? new RunCancelledError(reason, abortText(reason)) : error),
};

/** A reply, and what calls that had settled paid for before it. */
type WrittenReply = ModelReply & { readonly lateSpend?: readonly Spend[] };

/** What ended the run, where that made the request fail. */
function noReply(error: unknown, state: AgentRun): unknown {
  // Also where a cancel ended the request: somebody has read it.
  if (state.arriving !== "") state.text = state.arriving;
  state.throwIfOver();
  keepArrived(error, state);
  return error;
}

function takeReply(reply: ModelReply, state: AgentRun): void {
  state.timePassed();
  const { visit: step, runId, now: at } = state;
  if (!state.start.isStreaming) showParts(reply.content, state);
  state.noteReply(reply, textOf(reply));
  const { finish, rawFinish, usage, warnings } = reply;
  if (warnings !== undefined) state.agentSetup.tellWarnings(warnings);
  if (rawFinish === undefined) state.tell({ type: "step-end", runId, at, step, finish, usage });
  else state.tell({ type: "step-end", runId, at, step, finish, rawFinish: wellFormed(rawFinish.slice(0, 100)), usage });
  state.joinDeltas();
}

/** The prompt grows in its place, so that a turn which changes nothing else sends the request of the turn before. */
function requestOf(state: AgentRun, tools: readonly WireTool[], toolChoice: ToolChoice | undefined): ModelRequest {
  const last = state.request;
  if (last !== undefined && last.tools === tools && last.toolChoice === toolChoice) return last;
  const { agentSetup, prompt, abort, memo } = state;
  const { thinking, maxOutputTokens, temperature, providerOptions } = agentSetup;
  const request: Settable<Omit<ModelRequest, "signal">> = { prompt, tools, abort, memo };
  if (toolChoice !== undefined) request.toolChoice = toolChoice;
  // Providers refuse a forced tool while the model thinks.
  else if (thinking !== undefined) request.thinking = thinking;
  if (maxOutputTokens !== undefined) request.maxOutputTokens = maxOutputTokens;
  if (temperature !== undefined) request.temperature = temperature;
  if (providerOptions !== undefined) request.providerOptions = providerOptions;
  withSignal(request, abort);
  return request as ModelRequest;
}

type Settable<T> = { -readonly [Key in keyof T]: T[Key] };

const withSignal = lazyField("signal", (abort: LazyAbort) => abort.signal);

/** The names of a request's tools, made once for each list of them. */
function namesOf(tools: readonly WireTool[]): readonly string[] {
  let names = toolNames.get(tools);
  if (names === undefined) toolNames.set(tools, (names = Object.freeze(tools.map((tool) => tool.name))));
  return names;
}

const toolNames = new WeakMap<readonly WireTool[], readonly string[]>();

/** The next reply reads at least what the last one read and wrote. */
function refuseBreach(state: AgentRun, isLeftOut?: (kind: BudgetBreach["kind"]) => boolean): void {
  const breach = state.budget.breach({ tokens: state.lastTokens });
  if (breach !== undefined && isLeftOut?.(breach.kind) !== true)
    throw new BudgetExceededError(breach.kind, breach.limit, breach.used);
}

function showParts(parts: readonly ReplyPart[], state: AgentRun): void {
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if ((part?.type !== "text" && part?.type !== "reasoning") || part.text === "") continue;
    const type = part.type === "text" ? "text-delta" : "reasoning-delta";
    state.tell({ type, runId: state.runId, at: state.now, step: state.visit, id: String(index), text: part.text });
  }
}

/** What a failed reply had said before it failed belongs to the partial result, not to the history. */
function keepArrived(error: unknown, state: AgentRun): void {
  const data = error instanceof ModelError ? (error.data as { content?: readonly ReplyPart[] } | undefined) : undefined;
  const text = data?.content?.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("") ?? "";
  if (text !== "") state.text = text;
}

function logUnreadable(calls: readonly ReplyToolCall[], read: readonly JsonParse[], state: AgentRun): void {
  if (state.run.isReplaying) return;
  for (let index = 0; index < calls.length; index++) {
    const call = calls[index];
    if (call === undefined || read[index]?.ok !== false) continue;
    state.slots.log({
      level: "warn",
      message: `the arguments of \`${call.toolName}\` are not JSON`,
      data: { runId: state.runId, input: call.input },
    });
  }
}

function answerOf(results: readonly ToolResult[], state: AgentRun): { readonly value: unknown } | undefined {
  const { answerTool } = state.agentSetup;
  if (answerTool === undefined) return undefined;
  const given = results.find(({ tool, status }) => tool === answerTool.name && status === "ok");
  return given === undefined ? undefined : { value: given.data };
}

/** After a tool ended the run: one reply without tools, in which the model phrases what happened. */
async function lastStep(endedByTool: string, state: AgentRun): Promise<LoopEnd> {
  state.reopenWaits();
  const view = state.agentSetup.lastCatalog;
  let reply: ModelReply;
  let results: readonly ToolResult[];
  do {
    state.visit++;
    try {
      reply = await askModel(view, demanded(state), state);
    } catch (error) {
      throw noReply(error, state);
    }
    results = await runReply(reply, view, state);
    state.throwIfOver();
  } while (isPaused(reply, results) && state.visit + 1 < state.agentSetup.maxSteps);
  if (isPaused(reply, results)) return { status: "stopped", stoppedBy: "steps", endedByTool };
  const answer = answerOf(results, state);
  const short = stoppedShort(reply);
  if (short !== undefined && results.length === 0) return { status: "stopped", stoppedBy: short, endedByTool };
  if (answer === undefined) throwIfAnswerDue(state);
  return { status: "done", endedByTool, ...(answer === undefined ? {} : { answer }) };
}

/** A reply without calls: the end, or, where a structured answer is due, one more demand for it. */
function endOfText(reply: ModelReply, state: AgentRun, wasDemanded: boolean): LoopEnd | undefined {
  const short = stoppedShort(reply);
  if (short !== undefined) return { status: "stopped", stoppedBy: short };
  // Older providers tell of a connection that closed early in no other way.
  if (reply.finish === "other" && reply.content.length === 0)
    throw new ModelError("model.stream-cut", "the model's reply ended with nothing in it");
  if (state.agentSetup.answerTool === undefined) return { status: "done" };
  if (wasDemanded) throwIfAnswerDue(state);
  return undefined;
}

function throwIfAnswerDue({ agentSetup: { answerTool } }: AgentRun): void {
  if (answerTool === undefined) return;
  throw new ModelError("model.no-answer", `the model did not call \`${answerTool.name}\` when asked to`);
}
function demanded(state: AgentRun): ToolChoice | undefined {
  const { answerTool } = state.agentSetup;
  return answerTool === undefined ? undefined : { type: "tool", toolName: answerTool.name };
}

function stoppedShort(reply: ModelReply): StoppedBy | undefined {
  return reply.finish === "length" || reply.finish === "content-filter" ? reply.finish : undefined;
}

function brake(state: AgentRun): LoopEnd | undefined {
  if (state.isStopAsked) return { status: "stopped", stoppedBy: "stop" };
  if (state.failuresInARow >= state.agentSetup.maxFailures) return { status: "stopped", stoppedBy: "failures" };
  return undefined;
}
