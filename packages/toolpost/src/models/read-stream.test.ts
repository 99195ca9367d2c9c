import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelDelta } from "../core/model.ts";
import { ModelError } from "../core/run-errors.ts";
import { abortSourceOf } from "../std/abort.ts";
import type { RawReply } from "./read-stream.ts";
import { readStream } from "./read-stream.ts";
import type { ForeignPart } from "./reply-parts.ts";

const finish: ForeignPart = { type: "finish", finishReason: { unified: "stop", raw: "end_turn" } };

interface Source {
  readonly stream: ReadableStream<ForeignPart>;
  readonly cancelled: unknown[];
}

/** Gives the parts one by one, then closes, or stays open, or fails. */
function source(parts: readonly ForeignPart[], end: "close" | "open" | Error = "close"): Source {
  const left = [...parts];
  const cancelled: unknown[] = [];
  const stream = new ReadableStream<ForeignPart>({
    pull(controller) {
      if (left.length > 0) controller.enqueue(left.shift()!);
      else if (end === "close") controller.close();
      else if (end === "open") return new Promise(() => undefined);
      else controller.error(end);
    },
    cancel: (reason) => void cancelled.push(reason),
  });
  return { stream, cancelled };
}

function read(
  { stream }: Source,
  onDelta: (delta: ModelDelta) => void = () => undefined,
  signal: AbortSignal = new AbortController().signal,
): Promise<RawReply> {
  return readStream(stream, { modelId: "acme:large-1", onDelta, abort: abortSourceOf(signal) });
}

async function rejection(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => assert.fail("it should reject"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ModelError, String(error));
  return error;
}

const textDelta = (delta: string): ForeignPart => ({ type: "text-delta", id: "1", delta });
const call = (toolCallId: string, input: string): ForeignPart => ({
  type: "tool-call",
  toolCallId,
  toolName: "search",
  input,
});

test("parts stand in the order in which they started, whatever order they end in", async () => {
  const parts = [
    { type: "text-start", id: "x" },
    { type: "tool-input-start", id: "b", toolName: "search" },
    { type: "reasoning-start", id: "x" },
    { type: "tool-input-start", id: "a", toolName: "search" },
    { type: "reasoning-delta", id: "x", delta: "why" },
    { type: "text-delta", id: "x", delta: "one" },
    call("a", "2"),
    call("b", "1"),
    { type: "text-end", id: "x" },
    { type: "text-start", id: "x" },
    { type: "text-delta", id: "x", delta: "two" },
    finish,
  ];
  const deltas: ModelDelta[] = [];
  const { content } = await read(source(parts), (delta) => deltas.push(delta));
  assert.deepEqual(content, [
    { type: "text", text: "one" },
    call("b", "1"),
    { type: "reasoning", text: "why" },
    call("a", "2"),
    { type: "text", text: "two" },
  ]);
  const ends = deltas.filter(({ type }) => type === "text-end" || type === "reasoning-end");
  assert.deepEqual(
    ends.map(({ type }) => type),
    ["text-end", "text-end", "reasoning-end"],
    "a part that never ended ends with the stream",
  );
});

test("deltas without a start are a part all the same; an end without a part is nothing", async () => {
  const { content } = await read(
    source([textDelta("one"), { type: "text-end", id: "2" }, { type: "text-end" }, finish]),
  );
  assert.deepEqual(content, [{ type: "text", text: "one" }]);
});

test("the last metadata of a part counts, wherever it comes", async () => {
  const metadata = (n: number): ForeignPart["providerMetadata"] => ({ acme: { n } });
  const parts = [
    { type: "reasoning-start", id: "1", providerMetadata: metadata(1) },
    { type: "reasoning-delta", id: "1", delta: "x", providerMetadata: metadata(2) },
    { type: "reasoning-delta", id: "1", delta: "y" },
    { type: "reasoning-end", id: "1" },
    { type: "reasoning-start", id: "2", providerMetadata: metadata(3) },
    { type: "reasoning-end", id: "2", providerMetadata: metadata(4) },
    { type: "text-start", id: "3" },
    { type: "text-end", id: "3" },
    finish,
  ];
  const { content } = await read(source(parts));
  assert.deepEqual(content, [
    { type: "reasoning", text: "xy", providerOptions: metadata(2) },
    { type: "reasoning", text: "", providerOptions: metadata(4) },
  ]);
});

test("an error part fails the reply with what had arrived, and lets the stream go", async () => {
  const cause = { type: "server_error", error: { message: "overloaded\nplease wait" } };
  const given = source([textDelta("So"), { type: "error", error: cause }, textDelta(" far"), finish], "open");
  const error = await rejection(read(given));
  assert.equal(error.code, "model.failed");
  assert.equal(error.message, "acme:large-1 failed: overloaded please wait");
  assert.equal(error.cause, cause);
  assert.deepEqual(error.data, { content: [{ type: "text", text: "So" }] });
  assert.deepEqual(given.cancelled, [error]);
  assert.equal(given.stream.locked, false);
});

test("a stream that ends without a finish part is a cut, with what had arrived", async () => {
  const open = { type: "tool-input-start", id: "b", toolName: "search" };
  const error = await rejection(read(source([call("a", "{}"), open, textDelta("So far")])));
  assert.equal(error.code, "model.stream-cut");
  assert.match(error.message, /acme:large-1 ended before its finish part/);
  assert.deepEqual(error.data, { content: [call("a", "{}"), { type: "text", text: "So far" }] });
});

test("a stream that fails under way is a failure with what had arrived", async () => {
  const cause = new TypeError("terminated");
  const given = source([textDelta("So")], cause);
  const error = await rejection(read(given));
  assert.equal(error.code, "model.failed");
  assert.equal(error.cause, cause);
  assert.deepEqual(error.data, { content: [{ type: "text", text: "So" }] });
  assert.equal(given.stream.locked, false);
});

test("arguments that never became a call are a cut, even if they read as whole", async () => {
  const parts = [
    { type: "tool-input-start", id: "a", toolName: "search" },
    { type: "tool-input-delta", id: "a", delta: '{"q":1}' },
    { type: "tool-input-end", id: "a" },
    finish,
  ];
  const error = await rejection(read(source(parts)));
  assert.equal(error.code, "model.stream-cut");
  assert.match(error.message, /inside the arguments of `search`/);
  assert.deepEqual(error.data, { content: [] });
});

const unfinished: readonly ForeignPart[] = [
  { type: "tool-input-start", id: "a", toolName: "search" },
  { type: "tool-input-delta", id: "a", delta: '{"q": "un' },
  { type: "tool-input-start", id: "b", toolName: "search" },
];

for (const reason of ["length", "content-filter"]) {
  test(`stopped short (${reason}), arguments are a call as the model wrote it; none at all are no call`, async () => {
    const reply = await read(source([...unfinished, { type: "finish", finishReason: { unified: reason, raw: "x" } }]));
    assert.equal(reply.finish, reason);
    assert.deepEqual(reply.content, [call("a", '{"q": "un')]);
  });
}

test("arguments left unfinished by a failed reply are no call; the failure is told by its finish", async () => {
  for (const reason of ["error", "interrupted"]) {
    const reply = await read(source([...unfinished, { type: "finish", finishReason: { unified: reason, raw: "x" } }]));
    assert.equal(reply.finish, reason);
    assert.deepEqual(reply.content, []);
  }
});

test("inputs with one id are told apart by their order", async () => {
  const start = { type: "tool-input-start", id: "", toolName: "search" };
  const delta = (text: string): ForeignPart => ({ type: "tool-input-delta", id: "", delta: text });
  const given = source([start, delta("1"), call("", "1"), start, delta("2"), call("", "2"), finish]);
  const deltas: ModelDelta[] = [];
  const { content } = await read(given, (each) => deltas.push(each));
  assert.deepEqual(content, [call("", "1"), call("", "2")]);
  assert.equal(deltas.length, 2);
});

test("of several finish parts the last counts, and an error after it too", async () => {
  const length = { type: "finish", finishReason: "length", usage: { inputTokens: 3 } };
  const reply = await read(source([finish, length]));
  assert.equal(reply.finish, "length");
  assert.equal(reply.usage.inputTokens, 3);
  const error = await rejection(read(source([finish, { type: "error", error: "late" }])));
  assert.equal(error.message, "acme:large-1 failed: late");
});

test("an abort under way cancels the stream, and no delta follows it", async () => {
  const controller = new AbortController();
  const given = source(["1", "2", "3", "4"].map(textDelta), "open");
  const texts: string[] = [];
  const reading = read(
    given,
    (delta) => {
      if (delta.type === "text-delta") texts.push(delta.text);
      if (texts.length === 2) controller.abort("enough");
    },
    controller.signal,
  );
  await assert.rejects(reading, (error) => error === "enough");
  assert.deepEqual(texts, ["1", "2"]);
  assert.deepEqual(given.cancelled, ["enough"]);
  assert.equal(given.stream.locked, false);
});

test("a throw of onDelta is the caller's: it rejects as it is and lets the stream go", async () => {
  const thrown = new Error("listener");
  const given = source([textDelta("x")], "open");
  const reading = read(given, () => {
    throw thrown;
  });
  await assert.rejects(reading, (error) => error === thrown);
  assert.deepEqual(given.cancelled, [thrown]);
});

test("a stream whose cancel fails or hangs holds nothing up", async () => {
  for (const cancel of [() => Promise.reject(new Error("of cancel")), () => new Promise<void>(() => undefined)]) {
    const stream = new ReadableStream<ForeignPart>({
      pull: (controller) => controller.enqueue({ type: "error", error: "bad" }),
      cancel,
    });
    assert.equal((await rejection(read({ stream, cancelled: [] }))).message, "acme:large-1 failed: bad");
  }
});
