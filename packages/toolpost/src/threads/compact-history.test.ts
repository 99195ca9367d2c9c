import assert from "node:assert/strict";
import { test } from "node:test";
import { called, said, spoke, unknown } from "../../test/lib/histories.ts";
import type { LogEntry } from "../core/govern.ts";
import type { Message } from "../core/message.ts";
import { compactHistory } from "./compact-history.ts";

const thread = [
  ...[said("one"), spoke("1")],
  ...[said("two"), called("c")],
  ...[said("three"), spoke("3")],
  ...[said("four"), spoke("4")],
];
const { signal } = new AbortController();
const noLog = (entry: LogEntry): void => assert.fail(entry.message);

function textOf(messages: readonly Message[]): string {
  return messages[0]?.role === "user" && messages[0].content[0]?.type === "text" ? messages[0].content[0].text : "";
}

/** What a prompt says of earlier turns: the lines after the first one. */
function summariesOf(messages: readonly Message[]): unknown[] {
  const [, ...lines] = textOf(messages).split("\n");
  return lines.map((line) => JSON.parse(line));
}

test("missing summaries are made, of whole turns, and given back", async () => {
  const seen: (readonly Message[])[] = [];
  const { messages, made } = await compactHistory(
    thread,
    {
      turns: 1,
      summaries: 2,
      async summarise(turn, about) {
        assert.equal(about.signal.aborted, false);
        seen.push(turn);
        return `about ${textOf(turn)}`;
      },
    },
    { signal, log: noLog },
  );
  assert.deepEqual(seen, [
    [said("two"), called("c"), { role: "tool", content: [unknown("c")] }],
    [said("three"), spoke("3")],
  ]);
  assert.deepEqual(
    made,
    new Map([
      [1, "about two"],
      [2, "about three"],
    ]),
  );
  assert.deepEqual(summariesOf(messages), [
    { turn: 2, summary: "about two" },
    { turn: 3, summary: "about three" },
  ]);
  assert.deepEqual(messages.slice(1), thread.slice(6));
});

test("a summary that is known is not made again", async () => {
  const asked: string[] = [];
  const summarise = (turn: readonly Message[]): string => {
    asked.push(textOf(turn));
    return "new";
  };
  const known = new Map([
    [0, "long gone"],
    [1, "known"],
  ]);
  const { messages, made } = await compactHistory(
    thread,
    { turns: 1, summaries: 2, summarise },
    { known, signal, log: noLog },
  );
  assert.deepEqual(asked, ["three"]);
  assert.deepEqual(made, new Map([[2, "new"]]));
  assert.deepEqual(summariesOf(messages), [
    { turn: 2, summary: "known" },
    { turn: 3, summary: "new" },
  ]);
  const again = await compactHistory(
    thread,
    { turns: 1, summaries: 2, summarise },
    { known: new Map([...known, ...made]), signal, log: noLog },
  );
  assert.deepEqual(again, { messages, made: new Map() });
  assert.equal(asked.length, 1);
});

test("a summary that fails is logged and left out, and the others stay", async () => {
  const failures: Record<string, () => string | Promise<string>> = {
    one: () => {
      throw new Error("at once");
    },
    two: () => Promise.reject(new Error("later")),
    three: () => " \n",
  };
  const log: LogEntry[] = [];
  const { messages, made } = await compactHistory(
    [...thread, said("five")],
    { turns: 1, summaries: 4, summarise: (turn) => failures[textOf(turn)]?.() ?? "fine" },
    { signal, log: (entry) => void log.push(entry) },
  );
  assert.deepEqual(made, new Map([[3, "fine"]]));
  assert.deepEqual(summariesOf(messages), [{ turn: 4, summary: "fine" }]);
  assert.deepEqual(log.map(({ level, message, error }) => [level, message, (error as Error).message]).sort(), [
    ["warn", "turn 1 of the thread has no summary and is left out of the prompt", "at once"],
    ["warn", "turn 2 of the thread has no summary and is left out of the prompt", "later"],
    [
      "warn",
      "turn 3 of the thread has no summary and is left out of the prompt",
      "`summarise` must give a text that is not blank, and gave string",
    ],
  ]);
});

test("without `summarise` the known summaries are used and none is made", async () => {
  const known = new Map([[2, "known"]]);
  const { messages, made } = await compactHistory(thread, { turns: 1, summaries: 2 }, { known, signal, log: noLog });
  assert.deepEqual(made, new Map());
  assert.deepEqual(summariesOf(messages), [{ turn: 3, summary: "known" }]);
});

test("an abort ends it with the signal's reason, whatever the summary does with its signal, and is not logged", async () => {
  for (const summarise of [
    () => new Promise<string>(() => undefined),
    (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<string>((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
  ]) {
    const controller = new AbortController();
    const compacted = compactHistory(
      thread,
      { turns: 1, summaries: 1, summarise },
      { signal: controller.signal, log: noLog },
    );
    controller.abort("enough");
    await assert.rejects(compacted, (reason) => reason === "enough");
  }
});

test("once aborted no summary is begun", async () => {
  const summarise = (): string => assert.fail("begun");
  const aborted = { signal: AbortSignal.abort("enough"), log: noLog };
  await assert.rejects(
    compactHistory(thread, { turns: 1, summaries: 1, summarise }, aborted),
    (reason) => reason === "enough",
  );
});
