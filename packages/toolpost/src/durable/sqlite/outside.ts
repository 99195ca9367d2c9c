// What a run waits for from outside: answers of people, ends of children, time. It is read from the store when something
// may have come, never while work is under way and nothing has changed.

import { ToolpostError } from "../../core/errors.ts";
import type { Failure, Leaf, Op, PauseRequest } from "../../core/run.ts";
import type { Json } from "../../std/json.ts";
import { cancelRuns, closedAnswer, reasonOf } from "./cancel.ts";
import type { OpLeaf } from "./journal.ts";
import { insertRun } from "./start-run.ts";
import type { PauseRow, RunRow } from "./statements.ts";
import { under } from "./statements.ts";
import type { Store } from "./store.ts";

export interface Came {
  readonly leaf: OpLeaf;
  readonly value: Json;
}

export class Outside {
  /** Whether there may be something new in the store. */
  mayHaveCome = true;
  /** Of the timers that are waited for; infinite where there is none. */
  nextTimer: number = Number.POSITIVE_INFINITY;
  hasPauses: boolean;
  readonly #store: Store;
  readonly #runId: string;
  readonly #number: number;
  readonly #asked: Set<string>;
  readonly #waiting = new Map<string, OpLeaf>();

  constructor(store: Store, runId: string, number: number, asked: readonly string[]) {
    this.#store = store;
    this.#runId = runId;
    this.#number = number;
    this.#asked = new Set(asked);
    this.hasPauses = asked.length > 0;
  }

  add(leaf: OpLeaf): void {
    this.#waiting.set(leaf.op.key, leaf);
    this.mayHaveCome = true;
  }

  /** Those that have not come. */
  leaves(): readonly OpLeaf[] {
    return [...this.#waiting.values()];
  }

  isAsked(key: string): boolean {
    return this.#asked.has(key);
  }

  /** The write that lets others see a pause. */
  asking(key: string, request: PauseRequest): () => void {
    const { statements, payloads, clock } = this.#store;
    const stored = payloads.write("request", request as unknown as Json);
    this.hasPauses = true;
    return () => {
      const { id = null, expiresAt = null } = request;
      const kept = payloads.put(this.#number, stored);
      const { changes } = statements.insertPause.run(this.#number, key, id, kept, expiresAt, clock.now());
      if (changes === 0 && statements.pause.get(this.#number, key) === undefined)
        throw new ToolpostError("run.misuse", `the pause \`${key}\` has the id of another pause: ids are unique`);
      if (!this.#asksNobody()) return;
      statements.closePauses.run(closedAnswer(this.#store), clock.now(), this.#number);
      this.mayHaveCome = true;
    };
  }

  /** The write that starts a child. */
  starting(key: string, flow: string, input: Json, version: string): () => void {
    const stored = this.#store.payloads.write("input", input);
    return () => {
      const id = `${this.#runId}/${key}`;
      insertRun(this.#store, { id, flow, version, lane: null, parent: this.#runId, input: stored });
    };
  }

  /** Within a write: settles a pause that nobody has answered. */
  close({ pause, answer, by }: Op & { readonly kind: "close" }): void {
    const { statements, payloads, clock } = this.#store;
    const stored = payloads.put(this.#number, payloads.write("answer", answer as Json, true));
    const storedBy = by === undefined ? null : payloads.put(this.#number, payloads.write("answered-by", by));
    statements.answer.run(stored, clock.now(), storedBy, this.#number, pause);
  }

  /** Within a write: closes what waits in a child and below it; what is asked there later is closed when it is asked. */
  closeChild(key: string, isCancelled: boolean): void {
    const { statements, clock } = this.#store;
    const id = `${this.#runId}/${key}`;
    if (isCancelled) cancelRuns(this.#store, id, "the run above it has ended", true);
    else
      for (const row of statements.runsUnder.all(...under(id)) as unknown as RunRow[]) {
        if (row.ended_at !== null) continue;
        statements.closePauses.run(closedAnswer(this.#store), clock.now(), row.number);
        statements.wake.run(row.id);
      }
    this.#store.commit.bump();
  }

  /** Within a write: whether a run above asks nobody any more. */
  #asksNobody(): boolean {
    const { closesChild } = this.#store.statements;
    for (let end = this.#runId.indexOf("/"); end !== -1; end = this.#runId.indexOf("/", end + 1)) {
      const below = this.#runId.slice(end + 1);
      // A key may hold slashes itself: every beginning of what is below may be the key of the child on the way.
      for (let keyEnd = below.length; keyEnd > 0; keyEnd = below.lastIndexOf("/", keyEnd - 1))
        if (
          closesChild.get(this.#runId.slice(0, end), `:${below.slice(0, keyEnd)}`, `:${below.slice(0, keyEnd)}`) !==
          undefined
        )
          return true;
    }
    return false;
  }

  /** What has come of what is open, in the order it came; each is given once. */
  take(open: readonly Leaf[]): readonly Came[] {
    const came = this.#due(open);
    if (this.mayHaveCome) came.unshift(...this.#read(open));
    for (const { leaf } of came) this.#waiting.delete(leaf.op.key);
    return came;
  }

  /** Within a write. Timers need not be looked at: a run whose timer is due is claimed. */
  hasCome(open: readonly Leaf[]): boolean {
    return this.#read(open).length > 0;
  }

  #due(open: readonly Leaf[]): Came[] {
    const came: { readonly leaf: OpLeaf; readonly value: null; readonly at: number }[] = [];
    this.nextTimer = Number.POSITIVE_INFINITY;
    if (this.#waiting.size === 0) return came;
    const now = this.#store.clock.now();
    for (const leaf of this.#waiting.values()) {
      const { op } = leaf;
      if (op.kind !== "timer") continue;
      // The expiry of a pause that was answered.
      if (!open.includes(leaf)) this.#waiting.delete(op.key);
      else if (op.at <= now) came.push({ leaf, value: null, at: op.at });
      else this.nextTimer = Math.min(this.nextTimer, op.at);
    }
    return came.sort((one, other) => one.at - other.at);
  }

  #read(open: readonly Leaf[]): Came[] {
    const { statements, payloads } = this.#store;
    const came: Came[] = [];
    const ended: { readonly leaf: OpLeaf; readonly row: RunRow }[] = [];
    let isPaused = false;
    this.mayHaveCome = false;
    for (const leaf of this.#waiting.values()) {
      const { op } = leaf;
      if (op.kind === "timer") continue;
      // Nobody waits for it at the moment; it is looked at again.
      if (!open.includes(leaf)) this.mayHaveCome = true;
      else if (op.kind === "pause") isPaused = true;
      else if (op.kind === "child") {
        const row = statements.run.get(`${this.#runId}/${op.key}`) as RunRow | undefined;
        if (row !== undefined && row.ended_at !== null) ended.push({ leaf, row });
      }
    }
    if (isPaused) {
      for (const { key, answer } of statements.answers.all(this.#number) as unknown as PauseRow[]) {
        const leaf = this.#waiting.get(key);
        if (leaf !== undefined && open.includes(leaf)) came.push({ leaf, value: payloads.read(answer) });
      }
    }
    ended.sort((one, other) => one.row.ended_at! - other.row.ended_at!);
    for (const { leaf, row } of ended) came.push({ leaf, value: this.#outcome(row) });
    return came;
  }

  #outcome(row: RunRow): Json {
    const { payloads } = this.#store;
    if (row.state === "done") return { ok: true, value: payloads.read(row.result) };
    const failure: Failure =
      row.state === "failed"
        ? (payloads.read(row.error) as unknown as Failure)
        : { message: reasonOf(this.#store, row) ?? "the run was cancelled", code: "run.cancelled" };
    return { ok: false, error: failure as unknown as Json };
  }
}
