// Flows over a kernel that keeps a journal in a list, replayed from every prefix of it as if the process had ended there.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { after, ListKernel, replaysAlike } from "../../test/lib/list-kernel.ts";
import type { Answer, Flow, Leaf, Run, Task } from "../core/run.ts";
import type { Json } from "../std/json.ts";
import { drive } from "./drive.ts";

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

  it("settles a pause itself, as any other would, and once", async () => {
    const flow: Flow = async (run) => {
      const asked = run.pause("ask", { kind: "question", data: null, expiresAt: 5 });
      await run.settlePause("told", "ask", { type: "answer", value: "yes" }, { channel: "desk" });
      await run.settlePause("again", "ask", { type: "closed" });
      await run.closePauses("close");
      return [(await asked) as Json, await run.step("then", () => 1)];
    };
    assert.deepEqual(await replaysAlike(flow), [{ type: "answer", value: "yes" }, 1]);
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
    [
      "names a step by half a character",
      (run) => run.step("a\ud83e", () => 1) as never,
      /the key "a\\ud83e" holds a NUL or half/,
    ],
    ["names a step with a NUL", (run) => run.step("a\0b", () => 1) as never, /the key "a\\u0000b" holds a NUL or half/],
    [
      "names a branch by half a character",
      (run) => run.all([run.branch("\udd8a", async (own) => own.step("a", () => 1))]) as never,
      /holds a NUL or half a character/,
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
