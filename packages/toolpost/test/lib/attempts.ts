// Attempts at a run of an application, each over a journal in a list and in an application of its own: as if the process
// before had ended after that entry. What is told (events, hooks) is noted with the length of the journal at that time.
// No engine moves it, so nothing waits for leases or disks.
import assert from "node:assert/strict";
import type { AppOptions } from "../../src/app/app-options.ts";
import { createApp } from "../../src/app/create-app.ts";
import type { AgentEvent } from "../../src/core/event.ts";
import { failureOf } from "../../src/core/failure.ts";
import type { LogEntry } from "../../src/core/govern.ts";
import type { Engine, Flow, Leaf, Op, RunRecord } from "../../src/core/run.ts";
import type { RunResult } from "../../src/core/run-result.ts";
import { drive } from "../../src/durable/drive.ts";
import { forgetActs } from "../../src/durable/operations.ts";
import type { Json } from "../../src/std/json.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { memoryThreads } from "../../src/threads/memory-threads.ts";
import type { Entry } from "./list-kernel.ts";
import { ListKernel } from "./list-kernel.ts";

/** What a process is made of; made anew for each attempt. */
export type Process = Pick<AppOptions, "agents"> & Partial<AppOptions>;

export interface AttemptOptions {
  /** Default: none, a run that begins. */
  readonly journal?: readonly Entry[];
  /** Beside the agent and the message `go`. */
  readonly order?: { readonly [option: string]: Json };
  /** What people answer, and what runs below come to. By default nobody does, and the attempt fails. */
  readonly settle?: (op: Op & { readonly kind: "pause" | "child" }) => Json;
  /** In place of `settle`: moves the kernel on where nothing does. */
  readonly moved?: (kernel: ListKernel) => void;
}

/** Something that was told, when the journal had so many entries. */
export interface Told {
  readonly what: string;
  readonly at: number;
}

export interface Attempted {
  /** As whoever awaits the run's handle gets it. */
  readonly result: RunResult | undefined;
  readonly error: unknown;
  readonly journal: readonly Entry[];
  /** Steps whose work ran. */
  readonly ran: readonly string[];
  readonly told: readonly Told[];
  readonly events: readonly AgentEvent[];
  readonly log: readonly LogEntry[];
}

export async function attempt(
  process: Process,
  { journal = [], order, settle, moved }: AttemptOptions = {},
): Promise<Attempted> {
  const kernel = new ListKernel(journal.map(ofAnotherProcess));
  if (settle !== undefined) kernel.onIdle = (open) => settleFirst(kernel, open, settle);
  moved?.(kernel);
  const told: Told[] = [];
  const events: AgentEvent[] = [];
  const log: LogEntry[] = [];
  const tell = (what: string): void => void told.push({ what, at: kernel.journal.length });
  const { engine, flows, ended } = engineOf();
  const app = createApp({
    log: (entry) => void log.push(entry),
    clock: fakeClock(1_000),
    ...process,
    engine,
    hooks: [
      ...(process.hooks ?? []),
      {
        onToolStart: ({ tool }) => tell(`hook start ${tool}`),
        afterTool: ({ tool }) => tell(`hook after ${tool}`),
        onToolEnd: ({ tool }) => tell(`hook end ${tool}`),
        onToolError: ({ tool }) => tell(`hook error ${tool}`),
      },
    ],
    listeners: [
      (event) => {
        events.push(event);
        tell("tool" in event ? `${event.type} ${event.tool}` : event.type);
      },
    ],
  });
  try {
    await app.start();
    const agent = app.agents[0]?.name ?? "";
    const input = { agent, message: [{ type: "text", text: "go" }], ...order };
    const driven = drive(kernel, flows()[agent] as Flow, input, { clock: process.clock ?? fakeClock(1_000) });
    const record: Pick<RunRecord, "runId" | "flow" | "input" | "createdAt"> = {
      runId: kernel.runId,
      flow: agent,
      input,
      createdAt: 0,
    };
    const given = Promise.resolve(app.attach(kernel.runId)).then(
      (result) => ({ result, error: undefined }),
      (error: unknown) => ({ result: undefined, error }),
    );
    ended(
      await driven.then(
        (result): RunRecord => ({ ...record, state: "done", result }),
        (error: unknown): RunRecord => {
          if (error instanceof assert.AssertionError) throw error;
          return { ...record, state: "failed", error: failureOf(error) };
        },
      ),
    );
    assert.deepEqual(kernel.leftOut, [], "the journal holds what nobody asked for");
    return { ...(await given), journal: kernel.journal, ran: kernel.ran, told, events, log };
  } finally {
    forgetActs(kernel);
    await app.close();
  }
}

/** Whoever meant to begin an act is gone: nobody knows whether it began. */
function ofAnotherProcess(entry: Entry): Entry {
  return entry.key.endsWith(":intent") ? { ...entry, value: "a process that is gone" } : entry;
}

function settleFirst(kernel: ListKernel, open: readonly Leaf[], settle: NonNullable<AttemptOptions["settle"]>): void {
  for (const { op } of open)
    if (op.kind === "pause" || op.kind === "child") return kernel.settle(op.key, settle(op), open);
  throw new Error("nothing is to come");
}

/** One that only hands the flows over, and the end of the run to whoever waits for it. */
function engineOf(): {
  readonly engine: Engine;
  readonly flows: () => Readonly<Record<string, Flow>>;
  readonly ended: (record: RunRecord) => void;
} {
  const { promise, resolve } = Promise.withResolvers<RunRecord>();
  let served: Readonly<Record<string, Flow>> = {};
  const engine: Partial<Engine> = {
    threads: memoryThreads(),
    start: async () => ({ fresh: true }),
    status: async () => undefined,
    answer: async () => "unknown",
    serve: async (flows) => {
      served = flows;
      return { wake: () => undefined, close: async () => undefined };
    },
    result: () => promise,
    list: async () => [],
    pauses: async () => [],
    cancel: async () => true,
    close: async () => undefined,
  };
  return { engine: engine as Engine, flows: () => served, ended: resolve };
}
