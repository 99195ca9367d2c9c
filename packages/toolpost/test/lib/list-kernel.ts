// A kernel that keeps its journal in a list, and a look at a flow from every prefix of it, as if the process had ended there.
import assert from "node:assert/strict";
import type { Flow, Kernel, Leaf, Op } from "../../src/core/run.ts";
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
  readonly #known: Map<string, Json>;
  readonly #arrived: { readonly leaf: Leaf; readonly value: Json }[] = [];
  readonly #replayed: readonly string[];
  readonly #asked = new Map<string, Leaf>();
  #poke: () => void = () => undefined;

  constructor(journal: readonly Entry[] = []) {
    this.journal = [...journal];
    this.#replayed = journal.map(({ key }) => key);
    this.#known = new Map(journal.map(({ key, value }) => [key, value]));
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
    if (this.#known.has(op.key)) return leaf;
    if (op.kind === "step") {
      this.ran.push(op.key);
      void op.fn(this.signal).then((value) => this.arrive(leaf, value));
    } else if (op.kind === "close") {
      this.arrive(leaf, null);
      const pause = this.#asked.get(op.pause);
      if (op.answer.type === "closed" && pause !== undefined) this.arrive(pause, op.answer);
    } else if (op.kind === "pause") {
      const { answered } = op.request;
      if (answered !== undefined) this.arrive(leaf, { type: "answer", value: answered.value });
      else this.#asked.set(op.key, leaf);
    }
    return leaf;
  }

  arrive(leaf: Leaf, value: Json): void {
    this.#arrived.push({ leaf, value });
    this.#poke();
  }

  /** An answer, a timer, the end of a child. */
  settle(key: string, value: Json, open: readonly Leaf[]): void {
    const leaf = open.find(({ op }) => op.key === key);
    assert.ok(leaf, `${key} is not open`);
    this.arrive(leaf, value);
  }

  /** What is open when nothing has arrived. */
  onIdle: (open: readonly Leaf[]) => void = () => assert.fail("nothing is to come");

  async select(open: readonly Leaf[]): Promise<Leaf> {
    const held = this.#replayed.find((key) => open.some(({ op }) => op.key === key));
    if (held !== undefined) {
      const leaf = open.find(({ op }) => op.key === held) as Leaf;
      return Object.assign(leaf, { value: this.#known.get(held), isReplayed: true });
    }
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
