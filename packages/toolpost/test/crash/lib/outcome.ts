// What came of the desk's run, as anybody sees it afterwards: the result, the thread, the agent it called, the nap.
// A call that a crash interrupted is the one thing that may read otherwise than in an undisturbed run.

import type { Message } from "../../../src/core/message.ts";
import type { RunRecord } from "../../../src/core/run.ts";
import type { RunResult } from "../../../src/core/run-result.ts";
import { CONFIRMED, OUTCOME_UNKNOWN } from "../../../src/pipeline/phrases.ts";
import type { Scene } from "./scene.ts";

export interface Outcome {
  readonly runs: readonly RunOutcome[];
  readonly thread: readonly unknown[];
}

interface RunOutcome {
  readonly flow: string;
  readonly state: string;
  readonly status?: string;
  readonly text?: string;
  readonly calls?: readonly CallOutcome[];
  readonly messages?: readonly unknown[];
}

interface CallOutcome {
  readonly callId: string;
  readonly tool: string;
  readonly status: string;
  readonly text: string;
}

export async function readOutcome({ engine }: Scene): Promise<Outcome> {
  const records = await engine.list();
  const runs = records.map(({ flow, state, result }): RunOutcome => {
    if (typeof result !== "object" || result === null) return { flow, state, text: String(result) };
    const { status, text, calls, messages } = result as unknown as RunResult;
    return { flow, state, status, text, calls: calls.map(callOutcome), messages };
  });
  runs.sort((one, other) => one.flow.localeCompare(other.flow));
  return { runs, thread: await engine.threads.read({ threadId: "thread", ownerId: "ada" }) };
}

/** The calls of a run in words, in order; those that ended well by `ok`. */
export function statusesOf(record: RunRecord | undefined): readonly string[] {
  const { calls = [] } = (record?.result ?? {}) as unknown as Partial<RunResult>;
  return calls.map(({ callId, status }) => `${callId} ${status}`);
}

function callOutcome({ callId, tool, status, text }: RunResult["calls"][number]): CallOutcome {
  return { callId, tool, status, text };
}

/** The same where these calls were interrupted: `ship` is asked about, of the others nobody knows. */
export function withInterrupted(outcome: Outcome, interrupted: ReadonlySet<string>): Outcome {
  const changed = (callId: string): string | undefined => {
    if (!interrupted.has(callId)) return undefined;
    return callId.endsWith("ship") ? CONFIRMED : OUTCOME_UNKNOWN;
  };
  const callOf = (call: CallOutcome): CallOutcome => {
    const text = changed(call.callId);
    return text === undefined ? call : { ...call, text, status: text === CONFIRMED ? "ok" : "unknown" };
  };
  const messageOf = (message: unknown): unknown => {
    const { role, content } = message as Message;
    if (role !== "tool") return message;
    return {
      role,
      content: content.map((part) => {
        const value = changed(part.toolCallId);
        if (value === undefined) return part;
        return { ...part, output: { type: value === CONFIRMED ? "text" : "error-text", value } };
      }),
    };
  };
  return {
    runs: outcome.runs.map((run) => ({
      ...run,
      ...(run.calls && { calls: run.calls.map(callOf) }),
      ...(run.messages && { messages: run.messages.map(messageOf) }),
    })),
    thread: outcome.thread.map(messageOf),
  };
}
