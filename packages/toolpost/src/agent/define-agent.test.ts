import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defineAgent } from "./define-agent.ts";

const desk = { name: "desk", description: "Answers", model: "openai:gpt-5.2", tools: [] };

describe("defineAgent", () => {
  it("knows the directory of the file that calls it, where a prompt names files", () => {
    const agent = defineAgent({ ...desk, prompt: { files: ["./desk.md"] } });
    assert.equal(agent.definedIn, new URL(".", import.meta.url).href);
  });

  it("finds it through functions of that file and in asynchronous code", async () => {
    const make = (): ReturnType<typeof defineAgent> => defineAgent({ ...desk, prompt: { files: ["./desk.md"] } });
    await Promise.resolve();
    assert.equal(make().definedIn, new URL(".", import.meta.url).href);
  });

  it("does not look for it where a prompt is text, and freezes what it gives", () => {
    const agent = defineAgent({ ...desk, prompt: "Be kind." });
    assert.equal(agent.definedIn, undefined);
    assert.throws(() => Object.assign(agent, { name: "other" }), TypeError);
  });
});
