// Cancels, waits and foreign code at moments where a call or a run has only just begun, or nobody expects them.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { createApp } from "../../src/app/create-app.ts";
import { createToolkit } from "../../src/app/create-toolkit.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import { decided } from "../../src/core/approval.ts";
import { currentContext } from "../../src/core/current-context.ts";
import type { AgentEvent } from "../../src/core/event.ts";
import type { LanguageModel, Model } from "../../src/core/model.ts";
import { ask } from "../../src/core/result.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import { milliseconds, seconds } from "../../src/std/units.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { callOnce } from "./support.ts";

const quiet = { log: () => undefined };

function agentOf(model: LanguageModel | Model, ...tools: AnyTool[]) {
  return defineAgent({ name: "a", description: "A", model, tools });
}

function tool(execute: (...given: never[]) => unknown, more: object = {}): AnyTool {
  return defineTool({ name: "t", description: "T", input: z.object({}), execute: execute as never, ...more });
}

describe("a direct call", () => {
  for (const moment of ["its policy", "its validator", "a listener", "a rule that closes the toolkit"]) {
    it(`cancelled in ${moment} does not start`, async () => {
      const cancel = new AbortController();
      let ran = 0;
      const cancelIn = <Given>(where: string, given: Given): Given => {
        if (where === moment) cancel.abort("enough");
        return given;
      };
      const called = tool(() => ran++, {
        input: z.object({}).refine(() => cancelIn("its validator", true)),
        policy: () => cancelIn("its policy", "allow"),
      });
      const toolkit = await createToolkit({
        ...quiet,
        tools: [called],
        rules: [() => (moment.startsWith("a rule") ? void toolkit.close() : undefined)],
      });
      const onEvent = (): void => cancelIn("a listener", undefined);
      const { status, errorCode } = await toolkit.call("t", {}, { signal: cancel.signal, onEvent });
      assert.deepEqual([status, errorCode, ran], ["not-started", "call.cancelled", 0]);
    });
  }

  it("whose synchronous tool cancels it is cancelled, whatever the tool comes to", async () => {
    for (const end of [() => "done", () => assert.fail("no")]) {
      const cancel = new AbortController();
      const called = tool(() => {
        cancel.abort("enough");
        return end();
      });
      const { status } = await callOnce(called, {}, { call: { signal: cancel.signal } });
      assert.equal(status, "cancelled");
    }
  });
});

describe("the signal of the current context", () => {
  it("fires in a policy and in a model when the run is cancelled", async () => {
    const fired: string[] = [];
    const listen = (where: string): void =>
      currentContext().signal.addEventListener("abort", () => fired.push(where), { once: true });
    const asked = Promise.withResolvers<void>();
    const waiting = tool(() => 1, {
      policy: () => {
        listen("policy");
        asked.resolve();
        return new Promise(() => undefined);
      },
    });
    const model = scriptedModel(() => {
      listen("model");
      return { calls: [{ name: "t", input: {} }] };
    });
    const run = createApp({ ...quiet, agents: [agentOf(model, waiting)] }).run("a", "go");
    await asked.promise;
    run.abort("enough");
    await assert.rejects(async () => run);
    assert.deepEqual(fired.sort(), ["model", "policy"]);
  });
});

describe("the current context", () => {
  it("of a tool that is entered again has the answer it asked for", async () => {
    const asking = tool(() => currentContext().answer ?? ask({ question: "Which?" }));
    const channel = { name: "c", send: () => decided({ reply: "M" }) };
    assert.equal((await callOnce(asking, {}, { toolkit: { approvals: { channel } } })).text, "M");
  });
});

describe("the history", () => {
  const shapes = {
    "a transform that moves a part": z.object({ part: z.any() }).transform(({ part }) => ({ moved: part })),
    "a preprocess that changes its input": z.preprocess(
      (value) => Object.assign(value as object, { more: 1 }),
      z.looseObject({ part: z.any() }),
    ),
    "a refinement that changes it": z.looseObject({ part: z.any() }).refine((value) => {
      Object.assign(value.part, { more: 1 });
      return true;
    }),
  };
  for (const [what, input] of Object.entries(shapes)) {
    it(`says what the model wrote, with ${what}`, async () => {
      const written = { part: { list: [1] } };
      const changing = defineTool({
        name: "t",
        description: "T",
        input: input as never,
        execute: (given: { moved?: { list: number[] }; part?: { list: number[] } }) =>
          void (given.moved ?? given.part)?.list.push(2),
      }) as AnyTool;
      const model = scriptedModel([
        { calls: [{ name: "t", input: written }] },
        { calls: [{ name: "t", input: written }] },
        "done",
      ]);
      const { messages } = await createApp({ ...quiet, agents: [agentOf(model, changing)] }).run("a", "go");
      const said = messages.flatMap(({ role, content }) => (role === "assistant" ? content : []));
      const inputs = said.flatMap((part) =>
        typeof part === "object" && part.type === "tool-call" ? [part.input] : [],
      );
      assert.deepEqual(inputs, [written, written]);
    });
  }
});

describe("a run that waits", () => {
  const asking = tool(() => "done", { policy: "needs-approval" });
  const twice = () =>
    scriptedModel([{ calls: [{ name: "t", input: {} }] }, { calls: [{ name: "t", input: {} }] }, "done"]);

  it("shows a reader that starts after its second wait everything", async () => {
    const app = createApp({ ...quiet, agents: [agentOf(twice(), asking)] });
    const run = app.run("a", "go");
    const first = await run;
    app.resume({ pauseId: first.pending[0]!.pauseId!, decision: "approve" }, {});
    const second = await run;
    assert.equal(second.status, "waiting");
    const types: AgentEvent["type"][] = [];
    for await (const { type } of run.events) types.push(type);
    assert.deepEqual([types.filter((type) => type === "run-wait").length, types.at(-1)], [2, "run-wait"]);
    run.abort();
    await assert.rejects(async () => run);
  });

  it("does not say it waits once nobody can answer any more", async () => {
    const clock = fakeClock();
    let answer = (_: string): void => undefined;
    const replies: (() => unknown)[] = [
      () => ({ calls: [{ name: "t", input: {} }] }),
      () => new Promise<string>((resolve) => (answer = resolve)),
    ];
    const model = scriptedModel((() => replies.shift()?.()) as never);
    const app = createApp({
      ...quiet,
      clock,
      agents: [agentOf(model, asking)],
      approvals: { expireAfter: seconds(1) },
    });
    const run = app.run("a", "go");
    assert.equal((await run).status, "waiting");
    await clock.advance(seconds(2));
    const later = run.then(({ status, text }) => [status, text]);
    while (replies.length > 0) await undefined;
    answer("done");
    assert.deepEqual(await later, ["done", "done"]);
  });
});

describe("a model of one's own", () => {
  const hanging: Model = { id: "own:m", call: () => new Promise(() => undefined) };

  it("that ignores its signal holds neither a cancelled run nor the end of the application", async () => {
    for (const maxRetries of [0, 2]) {
      const agent = defineAgent({ name: "a", description: "A", model: hanging, tools: [], maxRetries });
      const app = createApp({ ...quiet, agents: [agent] });
      const [first, second] = [app.run("a", "go"), app.run("a", "go")];
      first.abort("enough");
      await assert.rejects(async () => first, { code: "run.cancelled" });
      await app.close();
      await assert.rejects(async () => second, { code: "run.cancelled" });
    }
  });

  it("that gives no reply fails in words", async () => {
    const model = { id: "own:m", call: async () => undefined } as never;
    await assert.rejects(async () => createApp({ ...quiet, agents: [agentOf(model)] }).run("a", "go"), {
      code: "model.failed",
      message: "own:m gave no reply: `content` and `usage` are missing",
    });
  });
});

describe("a cancelled run", () => {
  it("has the words that were shown as its partial text", async () => {
    const shown = Promise.withResolvers<void>();
    const model: Model = {
      id: "own:m",
      call: (_request, onDelta) => {
        onDelta?.({ type: "text-delta", id: "0", text: "Half of it" });
        shown.resolve();
        return new Promise(() => undefined);
      },
    };
    const run = createApp({ ...quiet, agents: [agentOf(model)] }).run("a", "go");
    await shown.promise;
    run.abort();
    await assert.rejects(
      async () => run,
      (error: { partial?: { text: string } }) => error.partial?.text === "Half of it",
    );
  });

  it("whose whole reply failed has what had come of it", async () => {
    const model: LanguageModel = {
      specificationVersion: "v4",
      provider: "acme",
      modelId: "m",
      doGenerate: async () => ({
        content: [{ type: "text", text: "Half of it" }],
        finishReason: { unified: "error", raw: "overloaded" },
        usage: {},
        warnings: [],
      }),
      doStream: () => assert.fail("it is not streamed"),
    };
    const agent = defineAgent({ name: "a", description: "A", model, tools: [], maxRetries: 0 });
    const run = createApp({ ...quiet, agents: [agent] }).run("a", "go", { stream: false });
    await assert.rejects(
      async () => run,
      (error: { partial?: { text: string } }) => error.partial?.text === "Half of it",
    );
  });

  it("is refused a timeout that is no duration", async () => {
    const app = createApp({ ...quiet, agents: [agentOf(scriptedModel(["done"]))] });
    for (const timeout of [120, milliseconds(0), "1s"])
      await assert.rejects(async () => app.run("a", "go", { timeout: timeout as never }), {
        code: "run.invalid-input",
      });
  });
});

describe("those who look on", () => {
  it("cannot change the parts of a result before the model reads them", async () => {
    const parts = tool(() => ({
      content: [
        { type: "text", text: "A" },
        { type: "text", text: "B" },
      ],
    }));
    const change = ({ result }: { result: { content?: readonly unknown[] } }): void =>
      void Object.assign(result.content?.[0] as object, { text: "changed" });
    const { content } = await callOnce(parts, {}, { toolkit: { hooks: [{ afterTool: change as never }] } });
    assert.deepEqual(content?.[0], { type: "text", text: "A" });
  });

  it("may answer with a promise of another kind", async () => {
    let isDone = false;
    const odd = {
      // biome-ignore lint/suspicious/noThenProperty: a promise of another library
      then(done: () => void) {
        setImmediate(() => {
          isDone = true;
          done();
        });
      },
    };
    const toolkit = { hooks: [{ afterTool: () => odd as never, onToolEnd: () => assert.equal(isDone, true) }] };
    const { status } = await callOnce(
      tool(() => 1),
      {},
      { toolkit, call: { onEvent: () => odd as never } },
    );
    assert.deepEqual([status, isDone], ["ok", true]);
  });
});
