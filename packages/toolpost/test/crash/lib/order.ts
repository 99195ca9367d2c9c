// What a worker process is told when it is started, and what the two sides say to each other afterwards.
// Plain data: it travels as JSON.

export interface WorkerOrder {
  /** `desk`: one run with everything in it. `serve`: moves what lies there until it is told to end. */
  readonly task: "desk" | "serve";
  readonly database: string;
  /** Where each effect is appended, one a line. */
  readonly effects: string;
  /** Where each point that is passed is appended; only in the run that counts them. */
  readonly points?: string;
  /** The worker kills itself when it comes to this point. */
  readonly killAt?: string;
  readonly leaseMs: number;
  readonly maxRuns?: number;
  readonly version?: string;
  /** The code was changed since, under the same version. */
  readonly isChanged?: boolean;
  /** Tools that wait in the middle of their work until they are let on. */
  readonly gates?: readonly string[];
}

export type ToWorker =
  | { readonly type: "run"; readonly agent: string; readonly messages: readonly string[] }
  /** Approves what waits, and goes on with it as far as that is this process's to do. */
  | { readonly type: "resume" }
  | { readonly type: "open" }
  | { readonly type: "end" };

export type FromWorker =
  | { readonly type: "up" }
  | { readonly type: "waiting" }
  | { readonly type: "ended"; readonly runId: string }
  | { readonly type: "at-gate"; readonly tool: string }
  | { readonly type: "closing" }
  | { readonly type: "resumed" }
  | { readonly type: "handle"; readonly status?: string; readonly code?: string }
  | { readonly type: "warned"; readonly message: string };
