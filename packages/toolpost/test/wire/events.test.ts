// What listeners and callers see of a run on the wire of every provider package, streamed and whole: texts, reasoning, calls,
// figures and the provider's own word for its finish; and answers in the form of a schema.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import type { AgentEvent } from "../../src/core/event.ts";
import { callsIn, resultsIn } from "./lib/check-request.ts";
import { fakeReply } from "./lib/fake-reply.ts";
import type { Api } from "./lib/providers.ts";
import { providers } from "./lib/providers.ts";
import type { Json } from "./lib/read-request.ts";
import { wireBench } from "./lib/wire-bench.ts";

const search = defineTool({
  name: "search",
  description: "Searches",
  input: z.object({ q: z.string() }),
  execute: ({ q }) => `found ${q}`,
});

const answer = z.object({ city: z.string(), degrees: z.number() });

/** The provider's word for a reply with calls and for one without. */
const words: Readonly<Record<Api, readonly [string | undefined, string | undefined]>> = {
  responses: [undefined, undefined],
  chat: ["tool_calls", "stop"],
  anthropic: ["tool_use", "end_turn"],
  gemini: ["STOP", "STOP"],
};

/** What forces one tool, as each API says it. */
const forced: Readonly<Record<Api, (body: Json) => unknown>> = {
  responses: ({ tool_choice }) => tool_choice.name,
  chat: ({ tool_choice }) => tool_choice.function.name,
  anthropic: ({ tool_choice }) => tool_choice.name,
  gemini: ({ toolConfig }) => toolConfig.functionCallingConfig.allowedFunctionNames.join(),
};

function brief(event: AgentEvent): string {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
      return `${event.type} ${event.step} ${event.text}`;
    case "tool-call-start":
      return `${event.type} ${event.tool} ${JSON.stringify(event.input)}`;
    case "tool-call-end":
      return `${event.type} ${event.result.text}`;
    case "step-end":
      return `${event.type} ${event.step} ${event.finish}`;
    default:
      return event.type;
  }
}

for (const provider of providers) {
  for (const stream of [true, false]) {
    const { api } = provider;
    const how = `${provider.name}, ${stream ? "streamed" : "whole"}`;

    test(`${how}: a run tells its texts, its calls and the figures of each step, in order`, async () => {
      const answers = [
        fakeReply(api, {
          parts: [{ text: "Looking." }, { call: "search", id: "call_1", arguments: '{"q":"a"}' }],
          finish: "calls",
        }),
        fakeReply(api, { parts: [{ text: "Two." }], finish: "stop" }),
      ];
      const bench = await wireBench(provider, answers, { tools: [search] });
      const run = bench.app.run("desk", "Search.", { stream });
      const events: AgentEvent[] = [];
      for await (const event of run.events) events.push(event);
      const { usage, status } = await run;
      assert.equal(status, "done");
      assert.deepEqual(events.map(brief), [
        "run-start",
        "step-start",
        "text-delta 0 Looking.",
        "step-end 0 tool-calls",
        'tool-call-start search {"q":"a"}',
        "tool-call-end found a",
        "step-start",
        "text-delta 1 Two.",
        "step-end 1 stop",
        "run-end",
      ]);
      const ends = events.filter((event) => event.type === "step-end");
      const isOldest = provider.name.includes("-oldest");
      assert.deepEqual(
        ends.map(({ rawFinish }) => rawFinish),
        isOldest ? [undefined, undefined] : words[api],
      );
      if (stream && provider.streamsOwnFigures) return;
      const figures = { inputTokens: 5, outputTokens: 3, totalTokens: 8, reasoningTokens: 0, cachedInputTokens: 0 };
      assert.deepEqual(
        ends.map((event) => event.usage),
        [figures, figures],
      );
      assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.totalTokens], [10, 6, 16]);
    });

    test(`${how}: an answer in the form of a schema is demanded once it is due, and corrected where it does not fit`, async () => {
      const given = (value: string, id: string): { call: string; id: string; arguments: string } => {
        return { call: "answer-desk", id, arguments: value };
      };
      const answers = [
        fakeReply(api, { parts: [{ text: "It is warm." }], finish: "stop" }),
        fakeReply(api, { parts: [given('{"city":"Oslo"}', "call_1")], finish: "calls" }),
        fakeReply(api, { parts: [given('{"city":"Oslo","degrees":20}', "call_2")], finish: "calls" }),
      ];
      const bench = await wireBench(provider, answers, { tools: [search], agent: { output: answer } });
      const { output } = await bench.run("How warm is it?", { stream });
      assert.deepEqual(output, { city: "Oslo", degrees: 20 });
      assert.deepEqual(
        bench.requests.map(({ tools }) => tools.map(({ name }) => name)),
        [["search", "answer-desk"], ["answer-desk"], ["search", "answer-desk"]],
      );
      assert.equal(forced[api](bench.bodies[1]), "answer-desk");
      const last = bench.requests[2]!.groups;
      assert.equal(callsIn(last.at(-2)).length, 1);
      assert.match(resultsIn(last.at(-1))[0]?.text ?? "", /^Tool error: invalid input: degrees: /);
      bench.assertDone();
    });
  }
}
