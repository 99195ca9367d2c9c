import assert from "node:assert/strict";
import { test } from "node:test";
import type { FilePart, Message } from "../core/message.ts";
import type { PromptTarget, ToWirePrompt } from "./wire-prompt.ts";
import { newPromptView, toWirePrompt } from "./wire-prompt.ts";

type Version = PromptTarget["version"];

const losses: string[] = [];

function promptFor(version: Version, wire: PromptTarget["wire"] = "other"): ToWirePrompt {
  losses.length = 0;
  return toWirePrompt({ version, wire, toWireId: (id) => id, onLoss: (loss) => void losses.push(loss) });
}

/** As a run asks for it: one view for all turns. */
function overTurns(toPrompt: ToWirePrompt): ToWirePrompt {
  const view = newPromptView();
  return (prompt) => toPrompt(prompt, view);
}

const image: FilePart = { type: "file", mediaType: "image/png", data: { type: "data", data: "AAEC" } };
const linked: FilePart = {
  type: "file",
  mediaType: "application/pdf",
  data: { type: "url", url: "https://a.test/B.pdf" },
  filename: "B.pdf",
};
const linkedImage: FilePart = {
  type: "file",
  mediaType: "image/png",
  data: { type: "url", url: "https://a.test/b.png" },
};
const note: FilePart = {
  type: "file",
  mediaType: "text/plain",
  data: { type: "data", data: "aGk=" },
  filename: "n.txt",
};
const plain: readonly Message[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "hi" }] },
  { role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "t", input: {} }] },
  {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "a", toolName: "t", output: { type: "text", value: "ok" } }],
  },
];
const results: Message = {
  role: "tool",
  content: [
    {
      type: "tool-result",
      toolCallId: "a",
      toolName: "t",
      output: { type: "content", value: [{ type: "text", text: "see" }, image, note, linked, linkedImage] },
    },
  ],
};

for (const version of ["v2", "v3", "v4"] as const) {
  test(`${version}: a prompt of texts and calls is the same array, also after it grew`, () => {
    const map = overTurns(promptFor(version));
    const prompt = [...plain];
    assert.equal(map(prompt), prompt);
    prompt.push({ role: "assistant", content: [{ type: "text", text: "bye" }] });
    assert.equal(map(prompt), prompt);
  });

  test(`${version}: each message is mapped once over a run, and once over several prompts`, () => {
    const toPrompt = promptFor(version);
    const map = overTurns(toPrompt);
    const prompt: Message[] = [...plain, { role: "user", content: [linked] }];
    const first = map(prompt);
    const mapped = first[4];
    assert.notEqual(mapped, prompt[4]);
    assert.equal(first[0], prompt[0]);
    prompt.push({ role: "assistant", content: [{ type: "text", text: "bye" }] });
    const second = map(prompt);
    assert.equal(second, first);
    assert.equal(second.length, 6);
    assert.equal(second[4], mapped);
    assert.equal(second[5], prompt[5]);
    assert.equal(toPrompt([...prompt])[4], mapped);
  });

  test(`${version}: a prompt that was cut back is mapped anew`, () => {
    const map = overTurns(promptFor(version));
    const prompt: Message[] = [{ role: "user", content: [linked] }, ...plain];
    map(prompt);
    prompt.splice(0, 3, { role: "user", content: [{ type: "text", text: "a summary" }] });
    assert.deepEqual(map(prompt), prompt);
    assert.equal(map(prompt).length, 3);
  });
}

test("files of messages: tagged in v4, bare base64 and URL objects in v3 and v2", () => {
  const prompt: Message[] = [{ role: "user", content: [image, linked] }];
  const url = new URL("https://a.test/B.pdf");
  const rest = { type: "file", mediaType: "application/pdf", filename: "B.pdf" };
  assert.deepEqual(promptFor("v4")(prompt), [
    { role: "user", content: [image, { ...rest, data: { type: "url", url } }] },
  ]);
  for (const version of ["v3", "v2"] as const) {
    assert.deepEqual(promptFor(version)(prompt), [
      {
        role: "user",
        content: [
          { type: "file", mediaType: "image/png", data: "AAEC" },
          { ...rest, data: url },
        ],
      },
    ]);
  }
});

test("a URL that parsing changes keeps its own text beside it", () => {
  const data = { type: "url", url: "https://A.test" } as const;
  const prompt: Message[] = [{ role: "user", content: [{ ...linked, data }] }];
  const [v4] = promptFor("v4")(prompt) as { content: { data: unknown }[] }[];
  assert.deepEqual(v4!.content[0]!.data, {
    type: "url",
    url: new URL("https://a.test/"),
    originalUrl: "https://A.test",
  });
  const [v3] = promptFor("v3")(prompt) as { content: { originalUrl: unknown }[] }[];
  assert.equal(v3!.content[0]!.originalUrl, "https://A.test");
});

test("a file whose URL is not absolute is refused with the fix", () => {
  const prompt: Message[] = [{ role: "user", content: [{ ...linked, data: { type: "url", url: "./b.pdf" } }] }];
  for (const version of ["v2", "v3", "v4"] as const) {
    assert.throws(() => promptFor(version)(prompt), { code: "model.unsupported", message: /`\.\/b\.pdf`/ });
  }
});

test("files in tool results take each version's own shape", () => {
  const value = (version: "v2" | "v3" | "v4"): unknown => {
    const [message] = promptFor(version)([results]) as { content: { output: { value: unknown } }[] }[];
    return message!.content[0]!.output.value;
  };
  const text = { type: "text", text: "see" };
  assert.deepEqual(value("v4"), [
    text,
    image,
    note,
    { ...linked, data: { type: "url", url: new URL("https://a.test/B.pdf") } },
    { ...linkedImage, data: { type: "url", url: new URL("https://a.test/b.png") } },
  ]);
  assert.deepEqual(value("v3"), [
    text,
    { type: "image-data", data: "AAEC", mediaType: "image/png" },
    { type: "file-data", data: "aGk=", mediaType: "text/plain", filename: "n.txt" },
    { type: "file-url", url: "https://a.test/B.pdf", mediaType: "application/pdf" },
    { type: "image-url", url: "https://a.test/b.png" },
  ]);
  assert.deepEqual(value("v2"), [
    text,
    { type: "media", data: "AAEC", mediaType: "image/png" },
    { type: "media", data: "aGk=", mediaType: "text/plain" },
    { type: "text", text: "https://a.test/B.pdf" },
    { type: "text", text: "https://a.test/b.png" },
  ]);
  assert.deepEqual(losses, [
    "a file in a tool result was sent as its address: specification v2 has no linked files there",
    "a file in a tool result was sent as its address: specification v2 has no linked files there",
  ]);
});

test("calls and results get the same new ids, and what cannot stand in a result follows it, once mapped", () => {
  const prompt: Message[] = [
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "a:0", toolName: "t", input: {} }] },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "a:0", toolName: "t", output: { type: "content", value: [image] } }],
    },
    { role: "user", content: [{ type: "text", text: "and?" }] },
  ];
  const map = overTurns(
    toWirePrompt({ version: "v3", wire: "chat", toWireId: (id) => id.replace(":", "_"), onLoss: () => undefined }),
  );
  const mapped = map(prompt);
  assert.deepEqual(mapped, [
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "a_0", toolName: "t", input: {} }] },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "a_0",
          toolName: "t",
          output: { type: "text", value: "[file 1 of this result, image/png: see below]" },
        },
      ],
    },
    {
      role: "user",
      content: [
        { type: "text", text: "File 1 of the result of `t` (a_0):" },
        { type: "file", mediaType: "image/png", data: "AAEC" },
      ],
    },
    prompt[2],
  ]);
  prompt.push({ role: "assistant", content: [{ type: "text", text: "so" }] });
  assert.equal(map(prompt), mapped);
  assert.equal(mapped.length, 5);
});

test("what is mapped leaves the history as it was", () => {
  const before = structuredClone(results);
  promptFor("v2")([results]);
  assert.deepEqual(results, before);
});
