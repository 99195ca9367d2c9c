import assert from "node:assert/strict";
import { test } from "node:test";
import { awaitReply, decided } from "../core/approval.ts";
import { checkChannelAnswer } from "./check-channel-answer.ts";

test("what the two constructors make passes", () => {
  assert.deepEqual(checkChannelAnswer(awaitReply(), { kind: "approval" }), {
    ok: true,
    answer: { type: "await-reply" },
  });
  for (const asked of [{ kind: "approval" }, undefined] as const) {
    const answer = decided({ decision: "approve", arguments: {} });
    assert.deepEqual(checkChannelAnswer(answer, asked), { ok: true, answer });
  }
  for (const asked of [{ kind: "question" }, undefined] as const) {
    const answer = decided({ reply: ["a"] });
    assert.deepEqual(checkChannelAnswer(answer, asked), { ok: true, answer });
  }
});

test("anything else is refused with what to return", () => {
  const throwing = new Proxy({}, { get: () => assert.fail("read") });
  for (const value of [
    undefined,
    null,
    true,
    "await-reply",
    {},
    { type: "later" },
    Promise.resolve(awaitReply()),
    throwing,
  ]) {
    assert.deepEqual(checkChannelAnswer(value), {
      ok: false,
      problem: "`send` must return `awaitReply()` or `decided(…)`, or a Promise of one",
    });
  }
});

test("a decided answer is checked like one that comes later", () => {
  const wrongKind = checkChannelAnswer(decided({ reply: "yes" }), { kind: "approval" });
  assert.match(wrongKind.ok ? "" : wrongKind.problem, /^`reply` is not part of the answer/);
  const none = checkChannelAnswer({ type: "decided" }, { kind: "approval" });
  assert.match(none.ok ? "" : none.problem, /^expected/);
  const bareWord = checkChannelAnswer({ type: "decided", answer: "approve" });
  assert.match(bareWord.ok ? "" : bareWord.problem, /^expected `\{ decision/);
});

test("a channel cannot change its answer afterwards", () => {
  const given = { decision: "approve" as const, arguments: { cents: 1 } };
  const checked = checkChannelAnswer(decided(given));
  given.arguments.cents = 1_000_000;
  assert.deepEqual(checked, { ok: true, answer: decided({ decision: "approve", arguments: { cents: 1 } }) });
});
