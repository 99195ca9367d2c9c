// Agents as classes. Decorators are called by hand here; under compilers they are tested with the tools.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent } from "../../src/agent/agent-class.ts";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { createApp } from "../../src/app/create-app.ts";
import { Tool } from "../../src/author/classes/tool-decorator.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";

class Add {
  execute({ a, b }: { a: number; b: number }) {
    return a + b;
  }
}
Tool({ name: "add", description: "Adds", input: { type: "object" } })(Add);

const call = { name: "add", input: { a: 1, b: 2 } };

function agentClass(model = scriptedModel([{ calls: [call] }, "3"])): new () => object {
  class Adder {}
  Agent({ name: "adder", description: "Adds", model, tools: [Add] })(Adder);
  return Adder;
}

test("runs by its class, by its name, and as the application shows it", async () => {
  for (const choose of [
    (type: new () => object) => type,
    () => "adder",
    (_type: unknown, app: ReturnType<typeof createApp>) => app.agents[0]!,
  ]) {
    const Adder = agentClass();
    const app = createApp({ agents: [Adder] });
    const { text, calls } = await app.run(choose(Adder, app), "go");
    assert.deepEqual([text, calls.map((each) => each.text)], ["3", ["3"]]);
  }
});

test("prompt files are relative to the file that holds the class", () => {
  class Adder {}
  const model = scriptedModel(["3"]);
  Agent({ name: "adder", description: "Adds", model, tools: [], prompt: { files: ["./no-such.md"] } })(Adder);
  const file = new URL("./no-such.md", import.meta.url).href;
  assert.throws(() => createApp({ agents: [Adder] }), {
    code: "config.not-found",
    message: `[config.not-found] agent \`adder\`: the prompt file \`${file}\` cannot be read`,
  });
});

test("a class among the tools of an agent that is no class becomes a tool as well", async () => {
  const model = scriptedModel([{ calls: [call] }, "3"]);
  const agent = defineAgent({ name: "adder", description: "Adds", model, tools: [Add] });
  const { calls } = await createApp({ agents: [agent] }).run(agent, "go");
  assert.equal(calls[0]?.status, "ok");
});

test("an agent that the application does not have is unknown by its class's name", async () => {
  const app = createApp({ agents: [agentClass()] });
  const Stranger = agentClass();
  await assert.rejects(async () => app.run(Stranger, "go"), {
    code: "agent.unknown",
    message: "there is no agent `Adder`; the application has `adder`",
  });
});

test("a class is told by the naming rule as what it is", () => {
  const agent = defineAgent({ name: "writer", description: "Writes", model: scriptedModel(["x"]), tools: [] });
  const channel = { name: "slack", send: async () => ({ type: "await-reply" as const }) };
  assert.throws(
    () => createApp({ name: "desk", agents: [agentClass(), agent], names: "kebab-tool", approvals: { channel } }),
    {
      message: [
        '[name.kind-suffix] "desk" on createApp: name it "desk-application"',
        '[name.kind-suffix] "slack" on a channel: name it "slack-channel"',
        '[name.kind-suffix] "adder" on @Agent: name it "adder-agent"',
        '[name.kind-suffix] "add" on @Tool: name it "add-tool"',
        '[name.kind-suffix] "writer" on defineAgent: name it "writer-agent"',
      ].join("\n"),
    },
  );
});
