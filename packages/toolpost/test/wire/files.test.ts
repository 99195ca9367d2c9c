// Images and files in results, on the wire of every provider package: shown where the API can show them, else named.
// Never does base64 become text: it costs thousands of tokens and shows nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import type { ContentPart } from "../../src/core/result.ts";
import { toolOutput } from "../../src/core/result.ts";
import { callsIn, resultsIn } from "./lib/check-request.ts";
import type { Provider } from "./lib/providers.ts";
import { providers } from "./lib/providers.ts";
import type { WireRequest } from "./lib/read-request.ts";
import type { WireBench } from "./lib/wire-bench.ts";
import { wireBench } from "./lib/wire-bench.ts";

const pixels = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "file", mediaType: "image/png", data: { type: "data", data: pixels } } as const;
const sound = { type: "file", mediaType: "audio/wav", data: { type: "data", data: "UklGRg==" } } as const;
const note = { type: "file", mediaType: "text/plain", data: { type: "data", data: "aGVsbG8=" } } as const;

const drawing = { type: "file", mediaType: "image/svg+xml", data: { type: "data", data: "PHN2Zy8+" } } as const;
const archive = { type: "file", mediaType: "application/zip", data: { type: "data", data: "UEsDBA==" } } as const;
const address = "https://a.test/pixel.png";
const linked = { type: "file", mediaType: "image/png", data: { type: "url", url: address } } as const;

/** How a bench's runs were asked for; a result is the same to both. */
interface Asked {
  readonly provider: Provider;
  readonly stream: boolean;
}

/** Two calls that give the content, in a thread that goes on. */
async function afterContent({ provider, stream }: Asked, content: readonly ContentPart[]): Promise<WireBench> {
  const show = defineTool({
    name: "show",
    description: "Shows",
    input: z.object({}),
    execute: () => toolOutput({ content }),
  });
  const calls = [
    { name: "show", arguments: "{}" },
    { name: "show", arguments: "{}" },
  ];
  const answers = [{ toolCalls: calls }, { content: "I see." }, { content: "Still." }];
  const bench = await wireBench(provider, answers, { tools: [show] });
  const options = { stream, threadId: "t" };
  assert.equal((await bench.run("Show me.", options)).text, "I see.");
  assert.equal((await bench.run("And now?", options)).text, "Still.");
  bench.assertDone();
  return bench;
}

function filesOf({ groups }: WireRequest): string[] {
  return groups.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === "file" ? [`${item.mediaType} ${item.data.length}`] : [])),
  );
}

function losses({ log }: WireBench): string[] {
  return log.map(({ message }) => message).filter((message) => message.includes(" in a tool result was "));
}

for (const provider of providers) {
  for (const stream of [true, false]) {
    const { api } = provider;
    const name = `${provider.name}, ${stream ? "streamed" : "whole"}`;
    const asked = { provider, stream };

    test(`${name}: an image in a result is shown once for each, next to its text, and stays in the history`, async () => {
      const bench = await afterContent(asked, [{ type: "text", text: "A pixel:" }, image]);
      for (const request of bench.requests.slice(1)) {
        assert.deepEqual(filesOf(request), [`image/png ${pixels.length}`, `image/png ${pixels.length}`]);
        assert.equal(callsIn(request.groups[1]).length, 2);
        for (const { text } of resultsIn(request.groups[2]))
          assert.equal(text, api === "chat" ? "A pixel:\n[file 1 of this result, image/png: see below]" : "A pixel:");
      }
      assert.equal(JSON.stringify(bench.bodies[1]).split(pixels).length, 3);
      assert.deepEqual(losses(bench), []);
      if (api === "chat") {
        const ids = callsIn(bench.requests[1]?.groups[1]).map(({ id }) => id);
        assert.deepEqual(
          bench.requests[1]?.groups[3]?.items.map((item) => (item.kind === "text" ? item.text : item.kind)),
          ids.flatMap((id) => [`File 1 of the result of \`show\` (${id}):`, "file"]),
        );
      }
    });

    test(`${name}: a result that is an image alone is a result all the same`, async () => {
      const bench = await afterContent(asked, [image]);
      assert.equal(resultsIn(bench.requests[1]?.groups[2]).length, 2);
      assert.equal(filesOf(bench.requests[1]!).length, 2);
    });

    test(`${name}: a file the API does not take is named to the model and in the log, and breaks no later request`, async () => {
      const bench = await afterContent(asked, [{ type: "text", text: "Listen:" }, sound]);
      assert.equal(filesOf(bench.requests[2]!).length, api === "gemini" ? 2 : 0);
      const [result] = resultsIn(bench.requests[1]?.groups[2]);
      const told = losses(bench);
      if (api === "gemini") assert.deepEqual([result?.text, told], ["Listen:", []]);
      else {
        assert.equal(result?.text, "Listen:\n[a file of type audio/wav, which cannot be shown here]");
        assert.equal(told.length, 1);
        assert.match(
          told[0]!,
          /: a file of type `audio\/wav` in a tool result was not sent: the API takes none there$/,
        );
      }
    });

    test(`${name}: a linked image goes as a link, or as its address and the log says so`, async () => {
      const bench = await afterContent(asked, [{ type: "text", text: "A pixel:" }, linked]);
      const isOldest = provider.name.includes("-oldest");
      const isLinked = api === "chat" || (api !== "gemini" && !isOldest);
      const [, request] = bench.requests;
      assert.equal(filesOf(request!).length, isLinked ? 2 : 0);
      assert.equal(JSON.stringify(bench.bodies[1]).split(address).length, 3);
      const told = losses(bench);
      assert.equal(told.length, isLinked ? 0 : 1);
      if (isLinked) return;
      assert.match(told[0]!, /file .*in a tool result was sent as its address: /);
      for (const { text } of resultsIn(request?.groups[2])) assert.equal(text, `A pixel:\n${address}`);
    });

    test(`${name}: a drawing written as text is read as text, as no API shows it`, async () => {
      const bench = await afterContent(asked, [drawing]);
      assert.equal(resultsIn(bench.requests[1]?.groups[2])[0]?.text, "<svg/>");
      assert.deepEqual([filesOf(bench.requests[1]!), losses(bench)], [[], []]);
    });

    if (api === "chat" || api === "anthropic") {
      test(`${name}: a text file in a result is read as text`, async () => {
        const bench = await afterContent(asked, [note]);
        assert.equal(resultsIn(bench.requests[1]?.groups[2])[0]?.text, "hello");
      });
    }

    if (api !== "responses") {
      test(`${name}: a file of a kind that no model reads is named, not sent`, async () => {
        const bench = await afterContent(asked, [archive]);
        assert.deepEqual(filesOf(bench.requests[1]!), []);
        const [result] = resultsIn(bench.requests[1]?.groups[2]);
        assert.equal(result?.text, "[a file of type application/zip, which cannot be shown here]");
        assert.equal(losses(bench).length, 1);
      });
    }

    test(`${name}: several texts are one result`, async () => {
      const bench = await afterContent(asked, [
        { type: "text", text: "One." },
        { type: "text", text: "Two." },
      ]);
      const results = resultsIn(bench.requests[1]?.groups[2]);
      assert.deepEqual(
        results.map(({ text }) => text),
        ["One.\nTwo.", "One.\nTwo."],
      );
    });
  }
}

for (const provider of providers) {
  test(`${provider.name}: images in the user's message are sent, as content and as a link`, async () => {
    const bench = await wireBench(provider, [{ content: "I see." }]);
    await bench.run([{ type: "text", text: "What is this?" }, image, linked]);
    const [request] = bench.requests;
    assert.deepEqual(
      request?.groups[0]?.items.map(({ kind }) => kind),
      ["text", "file", "file"],
    );
    const body = JSON.stringify(bench.bodies[0]);
    assert.deepEqual([body.split(pixels).length, body.split(address).length], [2, 2]);
  });
}
