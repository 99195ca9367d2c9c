// Replies that go wrong, on the wire of every provider package: whatever it was, it is said, nothing runs that should not,
// and the next request is one that the provider takes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { createApp } from "../../src/app/create-app.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { ModelError } from "../../src/core/run-errors.ts";
import { toModel } from "../../src/models/to-model.ts";
import { callsIn, resultsIn } from "./lib/check-request.ts";
import { fakeReply } from "./lib/fake-reply.ts";
import { providers } from "./lib/providers.ts";
import { wireBench } from "./lib/wire-bench.ts";

/** What the tool was run with. */
const ran: unknown[] = [];
const note = defineTool({
  name: "note",
  description: "Notes",
  input: z.object({ text: z.string().optional() }),
  execute: (input) => {
    ran.push(input);
    return "noted";
  },
});
const keep = defineTool({
  name: "keep",
  description: "Keeps",
  input: z.object({ text: z.string() }),
  execute: (input) => {
    ran.push(input);
    return "kept";
  },
});
const tools = [note, keep];

function call(text: string): { readonly call: string; readonly id: string; readonly arguments: string } {
  return { call: "note", id: "call_1", arguments: text };
}

async function rejection(run: Promise<unknown>): Promise<ModelError> {
  return run.then(
    () => assert.fail("it should reject"),
    (error: unknown) => error as ModelError,
  );
}

for (const provider of providers) {
  const { api, name } = provider;
  for (const stream of [true, false]) {
    const how = `${name}, ${stream ? "streamed" : "whole"}`;
    // In a whole body of these APIs arguments are JSON by themselves.
    const isText = api === "responses" || api === "chat" || (api === "anthropic" && stream);

    for (const broken of ['{"text": "un', "{text: 1}", '["a"]', "5", '"text"']) {
      if (!isText && broken.startsWith("{")) continue;
      test(`${how}: arguments ${broken} do not run, the model reads why, and {} stands in the history`, async () => {
        ran.length = 0;
        const answers = [
          fakeReply(api, { parts: [call(broken)], finish: "calls" }),
          fakeReply(api, { parts: [{ text: "Sorry." }], finish: "stop" }),
        ];
        const bench = await wireBench(provider, answers, { tools });
        const end = await bench.run("Note it.", { stream }).catch((error: ModelError) => error);
        assert.deepEqual(ran, []);
        // A package that refuses the reply itself ends the run, and says so.
        if ("code" in end) {
          assert.equal(isText, false);
          assert.deepEqual([end.code, end.partial?.messages.length], ["model.failed", 1]);
          return;
        }
        assert.equal(end.text, "Sorry.");
        const [, assistant, results] = bench.requests[1]?.groups ?? [];
        const [sent] = callsIn(assistant);
        if (sent?.isReferred !== true)
          assert.deepEqual(typeof sent?.input === "string" ? JSON.parse(sent.input) : sent?.input, {});
        const expected = broken.startsWith("{")
          ? /^Tool error: invalid input: not JSON: /
          : // Gemini's package writes a text its own way.
            api === "gemini" && broken === '"text"'
            ? /^Tool error: invalid input: /
            : /^Tool error: invalid input: expected (an )?object/;
        assert.match(resultsIn(results)[0]?.text ?? "", expected);
        bench.assertDone();
        if (!broken.startsWith("{")) return;
        // What the model wrote is in the log, and nowhere else.
        const logged = bench.log.filter(({ message }) => message === "the arguments of `note` are not JSON");
        assert.deepEqual(
          logged.map(({ data }) => (data as { input: string }).input),
          [broken],
        );
        const written = JSON.stringify(broken).slice(1, -1);
        assert.equal(JSON.stringify(bench.bodies[1]).includes(written), false);
      });
    }

    test(`${how}: blank arguments and null are none: they run where nothing is required, else they are invalid input`, async () => {
      for (const blank of isText ? ["", "  ", "null"] : ["null"]) {
        ran.length = 0;
        const parts = [
          { ...call(blank), id: "call_1" },
          { ...call(blank), call: "keep", id: "call_2" },
        ];
        const answers = [
          fakeReply(api, { parts, finish: "calls" }),
          fakeReply(api, { parts: [{ text: "Done." }], finish: "stop" }),
        ];
        const bench = await wireBench(provider, answers, { tools });
        const end = await bench.run("Note it.", { stream }).catch((error: ModelError) => error);
        if ("code" in end) {
          assert.deepEqual([isText, end.code, ran], [false, "model.failed", []]);
          continue;
        }
        assert.deepEqual(ran, [{}]);
        const [noted, kept] = resultsIn(bench.requests[1]?.groups[2]);
        assert.equal(noted?.text, "noted");
        assert.match(kept?.text ?? "", /^Tool error: invalid input: text: /);
      }
    });

    if (isText) {
      test(`${how}: a call the token limit cut off is not made: the model reads why`, async () => {
        ran.length = 0;
        const answers = [
          fakeReply(api, { parts: [{ text: "So" }, call('{"text": "un')], finish: "length" }),
          fakeReply(api, { parts: [{ text: "On." }], finish: "stop" }),
        ];
        const bench = await wireBench(provider, answers, { tools });
        const { status, text } = await bench.run("Note it.", { stream });
        assert.deepEqual([status, text, ran], ["done", "On.", []]);
        assert.match(resultsIn(bench.requests[1]?.groups[2])[0]?.text ?? "", /^Tool error: invalid input: not JSON: /);
        bench.assertDone();
      });
    }

    test(`${how}: a text the token limit cut off says length, and the thread goes on`, async () => {
      const answers = [
        fakeReply(api, { parts: [{ text: "So" }], finish: "length" }),
        fakeReply(api, { parts: [{ text: "On." }], finish: "stop" }),
      ];
      const bench = await wireBench(provider, answers, { tools });
      const first = await bench.run("Go.", { stream, threadId: "t" });
      assert.deepEqual([first.status, first.stoppedBy, first.text], ["stopped", "length", "So"]);
      assert.equal((await bench.run("Go on.", { stream, threadId: "t" })).text, "On.");
      bench.assertDone();
    });

    test(`${how}: a refusal says content-filter, and the thread goes on`, async () => {
      const refused = fakeReply(api, { parts: [{ refusal: "I will not." }], finish: "filter" });
      const answers = [refused, fakeReply(api, { parts: [{ text: "Yes." }], finish: "stop" })];
      const bench = await wireBench(provider, answers, { tools });
      const end = await bench.run("Do it.", { stream, threadId: "t" }).catch((error: ModelError) => error);
      // OpenAI's package of v2 cannot read a refusal, and fails the run.
      const isUnread = name.startsWith("ai-sdk-openai-oldest, responses") && !stream;
      if ("code" in end) assert.deepEqual([end.code, isUnread], ["model.failed", true]);
      else assert.deepEqual([end.status, end.stoppedBy], ["stopped", "content-filter"]);
      assert.equal((await bench.run("Something else.", { stream, threadId: "t" })).text, "Yes.");
    });

    test(`${how}: a part of a kind nobody knows is left out, unless the package itself refuses the reply`, async () => {
      const answers = [
        fakeReply(api, { parts: [{ moon: "full" }, { text: "So." }], finish: "stop" }),
        fakeReply(api, { parts: [{ text: "On." }], finish: "stop" }),
      ];
      const bench = await wireBench(provider, answers, { agent: { maxRetries: 0 } });
      const end = await bench.run("Hi", { stream, threadId: "t" }).catch((error: ModelError) => error);
      const isRefused = api === "anthropic" || (api === "responses" && !stream);
      assert.equal("code" in end ? end.code : end.text, isRefused ? "model.failed" : "So.");
      assert.equal((await bench.run("Go on.", { stream, threadId: "t" })).text, "On.");
    });

    // Packages of v2 do not pass the provider's word on.
    if (api === "anthropic" && !name.includes("-oldest"))
      test(`${how}: a reply that the provider paused is given back as it is, and gone on with`, async () => {
        const answers = [
          fakeReply(api, { parts: [{ text: "Searching." }], finish: "paused" }),
          fakeReply(api, { parts: [{ text: " Found." }], finish: "stop" }),
        ];
        const sent: { messages: { role: string; content: { text: string }[] }[] }[] = [];
        const fetch = async (_url: unknown, init?: { body?: unknown }): Promise<Response> => {
          sent.push(JSON.parse(String(init?.body)));
          return answers.shift()?.fake(stream) ?? assert.fail("no answer is left");
        };
        const model = await provider.open({ url: "http://127.0.0.1:9", fetch: fetch as typeof globalThis.fetch });
        const agent = defineAgent({ name: "desk", description: "A desk", model, tools: [] });
        const { text, status, steps } = await createApp({ agents: [agent] }).run(agent, "Hi", { stream });
        assert.deepEqual([text, status, steps], ["Searching. Found.", "done", 2]);
        assert.deepEqual(
          sent.at(-1)?.messages.map(({ role, content }) => [role, content[0]?.text]),
          [
            ["user", "Hi"],
            ["assistant", "Searching."],
          ],
        );
      });

    test(`${how}: a finish reason nobody knows is other, its own word kept, and the text counts`, async () => {
      const model = await provider.open({ url: "http://127.0.0.1:9", fetch: async () => answerOf(stream, api) });
      const asked = toModel(model).call(
        {
          prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
          tools: [],
          signal: new AbortController().signal,
        },
        stream ? () => undefined : undefined,
      );
      const reply = await asked;
      assert.equal(reply.finish, "other");
      if (model.specificationVersion !== "v2") assert.match(reply.rawFinish ?? "", /^moon_phase$/i);
      const bench = await wireBench(provider, [fakeReply(api, { parts: [{ text: "So." }], finish: "unheard-of" })]);
      const run = bench.app.run("desk", "Hi", { stream });
      const ends: unknown[] = [];
      for await (const event of run.events) if (event.type === "step-end") ends.push([event.finish, event.rawFinish]);
      assert.equal((await run).text, "So.");
      assert.deepEqual(ends, [["other", reply.rawFinish]]);
    });
  }

  const failed = { error: api === "gemini" ? "UNAVAILABLE" : "server_error" };
  for (const { what, end, said } of [
    { what: "that ends early", end: "closed", said: [] },
    { what: "that ends early after a call", end: "closed", said: [call("{}")] },
    { what: "with an error in it", end: failed, said: [call("{}")] },
  ] as const) {
    test(`${name}: a stream ${what} rejects with what had arrived, runs nothing, and the thread goes on`, async () => {
      ran.length = 0;
      const answers = [
        fakeReply(api, { parts: [{ text: "So far" }, ...said], finish: "calls", end }),
        fakeReply(api, { parts: [{ text: "Again." }], finish: "stop" }),
      ];
      const bench = await wireBench(provider, answers, { tools });
      const error = await rejection(bench.run("Note it.", { threadId: "t" }));
      // Of a call some packages see themselves that it is not finished.
      const codes =
        end === failed ? ["model.failed"] : ["model.stream-cut", ...(said.length > 0 ? ["model.failed"] : [])];
      assert.ok(codes.includes(error.code), error.code);
      assert.equal(error.partial?.text, "So far");
      assert.deepEqual(ran, []);
      assert.equal((await bench.run("Once more.", { threadId: "t" })).text, "Again.");
      bench.assertDone();
    });
  }

  test(`${name}: a whole reply cut in its middle rejects, runs nothing, and the thread goes on`, async () => {
    ran.length = 0;
    const { fake } = fakeReply(api, { parts: [{ text: "So far" }, call("{}")], finish: "calls" });
    const body = await fake(false).text();
    const cut = { fake: () => new Response(body.slice(0, -20), { headers: { "content-type": "application/json" } }) };
    const answers = [cut, fakeReply(api, { parts: [{ text: "Again." }], finish: "stop" })];
    const bench = await wireBench(provider, answers, { tools, agent: { maxRetries: 0 } });
    const error = await rejection(bench.run("Note it.", { stream: false, threadId: "t" }));
    assert.deepEqual([error.code, error.partial?.text, ran], ["model.failed", "", []]);
    assert.equal((await bench.run("Once more.", { stream: false, threadId: "t" })).text, "Again.");
    bench.assertDone();
  });

  test(`${name}: a stream that the server breaks off is no success, wherever it breaks, and the thread goes on`, async () => {
    for (const cutAfter of [1, 3, 6]) {
      const long = { content: "One two three four five six seven eight nine ten." };
      const answers = [{ cutAfter, response: long }, { content: "Again." }];
      const bench = await wireBench(provider, answers, { agent: { maxRetries: 0 } });
      const error = await rejection(bench.run("Count.", { threadId: "t" }));
      // What arrived before the break is the network's to say.
      assert.deepEqual([error.code, long.content.startsWith(error.partial?.text ?? "-")], ["model.failed", true]);
      assert.equal((await bench.run("Count.", { threadId: "t" })).text, "Again.");
      bench.assertDone();
    }
  });

  test(`${name}: a connection that breaks after text was shown is not tried again`, async () => {
    const pieces = breakingAfter(
      fakeReply(api, { parts: [{ text: "So far" }], finish: "stop", end: "closed" }).fake(true),
    );
    const bench = await wireBench(provider, [{ fake: () => pieces }, { content: "Again." }]);
    const error = await rejection(bench.run("Hi", { threadId: "t" }));
    assert.deepEqual([error.code, error.partial?.text, bench.requests.length], ["model.failed", "So far", 1]);
    assert.equal((await bench.run("Hi", { threadId: "t" })).text, "Again.");
  });
}

/** The same response, whose connection breaks once all of it was read. */
function breakingAfter(response: Response): Response {
  const broken = Object.assign(new TypeError("terminated"), { cause: { code: "UND_ERR_SOCKET" } });
  const body = response.body!.pipeThrough(
    new TransformStream({
      flush: () => new Promise((_, reject) => setImmediate(() => reject(broken))),
    }),
  );
  return new Response(body, response);
}

function answerOf(stream: boolean, api: (typeof providers)[number]["api"]): Response {
  return fakeReply(api, { parts: [{ text: "So." }], finish: "unheard-of" }).fake(stream);
}
