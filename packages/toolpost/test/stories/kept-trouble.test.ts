// Trouble around runs that an engine keeps: answers without an id, a store or codec that fails once, ids used again.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { z } from "zod";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { createApp } from "../../src/app/create-app.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { Message } from "../../src/core/message.ts";
import type { Tool } from "../../src/core/tool.ts";
import { memoryEngine, sqlite } from "../../src/durable/sqlite/sqlite-engine.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import { minutes, seconds } from "../../src/std/units.ts";
import { temporaryFolder } from "../lib/temporary-tree.ts";
import { desk } from "./support.ts";

const user = { id: "u-1" };

function guarded(execute: () => unknown): Tool {
  return defineTool({ name: "wipe", description: "W", input: z.object({}), policy: "needs-approval", execute }) as Tool;
}

describe("an answer without an id", () => {
  for (const engine of ["in memory", "kept"]) {
    it(`answers nothing, whoever gives it, ${engine}`, async () => {
      let wiped = 0;
      const { app, agent } = desk([{ calls: [{ name: "wipe" }] }], [guarded(() => ++wiped)], {
        app: { engine: engine === "kept" ? memoryEngine() : undefined },
      });
      assert.equal((await app.run(agent, "x", { user })).status, "waiting");
      for (const pauseId of [undefined, null, "", 5]) {
        for (const by of [{ ownerId: "u-1" }, { operator: "Ann" }]) {
          const given = { pauseId, decision: "approve" } as never;
          await assert.rejects(Promise.resolve(app.resume(given, by)), { code: "approval.unknown-pause" });
          await assert.rejects(app.answer(given, by), { code: "approval.unknown-pause" });
        }
      }
      const [approval] = await app.approvals();
      await assert.rejects(app.answer({ pauseId: approval?.pauseId ?? "", decision: "approve" }, null as never), {
        code: "approval.wrong-answerer",
      });
      assert.equal(wiped, 0);
      await app.close();
    });
  }
});

describe("a store or codec that fails once", () => {
  it("loses no exchange of a thread: the run is tried again", async () => {
    const kept: Message[] = [];
    let fails = 1;
    const threads = {
      read: async () => [],
      append: async (_thread: unknown, messages: readonly Message[]) => {
        if (fails-- > 0) throw new Error("connection refused");
        kept.push(...messages);
      },
    };
    const agent = defineAgent({ name: "desk", description: "D", model: scriptedModel(["hello"]), tools: [] });
    const engine = memoryEngine({ lease: seconds(1) });
    const app = createApp({ agents: [agent], engine, threads, log: () => undefined });
    assert.equal((await app.run(agent, "hi", { threadId: "t" })).text, "hello");
    assert.deepEqual(
      kept.map(({ role }) => role),
      ["user", "assistant"],
    );
    await app.close();
  });

  it("fails no run after its effect", async () => {
    let isBroken = false;
    let effects = 0;
    const codec = {
      encode: (bytes: Uint8Array) => {
        if (isBroken) {
          isBroken = false;
          throw new Error("the key server is away");
        }
        return bytes;
      },
      decode: (bytes: Uint8Array) => bytes,
    };
    const act = defineTool({
      name: "act",
      description: "A",
      input: z.object({}),
      annotations: { idempotent: true },
      execute: () => {
        effects++;
        isBroken = effects === 1;
        return "acted";
      },
    }) as Tool;
    const model = scriptedModel([{ calls: [{ name: "act" }] }, "done"]);
    const agent = defineAgent({ name: "desk", description: "D", model, tools: [act] });
    const engine = memoryEngine({ lease: seconds(1), codec });
    const app = createApp({ agents: [agent], engine, log: () => undefined });
    const result = await app.run(agent, "go");
    assert.deepEqual([result.text, result.calls[0]?.text, effects], ["done", "acted", 2]);
    await app.close();
  });
});

describe("what is pruned", () => {
  it("is not a cancelled run whose exchange is still to come to its thread", async (t) => {
    const path = join(await temporaryFolder(t), "runs.db");
    const ask = { calls: [{ name: "wipe" }] };
    const open = (replies: Parameters<typeof scriptedModel>[0]) => {
      const agent = defineAgent({
        name: "desk",
        description: "D",
        model: scriptedModel(replies),
        tools: [guarded(() => 1)],
      });
      return createApp({ agents: [agent], engine: sqlite(path), log: () => undefined });
    };
    const first = open([ask]);
    const { runId } = await first.run("desk", "one", { threadId: "t" });
    await first.close();
    const operator = createApp({ agents: [], engine: sqlite(path), log: () => undefined });
    assert.equal(await operator.cancel(runId, "enough"), true);
    assert.equal(await operator.prune({ olderThan: minutes(0.000_001) }), 0);
    await operator.close();
    const second = open(["two"]);
    const { messages } = await second.run("desk", "again", { threadId: "t" });
    assert.equal(messages.length, 2);
    await second.close();
    const engine = sqlite(path);
    const history = await engine.threads.read({ threadId: "t", ownerId: undefined });
    assert.deepEqual(
      history.map(({ role }) => role),
      ["user", "assistant", "tool", "user", "assistant"],
    );
    await engine.close();
  });
});

describe("a run whose id is used again", () => {
  it("does its acts, after the one before was cancelled in the middle and pruned", async () => {
    const engine = memoryEngine();
    const begun = Promise.withResolvers<void>();
    let acts = 0;
    await engine.serve({
      daily: async (run) =>
        await run.step(
          "pay",
          ({ signal }) => {
            acts++;
            begun.resolve();
            return acts > 1
              ? "paid"
              : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
          },
          { interrupted: () => "nobody knows" },
        ),
    });
    await engine.start({ flow: "daily", runId: "daily", input: null });
    await begun.promise;
    await engine.cancel("daily");
    await engine.result("daily");
    await engine.serve({}).then(() => undefined);
    while ((await engine.prune({ endedBefore: Date.now() + 1 })) === 0) await new Promise(setImmediate);
    await engine.start({ flow: "daily", runId: "daily", input: null });
    assert.equal((await engine.result("daily")).result, "paid");
    await engine.close();
  });

  it("is refused a wait that never ends", async () => {
    const engine = memoryEngine();
    await engine.serve({ wait: async (run) => (await run.sleep("s", { ms: Number.NaN })) ?? null });
    await engine.start({ flow: "wait", runId: "r", input: null });
    assert.deepEqual((await engine.result("r")).error, {
      message: "the time of `s` is `NaN`: give a number of milliseconds",
      code: "run.misuse",
    });
    await engine.close();
  });
});
