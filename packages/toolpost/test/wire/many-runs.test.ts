// Ten thousand runs one after another in one process, observed and on the wire: none leaves anything behind.
// Each takes a call and its answer; replies come from this process, to measure no sockets.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { z } from "zod";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { createApp } from "../../src/app/create-app.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import { fakeReply } from "./lib/fake-reply.ts";
import { providers } from "./lib/providers.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const search = defineTool({
  name: "search",
  description: "Searches",
  input: z.object({ q: z.string() }),
  execute: ({ q }) => `found ${q}`,
});

/** One newest package of each API; half of the runs are streamed. */
const measured = ["@ai-sdk/openai, responses", "@ai-sdk/openai, chat", "@ai-sdk/anthropic", "@ai-sdk/google"];
const runsOfEach = 10_000 / measured.length;
const rounds = 5;

for (const name of measured) {
  test(`${name}: nothing of a run is kept`, async () => {
    const provider = providers.find((candidate) => candidate.name.startsWith(name))!;
    let asked = 0;
    const replies = [
      { parts: [{ call: "search", id: "call_1", arguments: '{"q":"a"}' }], finish: "calls" },
      { parts: [{ text: "Two." }], finish: "stop" },
    ] as const;
    const model = await provider.open({
      url: "http://127.0.0.1:9",
      fetch: async (input, init) => {
        const isStreamed = String(input).includes("stream") || JSON.parse(String(init?.body)).stream === true;
        return fakeReply(provider.api, replies[asked++ % 2]!).fake(isStreamed);
      },
    });
    let seen = 0;
    const agent = defineAgent({ name: "desk", description: "Answers", model, tools: [search] });
    const app = createApp({ agents: [agent], listeners: [() => void seen++], log: () => undefined });
    const round = async (): Promise<void> => {
      for (let run = 0; run < runsOfEach / rounds; run++) {
        const { status, calls } = await app.run(agent, "Search.", { stream: run % 2 === 0 });
        assert.deepEqual([status, calls.length], ["done", 1]);
      }
    };
    const heaps: number[] = [];
    for (let count = 0; count < rounds; count++) {
      await round();
      collect();
      heaps.push(process.memoryUsage().heapUsed);
    }
    await app.close();
    assert.deepEqual([asked, seen > runsOfEach * 6], [2 * runsOfEach, true]);
    // The compiler leaves and takes some megabyte at times; what runs leave only grows.
    const [early, late] = [Math.max(...heaps.slice(0, 2)), Math.min(...heaps.slice(-2))];
    assert.ok(late < early * 1.05, `the heap grew from ${early} to ${late} bytes: ${heaps}`);
  });
}
