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

async function afterContent(provider: Provider, content: readonly ContentPart[]): Promise<WireBench> {
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
  const options = { threadId: "t" };
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

for (const provider of providers) {
  const { name, api } = provider;

  test(`${name}: an image in a result is shown once for each, next to its text, and stays in the history`, async () => {
    const bench = await afterContent(provider, [{ type: "text", text: "A pixel:" }, image]);
    for (const request of bench.requests.slice(1)) {
      assert.deepEqual(filesOf(request), [`image/png ${pixels.length}`, `image/png ${pixels.length}`]);
      assert.equal(callsIn(request.groups[1]).length, 2);
      for (const { text } of resultsIn(request.groups[2])) assert.match(text, /^A pixel:/);
    }
    assert.equal(JSON.stringify(bench.bodies[1]).split(pixels).length, 3);
    if (api === "chat") {
      assert.deepEqual(
        bench.requests[1]?.groups[3]?.items.map((item) =>
          item.kind === "text" ? item.text.replace(/\(.*\)/, "(id)") : item.kind,
        ),
        ["File 1 of the result of `show` (id):", "file", "File 1 of the result of `show` (id):", "file"],
      );
    }
  });

  test(`${name}: a result that is an image alone is a result all the same`, async () => {
    const bench = await afterContent(provider, [image]);
    assert.equal(resultsIn(bench.requests[1]?.groups[2]).length, 2);
    assert.equal(filesOf(bench.requests[1]!).length, 2);
  });

  test(`${name}: a file the API does not take is named to the model and in the log, and breaks no later request`, async () => {
    const bench = await afterContent(provider, [{ type: "text", text: "Listen:" }, sound]);
    const isTaken = api === "gemini" || api === "responses";
    assert.deepEqual(filesOf(bench.requests[2]!).length, isTaken ? 2 : 0);
    const [result] = resultsIn(bench.requests[1]?.groups[2]);
    const told = bench.log.filter(({ message }) => message.includes("audio/wav"));
    if (isTaken) assert.equal(result?.text, "Listen:");
    else {
      assert.match(result?.text ?? "", /^Listen:\n?\[a file of type audio\/wav, which cannot be shown here\]$/);
      assert.equal(told.length, 1);
    }
  });

  if (api === "chat" || api === "anthropic") {
    test(`${name}: a text file in a result is read as text`, async () => {
      const bench = await afterContent(provider, [note]);
      assert.equal(resultsIn(bench.requests[1]?.groups[2])[0]?.text, "hello");
    });
  }

  test(`${name}: several texts are one result`, async () => {
    const bench = await afterContent(provider, [
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
