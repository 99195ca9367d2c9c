// Flows over a kernel that keeps a journal in a list, replayed from every prefix of it as if the process had ended there.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ToolpostError } from "../core/errors.ts";
import type { Answer, Flow, Kernel, Leaf, Op, Run, Task, Work } from "../core/run.ts";
import { type Json, parseJson } from "../std/json.ts";
import { drive } from "./drive.ts";

interface Entry {
  readonly key: string;
  readonly value: Json;
}

/** A step's work settles in the order `pace` gives; what the journal holds is given again in the order it holds it. */
class ListKernel implements Kernel {
  readonly runId = "run_1";
  readonly journal: Entry[];
  readonly abort = new AbortController();
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
    } else if (op.kind === "pause") this.#asked.set(op.key, leaf);
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
async function replaysAlike(flow: Flow, onIdle?: (kernel: ListKernel, open: readonly Leaf[]) => void): Promise<Json> {
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

const after = (turns: number): Promise<void> =>
  turns === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(() => resolve(after(turns - 1))));

describe("a run over a kernel", () => {
  it("gives what its steps give, as JSON, the same live and replayed", async () => {
    const at = new Date(0);
    const flow: Flow = async (run) =>
      [await run.step("a", () => ({ at })), await run.step("b", () => undefined)] as never;
    assert.deepEqual(await replaysAlike(flow), [{ at: "1970-01-01T00:00:00.000Z" }, null]);
  });

  it("throws what a step threw, with its message, the same live and replayed", async () => {
    const flow: Flow = async (run) =>
      run
        .step("a", () => assert.fail("no luck"))
        .then(
          () => "not thrown",
          (error: unknown) => [error instanceof Error, (error as Error).message],
        );
    assert.deepEqual(await replaysAlike(flow), [true, "no luck"]);
  });

  it("goes on in each branch as its own steps settle, and takes the same path on replay", async () => {
    const path: string[] = [];
    const flow: Flow = async (run) => {
      const branches = [3, 1, 2].map((slow, branch) =>
        run.branch(`b${branch}`, async (own) => {
          for (let step = 0; step < 3; step++)
            path.push(await own.step(`s${step}`, () => after(slow).then(() => `${branch}${step}`)));
          return branch;
        }),
      );
      path.length = 0;
      return [await run.all(branches), [...path]] as never;
    };
    const kernel = new ListKernel();
    const [values, taken] = (await drive(kernel, flow, null)) as [Json, string[]];
    assert.deepEqual(
      [values, taken.toSorted()],
      [
        [0, 1, 2],
        ["00", "01", "02", "10", "11", "12", "20", "21", "22"],
      ],
    );
    assert.notDeepEqual(taken, taken.toSorted());
    const replay = new ListKernel(kernel.journal);
    assert.deepEqual(await drive(replay, flow, null), [values, taken]);
    assert.deepEqual([replay.ran, replay.journal], [[], kernel.journal]);
  });

  it("gives the first that settles, by the journal, then the next of the rest", async () => {
    const flow: Flow = async (run) => {
      const open: Task<unknown>[] = [
        run.step("slow", () => after(6)),
        run.step("fast", () => "f"),
        run.step("bad", () => after(3).then(() => assert.fail("b"))),
      ];
      const order: unknown[] = [];
      while (open.length > 0) {
        const { index, key, ...came } = await run.next(open);
        open.splice(index, 1);
        order.push([index, key, came]);
      }
      return order as Json;
    };
    assert.deepEqual(await replaysAlike(flow), [
      [1, "fast", { ok: true, value: "f" }],
      [1, "bad", { ok: false, error: "b" }],
      [0, "slow", { ok: true, value: null }],
    ]);
  });

  it("gives of several that have settled the one that settled first", async () => {
    const flow: Flow = async (run) => {
      const open = [run.step("a", () => after(4)), run.step("b", () => after(2))];
      await run.step("busy", () => after(9));
      return (await run.next(open)).key;
    };
    assert.equal(await replaysAlike(flow), "b");
  });

  it("waits for people in any order while the other branches go on", async () => {
    const flow: Flow = async (run) =>
      run.all(
        ["x", "y", "z"].map((name) =>
          run.branch(name, async (own) => {
            const answer = await own.pause("ask", { kind: "question", data: name });
            return own.step("use", () => [name, answer.type === "answer" ? answer.value : answer.type]);
          }),
        ),
      ) as Promise<Json>;
    const given = ["z", "x", "y"];
    const answer = (kernel: ListKernel, open: readonly Leaf[]): void => {
      const next = given.find((name) => open.some(({ op }) => op.key === `${name}/ask`)) as string;
      kernel.settle(`${next}/ask`, { type: "answer", value: next.toUpperCase() }, open);
    };
    assert.deepEqual(await replaysAlike(flow, answer), [
      ["x", "X"],
      ["y", "Y"],
      ["z", "Z"],
    ]);
  });

  it("closes a pause at its expiry, and takes the word of whoever closed it", async () => {
    for (const word of [{ type: "expired" }, { type: "answer", value: "just in time" }] as const) {
      const flow: Flow = async (run) =>
        (await run.pause("ask", { kind: "question", data: null, expiresAt: 5 })) as never;
      const idle = (kernel: ListKernel, open: readonly Leaf[]): void => {
        const keys = open.map(({ op }) => op.key);
        if (keys.includes("ask:expiry")) kernel.settle("ask:expiry", null, open);
        else kernel.settle("ask", word as Json, open);
      };
      assert.deepEqual(await replaysAlike(flow, idle), word);
    }
  });

  it("no longer waits for the expiry of a pause that was answered", async () => {
    const open: string[][] = [];
    const flow: Flow = async (run) => {
      const answer: Answer = await run.pause("ask", { kind: "question", data: null, expiresAt: 5 });
      await run.step("use", () => after(2));
      return answer.type;
    };
    const kernel = new ListKernel();
    kernel.onIdle = (leaves) => kernel.settle("ask", { type: "answer", value: 1 }, leaves);
    const select = kernel.select.bind(kernel);
    kernel.select = (leaves) => {
      open.push(leaves.map(({ op }) => op.key));
      return select(leaves);
    };
    assert.equal(await drive(kernel, flow, null), "answer");
    assert.deepEqual(open, [["ask", "ask:expiry"], ["use"]]);
  });

  it("keeps the moment it sleeps until, the time it read and the number it drew", async () => {
    let now = 1_000;
    const clock = { now: () => now++, schedule: () => assert.fail() };
    const flow: Flow = async (run) => {
      const read = [await run.now("t"), await run.random("r")];
      await run.sleep("nap", { ms: 500 });
      return read;
    };
    const first = new ListKernel();
    const ats: number[] = [];
    first.onIdle = (open) => {
      for (const { op } of open) if (op.kind === "timer") ats.push(op.at);
      first.settle("nap", null, open);
    };
    const result = (await drive(first, flow, null, { clock: clock as never })) as number[];
    assert.deepEqual([result[0], ats], [1_000, [1_501]]);
    assert.ok((result[1] as number) >= 0 && (result[1] as number) < 1);
    assert.deepEqual(await drive(new ListKernel(first.journal), flow, null, { clock: clock as never }), result);
  });

  it("does an act that must not be done twice no more where another process began it", async () => {
    const done: string[] = [];
    const pay = (): string => {
      done.push("paid");
      return "paid";
    };
    const flow: Flow = async (run) => run.step("pay", pay, { interrupted: () => "unknown" });
    const kernel = new ListKernel();
    assert.equal(await drive(kernel, flow, null), "paid");
    assert.deepEqual(
      kernel.journal.map(({ key }) => key),
      ["pay:intent", "pay"],
    );
    const foreign = new ListKernel([{ key: "pay:intent", value: "another process" }]);
    assert.equal(await drive(foreign, flow, null), "unknown");
    assert.deepEqual(done, ["paid"]);
    // Given up before it began, in this very process: nothing has happened yet.
    const own = new ListKernel(kernel.journal.slice(0, 1));
    assert.equal(await drive(own, flow, null), "paid");
  });

  it("does an act that must not be done twice no more where an attempt of this process began it", async () => {
    let begun = 0;
    const stuck = (): Promise<string> => {
      begun++;
      return new Promise(() => undefined);
    };
    const flow: Flow = async (run) => run.step("pay", stuck, { interrupted: () => "unknown" });
    const first = new ListKernel();
    const driven = drive(first, flow, null);
    while (begun === 0) await after(1);
    first.abort.abort(new Error("the lease is lost"));
    await assert.rejects(driven, /the lease is lost/);
    assert.equal(await drive(new ListKernel(first.journal), flow, null), "unknown");
    assert.equal(begun, 1);
  });

  it("gives steps their key and the run's signal", async () => {
    const kernel = new ListKernel();
    const seen: unknown[] = [];
    const flow: Flow = async (run) =>
      run.branch("b", (own) =>
        own.step("s", ({ idempotencyKey, signal }) => seen.push(idempotencyKey, signal === kernel.signal)),
      );
    await drive(kernel, flow, null);
    assert.deepEqual(seen, ["run_1/b/s", true]);
  });

  it("keeps the code and the data of an error, and gives whoever did the work the very one that was thrown", async () => {
    const thrown = new ToolpostError("model.failed", "no answer", { data: { status: 503 } });
    const flow: Flow = async (run) => {
      const outcome = run.step("a", () => Promise.reject(thrown));
      return outcome.then(
        () => "not thrown",
        (error: ToolpostError) => [error.code, error.message, error.data, error === thrown] as Json,
      );
    };
    const live = new ListKernel();
    assert.deepEqual(await drive(live, flow, null), ["model.failed", "no answer", { status: 503 }, true]);
    assert.deepEqual(live.journal, [
      {
        key: "a",
        value: { ok: false, error: { message: "no answer", code: "model.failed", data: { status: 503 } } },
      },
    ]);
    assert.deepEqual(await drive(new ListKernel(live.journal), flow, null), [
      "model.failed",
      "no answer",
      { status: 503 },
      false,
    ]);
  });

  it("gives what a branch throws and returns as it is", async () => {
    const thrown = new RangeError("of the branch");
    const returned = new Map([[1, 2]]);
    const flow: Flow = async (run) => {
      const open = [run.branch("a", () => Promise.reject(thrown)), run.branch("b", () => returned)];
      const first = await run.next(open);
      return [
        first.ok ? first.value : first.error,
        await open[0]!.then(undefined, (error) => error === thrown),
        (await open[1]) === returned,
      ] as Json;
    };
    assert.deepEqual(await replaysAlike(flow), ["of the branch", true, true]);
  });

  it("does work whose value is more than JSON, and goes on with what was written", async () => {
    const reads: unknown[] = [];
    const work: Work<Map<string, number>, { readonly unit: number }> = {
      perform: async ({ unit }, { idempotencyKey }) => new Map([[idempotencyKey, unit]]),
      write: (map) => [...map],
      read: (written, { unit }, isReplayed) => {
        reads.push([unit, isReplayed]);
        return new Map(written as [string, number][]);
      },
    };
    const flow: Flow = async (run) => {
      const map = await run.perform("a", work, { unit: 3 });
      return [map instanceof Map, [...map]] as Json;
    };
    const live = new ListKernel();
    assert.deepEqual(await drive(live, flow, null), [true, [["run_1/a", 3]]]);
    assert.deepEqual(live.journal, [{ key: "a", value: { ok: true, value: [["run_1/a", 3]] } }]);
    assert.deepEqual(await drive(new ListKernel(live.journal), flow, null), [true, [["run_1/a", 3]]]);
    assert.deepEqual(reads, [
      [3, false],
      [3, true],
    ]);
  });

  it("makes work at most once where it says what stands for an unknown outcome", async () => {
    let done = 0;
    const work: Work<string, boolean> = {
      perform: () => `paid ${++done}`,
      interrupted: (isOnce) => (isOnce ? () => "unknown" : undefined),
    };
    const flow: Flow = async (run) => run.perform("pay", work, true);
    const foreign = new ListKernel([{ key: "pay:intent", value: "another process" }]);
    assert.equal(await drive(foreign, flow, null), "unknown");
    const again: Flow = async (run) => run.perform("pay", work, false);
    const live = new ListKernel();
    assert.equal(await drive(live, again, null), "paid 1");
    assert.deepEqual(
      live.journal.map(({ key }) => key),
      ["pay"],
    );
  });

  it("says in each branch whether what it waited for last came out of the journal", async () => {
    const told: unknown[] = [];
    const flow: Flow = async (run) => {
      told.push(["start", run.isReplaying]);
      await run.step("a", () => 1);
      told.push(["a", run.isReplaying]);
      const late = run.step("late", () => after(4));
      const branch = run.branch("b", async (own) => {
        told.push(["b", own.isReplaying]);
        await own.step("c", () => 2);
        told.push(["c", own.isReplaying]);
      });
      await late;
      told.push(["late", run.isReplaying]);
      // It settled before, and this branch went past it only now.
      await branch;
      told.push(["end", run.isReplaying]);
      return null;
    };
    const live = new ListKernel();
    await drive(live, flow, null);
    const names = told.splice(0).map((each) => (each as string[])[0]);
    assert.deepEqual(names, ["start", "a", "b", "c", "late", "end"]);
    for (let length = 0; length <= 3; length++) {
      await drive(new ListKernel(live.journal.slice(0, length)), flow, null);
      const replayed = told.splice(0).filter((each) => (each as unknown[])[1]);
      assert.deepEqual(
        replayed.map((each) => (each as string[])[0]),
        [[], ["start", "a", "b"], ["start", "a", "b", "c"], names][length],
      );
    }
  });

  it("closes every pause that still waits, and none that was answered", async () => {
    const flow: Flow = async (run) => {
      const asked = ["x", "y", "z"].map((name) =>
        run.branch(name, (own) => own.pause("ask", { kind: "question", data: name })),
      );
      await run.next(asked);
      await run.closePauses("close");
      await run.closePauses("none");
      return (await run.all(asked)) as never;
    };
    const idle = (kernel: ListKernel, open: readonly Leaf[]): void =>
      kernel.settle("y/ask", { type: "answer", value: 1 }, open);
    assert.deepEqual(await replaysAlike(flow, idle), [
      { type: "closed" },
      { type: "answer", value: 1 },
      { type: "closed" },
    ]);
    const kernel = new ListKernel();
    kernel.onIdle = (open) => idle(kernel, open);
    await drive(kernel, flow, null);
    assert.deepEqual(
      kernel.issued.filter((key) => key.startsWith("close")),
      ["close:x/ask", "close:z/ask"],
    );
  });

  it("hands the flow its attempt", async () => {
    const attempt = { runId: "run_1", signal: new AbortController().signal, onCancel() {}, onRest() {} };
    const flow: Flow = async (_run, input, own) => [input, own === attempt];
    assert.deepEqual(await drive(new ListKernel(), flow, 5, { attempt }), [5, true]);
  });

  it("ends with what its kernel gives up for, also while the flow waits for something of its own", async () => {
    const reason = new Error("the lease is lost");
    const kernel = new ListKernel();
    const stuck: Flow = () => new Promise(() => undefined);
    const driven = drive(kernel, stuck, null);
    kernel.abort.abort(reason);
    await assert.rejects(driven, reason);
    const thrown = new ListKernel();
    thrown.select = () => Promise.reject(reason);
    await assert.rejects(
      drive(thrown, (run) => run.step("s", () => 1) as never, null),
      reason,
    );
  });

  it("throws what the flow threw itself", async () => {
    const error = new TypeError("of the flow");
    await assert.rejects(
      drive(
        new ListKernel(),
        async () => {
          throw error;
        },
        null,
      ),
      error,
    );
  });
});

describe("a flow that no replay could follow", () => {
  const misused: readonly [what: string, flow: Flow, message: RegExp][] = [
    [
      "awaits two at once",
      (run) => Promise.all([run.step("a", () => 1), run.step("b", () => 2)]),
      /two waits at once in the flow: use run.all/,
    ],
    [
      "hides that in a branch",
      (run) =>
        run.all([
          run.branch("x", async (own) =>
            Promise.all([own.step("a", () => 1), own.step("b", () => 2)]).catch(() => "hidden"),
          ),
        ]) as never,
      /two waits at once in the branch `x`/,
    ],
    [
      "awaits its parent's step in a branch",
      (run) => run.all([run.branch("x", async () => run.step("outer", () => 1))]) as never,
      /two waits at once/,
    ],
    [
      "ends while it waits",
      async (run) => {
        await Promise.race([run.step("slow", () => after(3)), after(1)]);
        return null;
      },
      /the flow ended while it was waiting/,
    ],
    [
      "uses a key twice",
      async (run) => [await run.step("a", () => 1), await run.step("a", () => 2)],
      /the key `a` is used twice/,
    ],
    ["waits for no task", async (run) => (await run.next([])) as never, /given no task/],
    [
      "waits for a promise by run.all",
      async (run: Run) => run.all([Promise.resolve(1) as never]) as never,
      /tasks of their run alone/,
    ],
  ];
  for (const [what, flow, message] of misused) {
    it(`${what} fails the whole run with the mend`, async () => {
      await assert.rejects(drive(new ListKernel(), flow, null), { code: "run.misuse", message });
    });
  }

  it("does nothing more once it failed", async () => {
    const kernel = new ListKernel();
    const flow: Flow = async (run) => {
      await Promise.all([run.step("a", () => 1), run.step("b", () => 2)]).catch(() => undefined);
      return run.step("c", () => 3);
    };
    let selects = 0;
    const select = kernel.select.bind(kernel);
    kernel.select = (open) => {
      selects++;
      return select(open);
    };
    await assert.rejects(drive(kernel, flow, null), { code: "run.misuse" });
    await after(3);
    assert.deepEqual([kernel.ran, selects], [["a", "b"], 0]);
  });
});
