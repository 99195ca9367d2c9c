// A kernel that keeps its journal in a list, and a look at a flow from every prefix of it, as if the process had ended there.
import assert from "node:assert/strict";
import type { Answer, Flow, Kernel, Leaf, Op } from "../../src/core/run.ts";
import { drive } from "../../src/durable/drive.ts";
import { type Json, parseJson } from "../../src/std/json.ts";

export interface Entry {
  readonly key: string;
  readonly value: Json;
}

/** A step's work settles in the order `pace` gives; what the journal holds is given again in the order it holds it. */
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
  readonly #replayed: readonly Entry[];
  readonly #asked = new Map<string, Leaf>();
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
    const isKnown = this.#known.has(op.key);
    if (isKnown) this.#held.set(op.key, leaf);
    else if (op.kind === "step") {
      this.ran.push(op.key);
      void op.fn(this.signal).then((value) => this.arrive(leaf, value));
    } else if (op.kind === "close") this.arrive(leaf, null);
    else if (op.kind === "pause") this.#asked.set(op.key, leaf);
    // Also one that was settled before: an answer is kept beside the journal.
    if (op.kind === "close" && op.answer.type !== "expired") this.#answer(op.pause, op.answer);
    return leaf;
  }

  /** The first answer counts. */
  #answer(pause: string, answer: Answer): void {
    const asked = this.#asked.get(pause);
    this.#asked.delete(pause);
    if (asked !== undefined) this.arrive(asked, answer as Json);
  }

  arrive(leaf: Leaf, value: Json): void {
    this.#arrived.push({ leaf, value });
    this.#poke();
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

  /** What is open when nothing has arrived. */
  onIdle: (open: readonly Leaf[]) => void = () => assert.fail("nothing is to come");

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
      const poked = new Promise<void>((resolve) => (this.#poke = resolve));
      if (open.every(({ op }) => op.kind !== "step")) this.onIdle(open);
      await poked;
    }
  }
}

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
