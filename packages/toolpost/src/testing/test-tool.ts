// One tool alone, in a test: its input and output validated, its deadline kept, and nothing else of the governed call.
// What it gives is neither masked nor cut, and what the tool throws comes out as it was thrown.

import type { AnyClass } from "../author/classes/class-notes.ts";
import { isClass } from "../author/classes/class-notes.ts";
import { classTools, isToolInstance } from "../author/classes/class-tools.ts";
import { Container } from "../author/classes/container.ts";
import type { Binding, Provider } from "../author/classes/provider.ts";
import type { DefinedTool } from "../author/define-tool.ts";
import { toTool } from "../author/to-tool.ts";
import { checkTool } from "../author/tool-checks.ts";
import type { Spend } from "../core/budget.ts";
import type { ToolContext, User } from "../core/context.ts";
import { createToolContext } from "../core/context.ts";
import { runInContext } from "../core/current-context.ts";
import { AssemblyError, ToolpostError } from "../core/errors.ts";
import type { ToolAsk, ToolOutput } from "../core/result.ts";
import { isToolAsk, isToolOutput } from "../core/result.ts";
import type { Validate } from "../core/schema.ts";
import type { AnyTool } from "../core/tool.ts";
import { freezeArguments } from "../pipeline/freeze-json.ts";
import { LazyAbort } from "../std/abort.ts";
import type { Clock } from "../std/clock.ts";
import { systemClock } from "../std/clock.ts";
import { formatDuration } from "../std/format.ts";
import { isPromiseLike } from "../std/soon.ts";
import type { Duration } from "../std/units.ts";
import { seconds } from "../std/units.ts";

export interface TestToolOptions {
  /** For the deadline. Default: the machine's. */
  readonly clock?: Clock;
  /** Default: the tool's own, else 30 s. */
  readonly timeout?: Duration | "none";
  readonly user?: User;
  /** `ctx.data`. */
  readonly data?: unknown;
  /** `ctx.state`. */
  readonly state?: unknown;
  /** For classes: what their constructors are given, as in `createApp`. */
  readonly providers?: readonly Provider[];
  /** For classes: what stands in for dependencies; before all providers. */
  readonly overrides?: readonly Binding[];
  /** Any other field of the context, such as `answer` to enter a tool that asked. */
  readonly context?: Partial<ToolContext>;
}

/** What a call came to. */
export interface TestedCall<Output> {
  /**
   * As code sees it: parsed by the `output` schema where there is one. A `ToolOutput` or a `ToolAsk` is given as it was
   * returned, `isError` and `data` included, whatever the schema says: tell it by `isToolOutput`, `isToolAsk`.
   */
  readonly output: Output;
  /** What the tool paid for, in order. */
  readonly spend: readonly Spend[];
}

/** Calls the tool once. The input is as a model writes it. */
export type TestedRun<Wire, Output> = (input: Wire) => Promise<TestedCall<Output>>;

/** A tool under test: call it, or its `run`. */
export interface TestedTool<Wire, Output> extends TestedRun<Wire, Output> {
  readonly run: TestedRun<Wire, Output>;
}

/**
 * What a model writes for a tool, and what a call of it gives. Where a tool has no `output` schema its type tells of
 * the `ToolOutput` and `ToolAsk` it may return; with one every tool may, so that is left out.
 */
export type TestedWire<T extends AnyTool | AnyClass> =
  T extends DefinedTool<infer Wire, infer _Parsed, infer _Output, infer _Returned> ? Wire : unknown;
export type TestedOutput<T extends AnyTool | AnyClass> =
  T extends AnyClass<{ execute(...args: never[]): infer Returned }>
    ? Awaited<Returned>
    : T extends DefinedTool<infer _Wire, infer _Parsed, infer Output, infer Returned>
      ? [ToolOutput | ToolAsk] extends [Returned]
        ? Output
        : Output | Extract<Returned, ToolOutput | ToolAsk>
      : unknown;

/**
 * A function that calls the tool, or the tool of a class, in a context of its own, with `callId` `tool-slice` and, each time, a new run.
 * Rejects with what the tool threw, or with ToolpostError `tool.invalid-input`, `tool.invalid-output` or
 * `tool.timed-out`. What the tool gave to `onDispose` has run when the call settles. A class is constructed at the first
 * call, in a container of its own; throws `AssemblyError` for one that cannot be.
 * @example const searchIssues = testTool(search, { user: { id: "u-1" } });
 * const { output, spend } = await searchIssues({ query: "login" });
 */
export function testTool<const T extends AnyTool | AnyClass>(
  tested: T,
  options: TestToolOptions = {},
): TestedTool<TestedWire<T>, TestedOutput<T>> {
  const tool = isClass(tested) ? toolOfClass(tested, options) : checkedTool(tested);
  const run = (input: TestedWire<T>): Promise<TestedCall<TestedOutput<T>>> =>
    callOnce(tool, input, options) as Promise<TestedCall<TestedOutput<T>>>;
  return Object.assign((input: TestedWire<T>) => run(input), { run });
}

function toolOfClass(type: AnyClass, { providers, overrides }: TestToolOptions): AnyTool {
  const container = new Container(providers, overrides);
  const { tools, problems } = classTools(type, () => container.get(type));
  const all = [...problems, ...container.checkProviders(), ...(tools.length === 0 ? [] : container.check(type))];
  if (all.length > 0) throw new AssemblyError(all);
  const [tool, ...more] = tools;
  if (tool !== undefined && more.length === 0) return tool;
  const names = tools.map(({ name }) => `"${name}"`).join(", ");
  throw new ToolpostError(
    "tool.invalid-setting",
    `the class "${type.name}" has ${tools.length} tools, ${names}: test one of toolsOf(new ${type.name}(…))`,
  );
}

/** What no compiler looked at may be anything. */
function checkedTool(tested: unknown): AnyTool {
  if (isToolInstance(tested)) {
    const name = tested.constructor.name;
    const message = `an instance of the class "${name}" is no tool: write testTool(${name}), or test one of toolsOf(instance)`;
    throw new AssemblyError([{ code: "tool.not-decorated", message }]);
  }
  const problems = checkTool(tested, "testTool", { deep: false, fromSource: true });
  if (problems.length > 0) throw new AssemblyError(problems);
  return tested as AnyTool;
}

async function callOnce(tool: AnyTool, written: unknown, options: TestToolOptions): Promise<TestedCall<unknown>> {
  const { validateInput, validateOutput } = toTool(tool);
  const input = await validated(validateInput, written, { code: "tool.invalid-input", what: "invalid input" });
  // As in a governed call: a tool that changes what it must not must not pass its tests.
  freezeArguments(input, written);
  const slice = createSlice(options);
  const end = await settle(async () => {
    const returned = await withDeadline(() => execute(tool, input, slice.context), slice.abort, {
      timeout: options.timeout ?? tool.timeout ?? seconds(30),
      clock: options.clock ?? systemClock,
    });
    const isPlain = validateOutput !== undefined && !isToolOutput(returned) && !isToolAsk(returned);
    const refusal = { code: "tool.invalid-output", what: "invalid output" };
    return isPlain ? validated(validateOutput, returned, refusal) : returned;
  });
  const disposal = await disposeAll(slice.disposers);
  // What the tool itself threw is what its test wants to see.
  if (!end.ok) throw end.error;
  if (disposal.length > 0) throw disposal[0];
  return { output: end.value, spend: slice.spend };
}

type End = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

async function settle(work: () => Promise<unknown>): Promise<End> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, error };
  }
}

/** Each, the last one first, whatever the others do. */
async function disposeAll(disposers: Slice["disposers"]): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  for (const dispose of disposers.reverse()) {
    try {
      await dispose();
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}

async function validated(
  validate: Validate,
  value: unknown,
  { code, what }: { readonly code: string; readonly what: string },
): Promise<unknown> {
  const result = await validate(value);
  if (result.ok) return result.value;
  const issues = result.issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  throw new ToolpostError(code, `${what}: ${issues.join("; ")}`, {
    data: { issues: result.issues },
    cause: result.cause,
  });
}

interface Slice {
  readonly context: ToolContext;
  readonly abort: LazyAbort;
  readonly spend: Spend[];
  readonly disposers: (() => void | Promise<void>)[];
}

function createSlice({ user, data, state, context: given = {} }: TestToolOptions): Slice {
  const abort = new LazyAbort();
  const spend: Spend[] = [];
  const disposers: Slice["disposers"] = [];
  const own: Partial<ToolContext> = {
    callId: "tool-slice",
    user,
    data,
    state,
    get signal() {
      return abort.signal;
    },
    abort: (reason) => abort.abort(reason),
    spend: (entry) => void spend.push(entry),
    onDispose: (dispose) => void disposers.push(dispose),
  };
  const all = Object.defineProperties(own, Object.getOwnPropertyDescriptors(given));
  return { context: createToolContext(all), abort, spend, disposers };
}

function execute(tool: AnyTool, input: unknown, context: ToolContext): unknown {
  const call = tool as { execute(input: unknown, ctx: ToolContext): unknown };
  return runInContext(context, () => call.execute(input, context), undefined);
}

/** A tool that answers at once needs no deadline; one that ignores its signal is left to itself. */
function withDeadline(
  work: () => unknown,
  abort: LazyAbort,
  { timeout, clock }: { readonly timeout: Duration | "none"; readonly clock: Clock },
): unknown {
  const returned = work();
  if (timeout === "none" || !isPromiseLike(returned)) return returned;
  return new Promise((resolve, reject) => {
    const timer = clock.schedule(timeout.ms, () => {
      const text = `timed out after ${formatDuration(timeout.ms)}`;
      reject(new ToolpostError("tool.timed-out", text));
      abort.abort(new DOMException(text, "TimeoutError"));
    });
    returned.then(resolve, reject).then(() => timer.cancel());
  });
}
