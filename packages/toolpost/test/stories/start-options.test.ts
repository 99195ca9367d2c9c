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
      'the run: `stream` is `"no"`, expected true or false; the run: `tenant` is `7`, expected a text',
    ],
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
