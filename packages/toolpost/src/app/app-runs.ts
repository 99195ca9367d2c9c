// Where the runs of an application are kept and moved: in its memory, or by an engine.
// Types only; the application chooses one when it is made, and nobody else asks which.

import type { ApprovalQuestion, OpenQuestion } from "../core/approval.ts";
import type { Answer, Failure, JournalEntry, RunLease, RunState } from "../core/run.ts";
import type { RunHandle } from "../core/run-handle.ts";
import type { Json } from "../std/json.ts";
import type { OrderedRun } from "./ordered-run.ts";
import type { PauseAnswer, PauseAnswerer } from "./pause-answer.ts";

/** A run as those see it who look after an application. Times are epoch milliseconds. */
export interface RunSummary {
  readonly runId: string;
  /** Name of its agent. */
  readonly agent: string;
  readonly state: RunState;
  readonly threadId?: string;
  readonly ownerId?: string;
  /** Of an agent that was called as a tool. */
  readonly parent?: string;
  /** Of the code that started it. */
  readonly version?: string;
  readonly createdAt: number;
  readonly endedAt?: number;
  /** Also `engine.unreadable`, whatever the state: what is stored of the run could not be read. */
  readonly error?: Failure;
  /** Of the process that moves it; `isOwn` where that is this application. */
  readonly lease?: RunLease;
}

export interface RunInspection extends RunSummary {
  readonly input: Json;
  /** As awaiting the run gives it, once it is done. */
  readonly result?: Json;
  readonly journal: readonly JournalEntry[];
  readonly approvals: readonly ApprovalRecord[];
}

export interface RunsFilter {
  readonly states?: readonly RunState[];
  readonly agent?: string;
  /** Of that run and the agents it called. */
  readonly under?: string;
  /** What the id starts with; agents that such a run called have it as well. */
  readonly prefix?: string;
  /** Newest first; default 100. */
  readonly limit?: number;
}

/** A question to a person, with what became of it: the record of an approval. */
export interface ApprovalRecord {
  readonly pauseId: string;
  readonly runId: string;
  readonly state: "waiting" | "answered" | "expired" | "closed";
  readonly value: ApprovalQuestion | OpenQuestion;
  /** Whether a channel asked, and not the owner of the run. */
  readonly isChannelAsked: boolean;
  readonly ownerId?: string;
  readonly askedAt: number;
  readonly expiresAt?: number;
  readonly answer?: Answer;
  readonly answeredAt?: number;
  readonly answeredBy?: Json;
  /** `engine.unreadable`: what is stored of it could not be read, and it cannot be answered here; then `value` is a stand-in. */
  readonly error?: Failure;
}

export interface ApprovalsFilter {
  readonly pauseId?: string;
  /** What the id starts with. */
  readonly prefix?: string;
  readonly under?: string;
  /** Those too that are answered, expired or closed. */
  readonly answered?: boolean;
}

export interface AppRuns {
  run(order: OrderedRun): RunHandle;
  resume(answer: PauseAnswer, by: PauseAnswerer): RunHandle;
  answer(answer: PauseAnswer, by: PauseAnswerer): Promise<void>;
  attach(runId: string): RunHandle;
  cancel(runId: string, reason?: string): Promise<boolean>;
  list(filter: RunsFilter): Promise<readonly RunSummary[]>;
  inspect(runId: string): Promise<RunInspection | undefined>;
  approvals(filter: ApprovalsFilter): Promise<readonly ApprovalRecord[]>;
  prune(endedBefore: number): Promise<number>;
  /** Takes up what was left. */
  start(): Promise<void>;
  /** Ends, or hands over, what goes on. */
  close(): Promise<void>;
}
