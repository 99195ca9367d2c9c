// Runs that somebody awaits in one process while another moves them: as two applications on one file, of which the first has
// its hands full.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { z } from "zod";
import { defineAgent } from "../../src/agent/define-agent.ts";
import type { App } from "../../src/app/create-app.ts";
import { createApp } from "../../src/app/create-app.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { sqlite } from "../../src/durable/sqlite/sqlite-engine.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import type { ScriptedReply } from "../../src/models/scripted-reply.ts";
import { milliseconds, seconds } from "../../src/std/units.ts";
import type { FakeClock } from "../../src/testing/fake-clock.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { temporaryFolder } from "../lib/temporary-tree.ts";
import { until } from "./support.ts";

const owner = { ownerId: "u-1" };
const user = { id: "u-1" };
const asks = { calls: [{ name: "guarded" }] };

function tool(name: string, execute: () => unknown, more: object = {}): AnyTool {
  return defineTool({ name, description: "Does", input: z.object({}), execute, ...more } as never) as AnyTool;
}

/** The reply of each turn, whichever process asks for it. */
function turns(...replies: readonly (string | ScriptedReply)[]) {
  return scriptedModel(({ prompt }) => replies[prompt.filter(({ role }) => role === "assistant").length] ?? "no more");
}

interface Offices {
  /** Moves one run at once. */
  readonly here: App;
  readonly there: App;
  /** Gives the first application a run that goes on until the end of the test. */
  occupy(): Promise<void>;
  /** Of the first application. */
  readonly clock: FakeClock;
  /** Lets the boss go on, who is at a tool of its own before it calls its helper. */
  goOn(): void;
}

function offices(t: TestContext): Offices {
  const path = join(temporaryFolder(t), "runs.db");
  const over = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const clock = fakeClock(Date.now());
  const open = (maxRuns: number, more: object = {}): App => {
    const guarded = tool("guarded", () => "done it", { policy: "needs-approval" });
    const hang = tool("hang", () => over.promise, { timeout: "none" });
    const prepare = tool("prepare", () => gate.promise, { timeout: "none" });
    const works = { description: "Works" };
    const helper = defineAgent({ ...works, name: "helper", model: turns(asks, "helped"), tools: [guarded] });
    const preparing = { calls: [{ name: "prepare" }] };
    const calling = { calls: [{ name: "helper", input: { message: "help me" } }] };
    const app = createApp({
      agents: [
        defineAgent({ ...works, name: "desk", model: turns(asks, asks, asks, "done"), tools: [guarded] }),
        defineAgent({ ...works, name: "boss", model: turns(preparing, calling, "done"), tools: [helper, prepare] }),
        defineAgent({ ...works, name: "busy", model: turns({ calls: [{ name: "hang" }] }, "done"), tools: [hang] }),
      ],
      engine: sqlite(path, { maxRuns }),
      ...more,
      log: () => undefined,
    });
    t.after(async () => {
      over.resolve();
      await app.close();
    });
    return app;
  };
  const [here, there] = [open(1, { clock }), open(10)];
  const occupy = async (): Promise<void> => {
    here.run("busy", "go");
    await until(async () => ((await here.runs({ agent: "busy" }))[0]?.state === "running" ? true : undefined));
  };
  return { here, there, occupy, clock, goOn: gate.resolve };
}

/** What comes while the first application looks around now and then. */
async function awaited<T>(work: PromiseLike<T>, clock: FakeClock): Promise<T> {
  let settled: { readonly value: T } | undefined;
  void Promise.resolve(work).then((value) => (settled = { value }));
  const { value } = await until(async () => {
    await clock.advance(milliseconds(1));
    return settled;
  });
  return value;
}

describe("a run that another process moves", () => {
  it("is told to wait where it was started", async (t) => {
    const { here, there, occupy, clock } = offices(t);
    await occupy();
    await there.start();
    const { status, pending } = await awaited(here.run("desk", "go", { user }), clock);
    assert.deepEqual([status, pending.length], ["waiting", 1]);
  });

  it("is told to wait where the agent it called is moved elsewhere", async (t) => {
    const { here, there, occupy, clock, goOn } = offices(t);
    const run = here.run("boss", "go", { user });
    const waiting = Promise.resolve(run);
    await until(async () => ((await here.runs({ agent: "boss" }))[0]?.state === "running" ? true : undefined));
    // Long enough for a look that sees it moved here.
    await clock.advance(seconds(1));
    goOn();
    await occupy();
    await there.start();
    const { status, pending, calls } = await awaited(waiting, clock);
    assert.deepEqual([status, pending.map(({ value }) => value.tool), calls.length], ["waiting", ["guarded"], 1]);
  });

  it("waits for what it waits for now, for whoever had it before or answers it", async (t) => {
    const { here, there, occupy, clock } = offices(t);
    const run = here.run("desk", "go", { user });
    const first = await run;
    await occupy();
    await there.start();
    const decision = "approve";
    const second = await there.resume({ pauseId: first.pending[0]?.pauseId ?? "", decision }, owner);
    assert.notDeepEqual(second.pending, first.pending);
    assert.deepEqual((await run).pending, second.pending);
    const third = await awaited(here.resume({ pauseId: second.pending[0]?.pauseId ?? "", decision }, owner), clock);
    assert.equal(third.status, "waiting");
    assert.deepEqual(third.pending, (await there.attach(run.runId)).pending);
    assert.notDeepEqual(third.pending, second.pending);
  });
});

describe("messages that take over at once from several processes", () => {
  it("leave one of them, the one stored last", async (t) => {
    const path = join(temporaryFolder(t), "runs.db");
    const gate = Promise.withResolvers<void>();
    const opened = (): App => {
      const model = turns({ calls: [{ name: "wait" }] }, "done");
      const tools = [tool("wait", () => gate.promise)];
      const desk = defineAgent({ name: "desk", description: "Answers", model, tools });
      const app = createApp({ agents: [desk], engine: sqlite(path), log: () => undefined });
      t.after(() => app.close());
      return app;
    };
    const apps = [opened(), opened()];
    const order = { threadId: "t", user, onBusy: "supersede" } as const;
    const ends = [0, 1, 2, 3].map((index) =>
      apps[index % 2]!.run("desk", "go", order).then(
        ({ status }) => status,
        ({ code }: { readonly code: string }) => code,
      ),
    );
    const unfinished = async () => apps[0]!.runs({ states: ["queued", "running", "waiting"] });
    const everything = async () => apps[0]!.runs({});
    await until(async () =>
      (await everything()).length === 4 && (await unfinished()).length === 1 ? true : undefined,
    );
    gate.resolve();
    assert.deepEqual((await Promise.all(ends)).sort(), ["done", "run.cancelled", "run.cancelled", "run.cancelled"]);
    const [newest] = await everything();
    assert.equal(newest?.state, "done");
  });
});
