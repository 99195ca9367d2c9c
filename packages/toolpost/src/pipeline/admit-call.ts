// Whether a call may happen: found, read, validated, looked at by `beforeTool`, decided.
// Nothing here executes a tool, asks a person or waits for one; a refusal is a value with the text the model reads.

import type { ToolCall } from "../core/call.ts";
import type { Catalog } from "../core/catalog.ts";
import type { Hooks } from "../core/govern.ts";
import { isPassive } from "../core/passive-validator.ts";
import type { NormalVerdict, PolicyQuestion, Verdict } from "../core/policy.ts";
import type { ToolResultStatus } from "../core/result.ts";
import type { SchemaIssue } from "../core/schema.ts";
import type { AnyTool } from "../core/tool.ts";
import { aborted, unlessAborted } from "../std/abort.ts";
import type { Json, JsonParse } from "../std/json.ts";
import { encodeJson, parseJson } from "../std/json.ts";
import type { Soon } from "../std/soon.ts";
import { isPromiseLike } from "../std/soon.ts";
import { hookCall } from "./call-hooks.ts";
import type { CallScope } from "./call-scope.ts";
import type { Ending } from "./ending.ts";
import { freezeArguments, freezeJson } from "./freeze-json.ts";
import { logUnvalidated } from "./log-unvalidated.ts";
import { cancelled, denied, invalidInput, notJson, unknownTool } from "./phrases.ts";

export interface Refusal {
  readonly kind: "refused";
  readonly tool: AnyTool | undefined;
  readonly status: ToolResultStatus;
  readonly errorCode: string;
  readonly text: string;
  /** As far as it could be read. */
  readonly input: unknown;
  /** What a validator threw that could not run, for the log only. */
  readonly cause?: unknown;
  /** What `beforeTool` threw: the run ends with it. */
  readonly failure?: unknown;
}

export interface AdmittedCall {
  readonly kind: "admitted";
  readonly tool: AnyTool;
  /** As the model wrote it. */
  readonly wire: Json;
  /** As the handler gets it. */
  readonly input: unknown;
  readonly verdict: NormalVerdict;
  /** It was admitted by an attempt before, and would not be any more. */
  readonly refusal?: Refusal;
}

export type Admission = Refusal | AdmittedCall;

/** An admission in the making: all that is to come is the verdict. */
type ReadCall = Omit<AdmittedCall, "verdict"> & { verdict: NormalVerdict | undefined };
type Read = Refusal | ReadCall;

/**
 * Admits or refuses one call against the tools visible in this step. At once where validator, hooks and policy are
 * synchronous. Never rejects: a throw of `beforeTool` ends the run. Nobody is waited for after a cancel.
 */
export function admitCall(call: ToolCall, view: Catalog, scope: CallScope): Soon<Admission> {
  const tool = view.find(call.tool);
  if (tool === undefined) return unknown(call);
  const admission = admitTo(tool, call, scope);
  if (!(admission instanceof Promise))
    return scope.abort.aborted ? notStarted(tool, rawInput(call), scope) : logged(admission, scope);
  return unlessAborted(admission, scope.abort).then((settled) =>
    settled === aborted ? notStarted(tool, rawInput(call), scope) : logged(endedBy(settled, tool, scope), scope),
  );
}

/** The refusal of a call of a tool there is not. */
export function unknown(call: ToolCall): Refusal {
  return refuse(undefined, "failed", "tool.unknown", unknownTool(call.tool), rawInput(call));
}

function admitTo(tool: AnyTool, call: ToolCall, scope: CallScope): Admission | Promise<Admission> {
  const read = readInput(call, tool);
  return read instanceof Promise
    ? read.then((settled) => admitRead(settled, tool, call, scope))
    : admitRead(read, tool, call, scope);
}

function admitRead(read: Read, tool: AnyTool, call: ToolCall, scope: CallScope): Admission | Promise<Admission> {
  if (read.kind === "refused") return read;
  freezeRead(read, call, scope);
  if (scope.abort.aborted) return notStarted(tool, read.input, scope);
  const { hooks } = scope.slots;
  if (hooks.length > 0 && hooks.some(hasBeforeTool)) return admitAfterHooks(tool, call, read, scope);
  return decideRead(call, tool, read, scope);
}

/** Parts that the history of the run holds too are frozen with all that is in them; nobody else holds a direct call's. */
function freezeRead({ wire, input }: ReadCall, { parsed }: ToolCall, { slots }: CallScope): void {
  if (slots.hooks.length > 0) freezeJson(input);
  else freezeArguments(input, parsed?.ok === true && parsed.value === wire ? wire : undefined);
}

function hasBeforeTool(hooks: Hooks): boolean {
  return hooks.beforeTool !== undefined;
}

async function admitAfterHooks(tool: AnyTool, call: ToolCall, first: ReadCall, scope: CallScope): Promise<Admission> {
  try {
    const read = await beforeTool(call, tool, first, scope);
    return read.kind === "refused" ? read : await decideRead(call, tool, read, scope);
  } catch (error) {
    return { ...notStarted(tool, first.input, scope), failure: error };
  }
}

/** Ends the run by what `beforeTool` threw: once the admission has come, as the end would hide it from whoever waits. */
function endedBy(admission: Admission, tool: AnyTool, scope: CallScope): Admission {
  if (admission.kind === "admitted" || !("failure" in admission)) return admission;
  const { input, failure } = admission;
  scope.fail(failure, true);
  return notStarted(tool, input, scope);
}

/** Validates arguments that a person edited, and decides them anew. */
export async function admitEdit(call: ToolCall, tool: AnyTool, edit: Json, scope: CallScope): Promise<Admission> {
  const read = await validate(tool, JSON.parse(encodeJson(edit)) as Json);
  if (read.kind === "refused") return logged(read, scope);
  freezeJson(read.input);
  return decideRead(call, tool, read, scope);
}

/** Decides approved arguments once more by what is fixed: rules and floors, and a policy of the tool that is no predicate. */
export function admitApproved(call: ToolCall, admitted: AdmittedCall, scope: CallScope): Admission {
  const { tool } = admitted;
  const own = typeof tool.policy === "function" ? "allow" : tool.policy;
  return decided(tool, { ...admitted }, scope.slots.decide(questionOf(call, tool, admitted.input, scope), own));
}

/**
 * Arguments that were admitted before, as the handler gets them: a journal holds them as the model wrote them. Where the
 * validator no longer takes them the call stays admitted, so that what was done of it is found, and says so in `refusal`.
 */
export function readAgain(tool: AnyTool, wire: Json, verdict: NormalVerdict): Soon<AdmittedCall> {
  const take = (read: Read): AdmittedCall => {
    if (read.kind === "refused") return { kind: "admitted", tool, wire, input: wire, verdict, refusal: read };
    freezeJson(read.input);
    read.verdict = verdict;
    return read as AdmittedCall;
  };
  const read = validate(tool, wire);
  return read instanceof Promise ? read.then(take) : take(read);
}

/** How a refused call ends. */
export function refusalEnding({ status, errorCode, text }: Refusal): Ending {
  return { status, errorCode, text };
}

/** The refusal of a call whose run was cancelled before it started. */
export function notStarted(tool: AnyTool, input: unknown, scope: CallScope): Refusal {
  return refuse(tool, "not-started", "call.cancelled", cancelled(scope.abort.reason), input);
}

function logged(admission: Admission, scope: CallScope): Admission {
  if (admission.kind === "refused" && admission.tool !== undefined && admission.cause !== undefined)
    logUnvalidated("input", admission.tool, admission.cause, scope);
  return admission;
}

function decided(tool: AnyTool, read: ReadCall, verdict: NormalVerdict): Admission {
  if (verdict.verdict === "deny") return refuse(tool, "denied", "policy.denied", denied(verdict.reason), read.input);
  read.verdict = verdict;
  return read as AdmittedCall;
}

function refuse(
  tool: AnyTool | undefined,
  status: ToolResultStatus,
  errorCode: string,
  text: string,
  input: unknown,
): Refusal {
  return { kind: "refused", tool, status, errorCode, text, input };
}

function rawInput(call: ToolCall): unknown {
  return typeof call.input === "string" ? call.input : call.input.json;
}

function readInput(call: ToolCall, tool: AnyTool): Read | Promise<Read> {
  // A validator that may change what it is given, or carry parts of it away, gets a value of its own.
  const isShared = call.parsed !== undefined && tool.validateInput !== undefined && isPassive(tool.validateInput);
  const parsed = isShared ? call.parsed : parseArguments(call.input);
  if (!parsed.ok) {
    return refuse(tool, "failed", "tool.invalid-input", notJson(parsed.message), call.input);
  }
  return validate(tool, parsed.value ?? {});
}

/** Blank arguments mean none. */
function parseArguments(input: ToolCall["input"]): JsonParse {
  // A program's value is taken as a model would have written it: a copy, plain JSON, without keys that pollute.
  const text = typeof input === "string" ? input : encodeJson(input.json);
  const parsed = parseJson(text);
  return !parsed.ok && text.trim() === "" ? { ok: true, value: {} } : parsed;
}

function validate(tool: AnyTool, wire: Json): Read | Promise<Read> {
  if (typeof wire !== "object" || wire === null || Array.isArray(wire)) {
    return invalid(tool, wire, [{ path: "", message: `expected an object, got ${kindOf(wire)}` }]);
  }
  const validator = tool.validateInput;
  if (validator === undefined) return invalid(tool, wire, [{ path: "", message: "the tool has no validator" }]);
  try {
    const outcome: unknown = validator(wire);
    if (!isPromiseLike(outcome)) return readValidation(tool, wire, outcome);
    return Promise.resolve(outcome)
      .then((settled) => readValidation(tool, wire, settled))
      .catch((error: unknown) => cannotValidate(tool, wire, error));
  } catch (error) {
    return cannotValidate(tool, wire, error);
  }
}

function readValidation(tool: AnyTool, wire: Json, outcome: unknown): Read {
  const { ok, value, issues, cause } = outcome as { ok?: unknown; value?: unknown; issues?: unknown; cause?: unknown };
  if (ok === true) return { kind: "admitted", tool, wire, input: value, verdict: undefined };
  if (Array.isArray(issues)) return invalid(tool, wire, issues as SchemaIssue[], cause);
  return cannotValidate(tool, wire, cause ?? new TypeError("the validator gave neither a value nor issues"));
}

function invalid(tool: AnyTool, wire: Json, issues: readonly SchemaIssue[], cause?: unknown): Read {
  const refusal = refuse(tool, "failed", "tool.invalid-input", invalidInput(issues), wire);
  return cause === undefined ? refusal : { ...refusal, cause };
}

/** A validator that cannot run refuses: input that nobody checked never reaches a tool. */
function cannotValidate(tool: AnyTool, wire: Json, error: unknown): Read {
  return invalid(tool, wire, [{ path: "", message: "the input could not be validated" }], error);
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

async function beforeTool(call: ToolCall, tool: AnyTool, first: ReadCall, scope: CallScope): Promise<Read> {
  let read: Read = first;
  for (const hooks of scope.slots.hooks) {
    if (hooks.beforeTool === undefined || read.kind === "refused") continue;
    const change = await hooks.beforeTool(hookCall({ call, tool, input: read.input, scope }));
    if (typeof change === "object" && change !== null && "input" in change)
      read = await validate(tool, JSON.parse(encodeJson(change.input)) as Json);
    if (read.kind === "admitted") freezeJson(read.input);
  }
  return read;
}

function decideRead(call: ToolCall, tool: AnyTool, read: ReadCall, scope: CallScope): Admission | Promise<Admission> {
  const question = questionOf(call, tool, read.input, scope);
  const own = askPolicy(tool, question, scope);
  return own instanceof Promise
    ? own.then((settled) => decided(tool, read, scope.slots.decide(question, settled)))
    : decided(tool, read, scope.slots.decide(question, own));
}

function questionOf(
  call: ToolCall,
  tool: AnyTool,
  input: unknown,
  scope: CallScope,
): PolicyQuestion & { readonly definition: AnyTool } {
  return {
    input,
    user: scope.user,
    run: scope.policyRun(call.position),
    tool: tool.name,
    callId: call.callId,
    definition: tool,
  };
}

function askPolicy(
  tool: AnyTool,
  question: PolicyQuestion,
  scope: CallScope,
): Verdict | undefined | Promise<Verdict | undefined> {
  if (typeof tool.policy !== "function") return tool.policy;
  try {
    const answer = (tool.policy as (question: PolicyQuestion) => Soon<Verdict>)(question);
    return isPromiseLike(answer)
      ? Promise.resolve(answer).catch((error: unknown) => denyFor(error, tool, scope))
      : answer;
  } catch (error) {
    return denyFor(error, tool, scope);
  }
}

function denyFor(error: unknown, tool: AnyTool, scope: CallScope): Verdict {
  scope.slots.log({ level: "error", message: `the policy of \`${tool.name}\` threw; the call was denied`, error });
  return "deny";
}
