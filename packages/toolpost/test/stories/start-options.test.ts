// Options of runs and direct calls that cannot be used: refused before anything happens, with what to write.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { createApp } from "../../src/app/create-app.ts";
import { createToolkit } from "../../src/app/create-toolkit.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import { seconds } from "../../src/std/units.ts";

const code = "run.invalid-input";
const foreignSignal = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined };

describe("a run", () => {
  const unusable: readonly [options: unknown, message: string][] = [
    [{ timout: seconds(1) }, "the run: there is no setting `timout`: did you mean `timeout`?"],
    [{ timeout: 5 }, "the run: `timeout` is `5`, expected a positive duration such as seconds(30)"],
    [{ signal: "now" }, 'the run: `signal` is `"now"`, expected an AbortSignal'],
    [{ user: "ada" }, 'the run: `user` is `"ada"`, expected an object with `id`, a text'],
    [{ user: { name: "Ada" } }, "the run: `user` is `an object with name`, expected an object with `id`, a text"],
    [{ threadId: "" }, 'the run: `threadId` is `""`, expected a text'],
    [
      { stream: "no", tenant: 7 },
      'the run: `tenant` is `7`, expected a text; the run: `stream` is `"no"`, expected true or false',
    ],
    [Object.create({ timeout: 5 }), "the run: `timeout` is `5`, expected a positive duration such as seconds(30)"],
    [Object.defineProperty({}, "tenant", { value: 42 }), "the run: `tenant` is `42`, expected a text"],
    [new AbortController(), "the run: there is no setting `abort`: remove it"],
    [[], "the run is `a list of 0`, expected an object"],
    [{ model: 4 }, "the run: `model` is `4`, expected a model, or a text such as `openai:gpt-5.2`"],
    [null, "the run is `null`, expected an object"],
  ];
  for (const [options, message] of unusable) {
    it(`is refused for ${message}`, async () => {
      let asked = 0;
      const model = scriptedModel([() => `answer ${++asked}`]);
      const agent = defineAgent({ name: "a", description: "A", model, tools: [] });
      const app = createApp({ agents: [agent], log: () => undefined });
      await assert.rejects(Promise.resolve(app.run(agent, "hello", options as never)), {
        code,
        message,
      });
      assert.equal(asked, 0);
    });
  }

  it("takes every option it knows, undefined ones as left out, and a signal of another library", async () => {
    const model = scriptedModel(["here"]);
    const agent = defineAgent({ name: "a", description: "A", model, tools: [] });
    const app = createApp({ agents: [agent], log: () => undefined });
    const { text } = await app.run(agent, "hello", {
      threadId: "t",
      user: { id: "ada" },
      tenant: "acme",
      data: undefined,
      signal: foreignSignal as never,
      timeout: seconds(5),
      stream: false,
    });
    assert.equal(text, "here");
  });
});

describe("the object that options came in", () => {
  const admin = { user: { id: "admin" }, tenant: "acme" };
  const probe = defineTool({
    name: "probe",
    description: "P",
    input: z.object({}),
    policy: ({ user }) => (user?.id === "admin" ? "allow" : "deny"),
    execute: () => "done",
  });

  it("may change once a run was started: the run goes by what it was given", async () => {
    const agent = defineAgent({
      name: "a",
      description: "A",
      model: scriptedModel([{ calls: [{ name: "probe" }] }, "so"]),
      tools: [probe],
    });
    const app = createApp({ agents: [agent], log: () => undefined });
    const options: Record<string, unknown> = { user: { id: "guest" } };
    const run = app.run(agent, "go", options);
    Object.assign(options, admin, { signal: 42, threadId: 5 });
    const { calls, threadId } = await run;
    assert.deepEqual([calls.map(({ status }) => status), threadId], [["denied"], undefined]);
  });

  it("may be an instance whose getters are asked once, alone or among tools", async () => {
    class Session {
      #asked = 0;
      get user(): { id: string } {
        return this.#asked++ === 0 ? { id: "admin" } : ({ id: 7 } as never);
      }
    }
    const app = createApp({ agents: [], tools: [probe], log: () => undefined });
    assert.equal((await app.tool(probe).invoke({}, new Session())).status, "ok");
    const toolkit = await createToolkit({ tools: [probe] });
    assert.equal((await toolkit.call("probe", {}, new Session())).status, "ok");
  });

  it("that throws when it is read refuses the run by its handle", async () => {
    const agent = defineAgent({ name: "a", description: "A", model: scriptedModel([]), tools: [] });
    const app = createApp({ agents: [agent], log: () => undefined });
    const options = {
      get user(): never {
        throw new Error("no session");
      },
    };
    await assert.rejects(Promise.resolve(app.run(agent, "go", options)), /no session/);
  });

  it("has no id for a tool called alone, and no run for a call", async () => {
    const app = createApp({ agents: [], tools: [probe], log: () => undefined });
    const message = (name: string): RegExp => new RegExp(`the call: there is no setting \`${name}\``);
    await assert.rejects(app.tool(probe).invoke({}, { callId: "mine" } as never), { code, message: message("callId") });
    await assert.rejects(app.tool(probe).invoke({}, null as never), {
      code,
      message: "the call is `null`, expected an object",
    });
    const toolkit = await createToolkit({ tools: [probe] });
    await assert.rejects(toolkit.call("probe", {}, { runId: "r" } as never), { code, message: message("runId") });
  });
});

describe("a direct call", () => {
  const unusable: readonly [options: unknown, message: string][] = [
    [{ chanel: {} }, "the call: there is no setting `chanel`: did you mean `channel`?"],
    [{ onEvent: "log" }, 'the call: `onEvent` is `"log"`, expected a function'],
    [{ callId: 7 }, "the call: `callId` is `7`, expected a text"],
    [{ signal: {} }, "the call: `signal` is `an object with nothing`, expected an AbortSignal"],
    ["now", 'the call is `"now"`, expected an object'],
  ];
  for (const [options, message] of unusable) {
    it(`is refused for ${message}`, async () => {
      let ran = 0;
      const probe = defineTool({ name: "probe", description: "P", input: z.object({}), execute: () => ++ran });
      const toolkit = await createToolkit({ tools: [probe] });
      await assert.rejects(toolkit.call("probe", {}, options as never), { code, message });
      assert.equal(ran, 0);
    });
  }
});
