// A kernel that keeps its journal in a list, and a look at a flow from every prefix of it, as if the process had ended there.
import assert from "node:assert/strict";
import type { Flow, Kernel, Leaf, Op } from "../../src/core/run.ts";
import { drive } from "../../src/durable/drive.ts";
import { type Json, parseJson } from "../../src/std/json.ts";

export interface Entry {
  readonly key: string;
  readonly value: Json;
}

/**
 * What the journal holds is given again in the order it holds it. As of any kernel, nothing begins before all of the journal
 * was given; with a `pace` nor while something that has settled is to be given.
 */
export class ListKernel implements Kernel {
  readonly journal: Entry[];
  readonly abort: AbortController = new AbortController();
  /** Steps whose work really ran, in the order they began. */
  readonly ran: string[] = [];
  readonly issued: string[] = [];
  readonly #known: ReadonlySet<string>;
  /** Asked for and in the journal. */
  readonly #held = new Map<string, Leaf>();
  /** Come to before anybody waited for it. */
  readonly #parked: Leaf[] = [];
  #position = 0;
  readonly #arrived: { readonly leaf: Leaf; readonly value: Json }[] = [];
  #starts: Leaf[] = [];
  #writes: Promise<void> = Promise.resolve();
  #underWay = 0;
  readonly #replayed: readonly Entry[];
  /** Pauses and children that wait. */
  readonly #asked = new Map<string, Leaf>();
  readonly #closed = new Map<string, Json>();
  #poke: () => void = () => undefined;

  constructor(journal: readonly Entry[] = []) {
    this.journal = [...journal];
    this.#replayed = journal;
    this.#known = new Set(journal.map(({ key }) => key));
  }

  get runId(): string {
    return "run_1";
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  get hasJournal(): boolean {
    return this.#replayed.length > 0;
  }

  issue(op: Op): Leaf {
    this.issued.push(op.key);
    const leaf: Leaf = { op };
    // Also one that was closed before: an answer is kept beside the journal.
    if (op.kind === "close" && !this.#closed.has(op.pause))
      this.#closed.set(op.pause, op.answer.type === "expired" ? expired : (op.answer as Json));
    else if (op.kind === "close-child" && op.isCancelled) this.#closed.set(op.child, cancelled);
    if (this.#known.has(op.key)) this.#held.set(op.key, leaf);
    else if (this.#position < this.#replayed.length || this.pace !== undefined) this.#starts.push(leaf);
    else this.#start(leaf);
    return leaf;
  }

  #start(leaf: Leaf): void {
    const { op } = leaf;
    if (op.kind === "step") {
      this.ran.push(op.key);
      void op.fn(this.signal).then((value) => this.arrive(leaf, value));
    } else if (op.kind === "pause" || op.kind === "child") {
      const closed = this.#closed.get(op.key);
      if (closed !== undefined && closed !== expired) this.arrive(leaf, closed);
      else this.#asked.set(op.key, leaf);
    } else if (op.kind !== "timer") {
      this.arrive(leaf, null);
      if (op.kind === "close" && op.answer.type !== "expired") this.#end(op.pause, op.answer as Json);
      else if (op.kind === "close-child" && op.isCancelled) this.#end(op.child, cancelled);
    }
  }

  /** Of a pause that nobody has answered, of a child that goes on. */
  #end(key: string, value: Json): void {
    const leaf = this.#asked.get(key);
    this.#asked.delete(key);
    if (leaf !== undefined) this.arrive(leaf, value);
  }

  arrive(leaf: Leaf, value: Json): void {
    this.#underWay++;
    this.arrivals++;
    const arrived = (): void => {
      this.#underWay--;
      this.arrivals++;
      this.#arrived.push({ leaf, value });
      this.#poke();
    };
    if (this.pace === undefined) arrived();
    else this.#writes = this.#writes.then(this.pace).then(arrived);
  }

  /** Each entry in its place: one that was not asked for by then means that the code takes another path than before. */
  #nextHeld(open: readonly Leaf[]): Leaf | undefined {
    const parked = this.#parked.findIndex((leaf) => open.includes(leaf));
    if (parked !== -1) return this.#parked.splice(parked, 1)[0];
    while (this.#position < this.#replayed.length) {
      const { key, value } = this.#replayed[this.#position++] as Entry;
      const leaf = this.#held.get(key);
      assert.ok(leaf, `the journal holds \`${key}\`, and the code did not ask for it`);
      Object.assign(leaf, { value, isReplayed: true });
      if (open.includes(leaf)) return leaf;
      this.#parked.push(leaf);
    }
    return undefined;
  }

  /** An answer, a timer, the end of a child. */
  settle(key: string, value: Json, open: readonly Leaf[]): void {
    const leaf = open.find(({ op }) => op.key === key);
    assert.ok(leaf, `${key} is not open`);
    this.#asked.delete(key);
    this.arrive(leaf, value);
  }

  /** How long it takes until what has settled is written; at once without it. */
  pace: (() => Promise<void>) | undefined = undefined;
  /** What is open when nothing has arrived. */
  onIdle: (open: readonly Leaf[]) => void = () => assert.fail("nothing is to come");
  /** The same while steps are at work: called again and again, with time between for them to go on. */
  onBusy: ((open: readonly Leaf[]) => Promise<void>) | undefined = undefined;

  /** What is open when something new may settle, each time. */
  onOpen: ((open: readonly Leaf[]) => void) | undefined = undefined;
  /** How many times something has settled. */
  arrivals = 0;

  /** Whether nothing is under way. */
  isIdle(open: readonly Leaf[]): boolean {
    return open.every(({ op }) => op.kind !== "step") && this.#underWay === 0;
  }

  /** Those of the open ones that somebody may bring about now. */
  waiting(open: readonly Leaf[]): Leaf[] {
    return open.filter((leaf) => this.#asked.get(leaf.op.key) === leaf || leaf.op.kind === "timer");
  }

  /** What it was closed as, so that nobody but who answered before has another word. */
  closedAs(key: string): Json | undefined {
    return this.#closed.get(key);
  }

  /** What the journal holds and nobody asked for. */
  get leftOut(): readonly string[] {
    return this.#replayed.map(({ key }) => key).filter((key) => !this.#held.has(key));
  }

  async select(open: readonly Leaf[]): Promise<Leaf> {
    const held = this.#nextHeld(open);
    if (held !== undefined) return held;
    for (;;) {
      const index = this.#arrived.findIndex(({ leaf }) => open.includes(leaf));
      const [next] = index === -1 ? [] : this.#arrived.splice(index, 1);
      if (next !== undefined) {
        // As a store would: what comes back is what was written.
        const written = parseJson(JSON.stringify(next.value));
        assert.ok(written.ok);
        this.journal.push({ key: next.leaf.op.key, value: written.value });
        return Object.assign(next.leaf, { value: written.value });
      }
      for (const leaf of this.#starts.splice(0)) this.#start(leaf);
      if (this.#arrived.some(({ leaf }) => open.includes(leaf))) continue;
      this.onOpen?.(open);
      let isPoked = false;
      const poked = new Promise<void>((resolve) => {
        this.#poke = () => {
          isPoked = true;
          resolve();
        };
      });
      if (this.isIdle(open)) this.onIdle(open);
      else if (this.onBusy !== undefined) while (!isPoked) await this.onBusy(open);
      await poked;
    }
  }
}

const expired: Json = { type: "expired" };
const cancelled: Json = { ok: false, error: { message: "the run above it has ended", code: "run.cancelled" } };

/** Runs a flow, then again from each prefix of its journal: the result and the journal are the same each time. */
export async function replaysAlike(
  flow: Flow,
  onIdle?: (kernel: ListKernel, open: readonly Leaf[]) => void,
): Promise<Json> {
  const run = async (journal: readonly Entry[]) => {
    const kernel = new ListKernel(journal);
    if (onIdle !== undefined) kernel.onIdle = (open) => onIdle(kernel, open);
    return { result: await drive(kernel, flow, null), kernel };
  };
  const { result, kernel: first } = await run([]);
  for (let length = 0; length <= first.journal.length; length++) {
    const prefix = first.journal.slice(0, length);
    const { result: again, kernel } = await run(prefix);
    assert.deepEqual(again, result, `from ${length} of ${first.journal.length}`);
    const done = prefix.map(({ key }) => key);
    assert.deepEqual(
      kernel.ran.filter((key) => done.includes(key)),
      [],
      "what had finished does not run again",
    );
  }
  return result;
}

export const after = (turns: number): Promise<void> =>
  turns === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(() => resolve(after(turns - 1))));
