// The journal of one attempt: what was found, what has settled since, and what the code has asked for.
// Entries are given in their order, each once its operation is open. One that the code did not ask for by then, or asks for
// as something else, means that the code is not the one that wrote it: nothing new may start.

import { ToolpostError } from "../../core/errors.ts";
import type { Leaf, Op } from "../../core/run.ts";
import type { Json } from "../../std/json.ts";
import type { Stored } from "./payloads.ts";
import type { EntryRow } from "./statements.ts";

/** An operation as an attempt keeps it. */
export class OpLeaf implements Leaf {
  readonly op: Op;
  value: Json = null;
  isReplayed = false;
  isSettled = false;

  constructor(op: Op) {
    this.op = op;
  }
}

export class Journal {
  /** How many entries the attempt found. */
  readonly length: number;
  /** The number of the last entry. */
  seq: number;
  readonly #read: (stored: Stored) => Json;
  readonly #found: readonly EntryRow[];
  /** Found, and not yet asked for. */
  readonly #unasked = new Map<string, EntryRow>();
  /** Asked for and found, and not yet come to. */
  readonly #asked = new Map<string, OpLeaf>();
  /** What has settled since, in order. */
  #settled: OpLeaf[] = [];
  /** Come to before anybody waited for it. */
  #parked: OpLeaf[] = [];
  #position = 0;
  #fault: ToolpostError | undefined = undefined;
  /** What was asked for last and is not in what was found; the message of a mismatch names it. */
  #added: string | undefined = undefined;

  constructor(entries: readonly EntryRow[], read: (stored: Stored) => Json) {
    this.#found = entries;
    this.#read = read;
    this.length = entries.length;
    this.seq = entries.at(-1)?.seq ?? 0;
    for (const entry of entries) this.#unasked.set(entry.key, entry);
  }

  /** Whether all that was found was come to. */
  get isGiven(): boolean {
    return this.#position === this.length;
  }

  /** Notes what the code asks for; false when it was not found. */
  ask(leaf: OpLeaf): boolean {
    const { key, kind } = leaf.op;
    const entry = this.#unasked.get(key);
    if (entry === undefined) {
      if (!this.isGiven) this.#added = key;
      return false;
    }
    this.#unasked.delete(key);
    this.#asked.set(key, leaf);
    if (entry.kind !== kind)
      this.#fault ??= mismatch(`\`${key}\` is a ${entry.kind} in the journal and a ${kind} in the code`);
    return true;
  }

  /** Settles what was not found. */
  settle(leaf: OpLeaf, value: Json): void {
    if (leaf.isSettled) return;
    leaf.isSettled = true;
    leaf.value = value;
    this.#settled.push(leaf);
  }

  /** The first settled operation of those that are open. @throws ToolpostError `run.replay-mismatch` */
  next(open: readonly Leaf[]): OpLeaf | undefined {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#parked.length > 0) {
      const index = this.#parked.findIndex((leaf) => open.includes(leaf));
      if (index !== -1) return this.#parked.splice(index, 1)[0];
    }
    while (this.#position < this.length) {
      const leaf = this.#come(this.#found[this.#position]!);
      this.#position++;
      if (open.includes(leaf)) return leaf;
      this.#parked.push(leaf);
    }
    if (this.#settled.length === 0) return undefined;
    return this.#nextSettled(open);
  }

  /** As `next` where the first entry that was not come to is what is waited for: the whole of most replays. */
  replayed(open: readonly Leaf[]): OpLeaf | undefined {
    if (this.isGiven || this.#parked.length > 0 || this.#fault !== undefined) return undefined;
    const entry = this.#found[this.#position]!;
    const leaf = this.#asked.get(entry.key);
    if (leaf === undefined || !open.includes(leaf)) return undefined;
    try {
      this.#come(entry);
    } catch {
      // `next` throws it again.
      return undefined;
    }
    this.#position++;
    return leaf;
  }

  #nextSettled(open: readonly Leaf[]): OpLeaf | undefined {
    const settled = this.#settled;
    for (let index = 0; index < settled.length; index++) {
      const leaf = settled[index]!;
      if (!open.includes(leaf)) continue;
      this.#parked.push(...settled.slice(0, index));
      this.#settled = settled.slice(index + 1);
      return leaf;
    }
    this.#parked.push(...settled);
    this.#settled = [];
    return undefined;
  }

  #come({ key, value }: EntryRow): OpLeaf {
    const leaf = this.#asked.get(key);
    if (leaf === undefined) throw (this.#fault = this.#missing(key));
    leaf.value = this.#read(value);
    this.#asked.delete(key);
    leaf.isSettled = true;
    leaf.isReplayed = true;
    return leaf;
  }

  /** What the code has left out, now that it has ended. */
  leftOut(): ToolpostError | undefined {
    const [key] = this.#unasked.keys();
    return key === undefined ? undefined : this.#missing(key);
  }

  #missing(key: string): ToolpostError {
    const instead =
      this.#added === undefined ? "" : `; it asked for \`${this.#added}\`, which the journal does not hold`;
    return mismatch(`the journal holds \`${key}\`, and the code did not ask for it${instead}`);
  }
}

function mismatch(message: string): ToolpostError {
  return new ToolpostError("run.replay-mismatch", message);
}
