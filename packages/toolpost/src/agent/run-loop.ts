// The loop: ask the model, run its calls, until something ends the run. One loop, streaming or not.
// Whatever the end, every call has exactly one result in the history before the run ends.

import type { ToolCall } from "../core/call.ts";
import type { Catalog } from "../core/catalog.ts";
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
import type { Run } from "../core/run.ts";
import { BudgetExceededError, ModelError } from "../core/run-errors.ts";
import type { StoppedBy } from "../core/run-result.ts";
import { outcomeOf } from "../core/task.ts";
import type { LazyAbort } from "../std/abort.ts";
import { parseJson } from "../std/json.ts";
import { lazyField } from "../std/lazy-field.ts";
import type { Soon } from "../std/soon.ts";
import { andThen, isPromiseLike } from "../std/soon.ts";
import type { AgentRun } from "./agent-run.ts";
import { assignCallIds } from "./call-ids.ts";
import { assistantMessage, callsOf, textOf, toolMessage } from "./messages.ts";
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
  const { run } = state.inline;
  let isAnswerDemanded = false;
  for (;;) {
    state.throwIfOver();
    if (state.visit >= agentSetup.maxSteps) return { status: "stopped", stoppedBy: "steps" };
    const view = isAnswerDemanded ? agentSetup.lastCatalog : agentSetup.catalog.at(state.visit, state.executed);
    const choice = isAnswerDemanded ? demanded(state) : undefined;
    const reply = await askModel(run, state, view, choice);
    const soon = runReply(run, state, view, reply);
    const results = isPromiseLike(soon) ? await soon : soon;
    state.throwIfOver();
    const answer = answerOf(results, state);
    const endedByTool = results.find((result) => result.endsRun === true)?.tool;
    if (answer !== undefined) return { status: "done", answer, ...(endedByTool === undefined ? {} : { endedByTool }) };
    if (endedByTool !== undefined) return lastStep(run, state, endedByTool);
    const end = results.length === 0 ? endOfText(reply, state, isAnswerDemanded) : brake(state);
    if (end !== undefined) return end;
    isAnswerDemanded = results.length === 0;
    if (isAnswerDemanded)
      state.prompt.push(userMessage(`Give your final answer now: call \`${agentSetup.answerTool?.name}\`.`));
    state.visit++;
  }
}

/** Takes a reply into the history and runs the calls in it; at once where all that they call is synchronous. */
function runReply(run: Run, state: AgentRun, view: Catalog, reply: ModelReply): Soon<readonly ToolResult[]> {
  const calls = callsOf(reply);
  // The provider's own calls stand in the same history.
  for (const part of reply.content)
    if (part.type === "tool-call" && part.providerExecuted === true) state.usedIds.add(part.toolCallId);
  const ids = assignCallIds(
    calls.map((call) => call.toolCallId),
    { runId: state.runId, visit: state.visit, used: state.usedIds },
  );
  const message = assistantMessage(reply, ids);
  if (message !== undefined) state.prompt.push(message);
  if (calls.length === 0) return [];
  const turn = { view, reply, dialect: state.agentSetup.dialect };
  const asked = calls.map((call, position) => toCall(call, ids[position] ?? "", position, turn));
  return andThen(runCalls(run, asked, view, state), (results) => {
    state.prompt.push(toolMessage(calls, results));
    state.noteTurn(results);
    logUnreadable(calls, results, state);
    return results;
  });
}

interface Turn {
  readonly view: Catalog;
  readonly reply: ModelReply;
  readonly dialect: Dialect;
}

function toCall(call: ReplyToolCall, callId: string, position: number, { view, reply, dialect }: Turn): ToolCall {
  const input = isCutBeforeArguments(call, reply) ? "{" : view.inputFromWire(call.toolName, call.input, dialect);
  return { callId, tool: view.fromWire(call.toolName), input, position };
}

/** Blank arguments mean none, but not where the token limit cut the reply: there they were still to come. */
function isCutBeforeArguments(call: ReplyToolCall, reply: ModelReply): boolean {
  return reply.finish === "length" && call.input.trim() === "" && call === callsOf(reply).at(-1);
}

async function askModel(
  run: Run,
  state: AgentRun,
  view: Catalog,
  toolChoice: ToolChoice | undefined,
): Promise<ModelReply> {
  const { agentSetup, visit: step } = state;
  checkBudget(state);
  const tools = view.wire(agentSetup.dialect);
  state.emit({ type: "step-start", step, tools: namesOf(tools) });
  const request = requestOf(state, tools, toolChoice);
  try {
    const onDelta = state.start.isStreaming ? (delta: ModelDelta) => showDelta(delta, state) : undefined;
    const reply = await outcomeOf(run.step(`model:${step}`, () => agentSetup.model.call(request, onDelta)));
    if (onDelta === undefined) for (const [index, part] of reply.content.entries()) showPart(part, index, state);
    state.noteReply(reply, textOf(reply));
    state.emit({ type: "step-end", step, finish: reply.finish, usage: reply.usage });
    state.joinDeltas();
    return reply;
  } catch (error) {
    state.throwIfOver();
    keepArrived(error, state);
    throw error;
  }
}

/** The prompt grows in its place, so that a turn which changes nothing else sends the request of the turn before. */
function requestOf(state: AgentRun, tools: readonly WireTool[], toolChoice: ToolChoice | undefined): ModelRequest {
  const last = state.request;
  if (last !== undefined && last.tools === tools && last.toolChoice === toolChoice) return last;
  const { agentSetup, prompt, abort } = state;
  const { thinking, maxOutputTokens, temperature, providerOptions } = agentSetup;
  const request: Settable<Omit<ModelRequest, "signal">> = { prompt, tools, abort };
  if (toolChoice !== undefined) request.toolChoice = toolChoice;
  // Providers refuse a forced tool while the model thinks.
  else if (thinking !== undefined) request.thinking = thinking;
  if (maxOutputTokens !== undefined) request.maxOutputTokens = maxOutputTokens;
  if (temperature !== undefined) request.temperature = temperature;
  if (providerOptions !== undefined) request.providerOptions = providerOptions;
  withSignal(request, abort);
  state.request = request as ModelRequest;
  return state.request;
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
function checkBudget(state: AgentRun): void {
  const breach = state.budget.breach({ tokens: state.lastTokens });
  if (breach !== undefined) throw new BudgetExceededError(breach.kind, breach.limit, breach.used);
}

function showDelta(delta: ModelDelta, state: AgentRun): void {
  if (delta.type !== "text-delta" && delta.type !== "reasoning-delta") return;
  state.emit({ type: delta.type, step: state.visit, id: delta.id, text: delta.text });
}

function showPart(part: ReplyPart, index: number, state: AgentRun): void {
  if ((part.type !== "text" && part.type !== "reasoning") || part.text === "") return;
  const type = part.type === "text" ? "text-delta" : "reasoning-delta";
  state.emit({ type, step: state.visit, id: String(index), text: part.text });
}

/** What a failed reply had said before it failed belongs to the partial result, not to the history. */
function keepArrived(error: unknown, state: AgentRun): void {
  const data = error instanceof ModelError ? (error.data as { content?: readonly ReplyPart[] } | undefined) : undefined;
  const text = data?.content?.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("") ?? "";
  if (text !== "") state.text = text;
}

function logUnreadable(calls: readonly ReplyToolCall[], results: readonly ToolResult[], state: AgentRun): void {
  for (const [index, call] of calls.entries()) {
    // What was executed was read.
    if (results[index]?.status === "ok" || call.input.trim() === "" || parseJson(call.input).ok) continue;
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
  const given = results.find((result) => result.tool === answerTool.name && result.status === "ok");
  return given === undefined ? undefined : { value: given.data };
}

/** After a tool ended the run: one reply without tools, in which the model phrases what happened. */
async function lastStep(run: Run, state: AgentRun, endedByTool: string): Promise<LoopEnd> {
  state.visit++;
  state.reopenWaits();
  const view = state.agentSetup.lastCatalog;
  const reply = await askModel(run, state, view, demanded(state));
  const results = await runReply(run, state, view, reply);
  state.throwIfOver();
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
