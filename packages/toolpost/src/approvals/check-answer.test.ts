import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAnswer, type QuestionKind } from "./check-answer.ts";

const good: [string, QuestionKind, object, object][] = [
  ["yes", "approval", { decision: "approve" }, { decision: "approve" }],
  ["no with a comment", "approval", { decision: "decline", comment: "" }, { decision: "decline", comment: "" }],
  [
    "an edit",
    "approval",
    { decision: "approve", arguments: { a: [1] } },
    { decision: "approve", arguments: { a: [1] } },
  ],
  ["an empty edit", "approval", { decision: "approve", arguments: {} }, { decision: "approve", arguments: {} }],
  ["an edit to null", "approval", { decision: "approve", arguments: null }, { decision: "approve", arguments: null }],
  [
    "an edit to false",
    "approval",
    { decision: "approve", arguments: false },
    { decision: "approve", arguments: false },
  ],
  [
    "undefined fields",
    "approval",
    { decision: "approve", arguments: undefined, comment: undefined },
    { decision: "approve" },
  ],
  ["a reply", "question", { reply: "blue" }, { reply: "blue" }],
  ["a reply of null", "question", { reply: null }, { reply: null }],
  ["a structured reply", "question", { reply: { a: [true] } }, { reply: { a: [true] } }],
];

for (const [name, kind, given, expected] of good) {
  test(`an answer: ${name}`, () => {
    const checked = checkAnswer(given, { kind });
    assert.deepEqual(checked, { ok: true, answer: expected });
    assert.deepEqual(Object.keys(checked.ok ? checked.answer : {}), Object.keys(expected));
  });
}

const throwing = Object.defineProperty({}, "decision", {
  enumerable: true,
  get() {
    throw new Error("no");
  },
});
const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

const bad: [string, QuestionKind, unknown, RegExp][] = [
  ["nothing", "approval", undefined, /^expected `\{ decision: "approve" \| "decline", arguments\?, comment\? \}`$/],
  ["null", "approval", null, /^expected/],
  ["a bare word", "approval", "approve", /^expected/],
  ["true", "approval", true, /^expected/],
  ["a list", "approval", ["approve"], /^expected/],
  ["no decision", "approval", {}, /^expected/],
  ["another word", "approval", { decision: "approved" }, /^expected/],
  ["a word in capitals", "approval", { decision: "Approve" }, /^expected/],
  ["a decision that is true", "approval", { decision: true }, /^expected/],
  ["an inherited decision", "approval", Object.create({ decision: "approve" }), /^expected/],
  ["a reply to an approval", "approval", { reply: "approve" }, /^`reply` is not part of the answer/],
  ["a decision with a reply", "approval", { decision: "approve", reply: 1 }, /^`reply` is not part of the answer/],
  ["an unknown field", "approval", { decision: "approve", args: {} }, /^`args` is not part/],
  ["a comment that is no text", "approval", { decision: "decline", comment: 5 }, /^`comment` must be a text$/],
  ["a comment that is null", "approval", { decision: "decline", comment: null }, /^`comment` must be a text$/],
  [
    "a date as arguments",
    "approval",
    { decision: "approve", arguments: { at: new Date(0) } },
    /^`arguments` must be JSON/,
  ],
  [
    "a function in arguments",
    "approval",
    { decision: "approve", arguments: { run() {} } },
    /^`arguments` must be JSON/,
  ],
  ["a cycle in arguments", "approval", { decision: "approve", arguments: cyclic }, /^`arguments` must be JSON/],
  ["NaN as arguments", "approval", { decision: "approve", arguments: Number.NaN }, /^`arguments` must be JSON/],
  ["a field that throws", "approval", throwing, /^it cannot be read/],
  ["a decision on a question", "question", { decision: "approve" }, /^`decision` is not part of the answer/],
  ["no reply", "question", {}, /^expected `\{ reply \}`$/],
  ["a bare reply", "question", "blue", /^expected/],
  ["an undefined reply", "question", { reply: undefined }, /^expected/],
  ["a reply that is no JSON", "question", { reply: 1n }, /^`reply` must be JSON/],
];

for (const [name, kind, given, problem] of bad) {
  test(`no answer: ${name}`, () => {
    const checked = checkAnswer(given, { kind });
    assert.equal(checked.ok, false);
    assert.match(checked.ok ? "" : checked.problem, problem);
  });
}

test("a reply is one of the choices where there are any", () => {
  const asked = { kind: "question", choices: ["red", "blue"] } as const;
  assert.deepEqual(checkAnswer({ reply: "blue" }, asked), { ok: true, answer: { reply: "blue" } });
  for (const reply of ["Blue", "green", "", 1, null, ["red"]])
    assert.deepEqual(checkAnswer({ reply }, asked), {
      ok: false,
      problem: "`reply` must be one of the choices: `red`, `blue`",
    });
  assert.equal(checkAnswer({ reply: "green" }, { kind: "question", choices: [] }).ok, true);
});

test("the giver cannot change an answer afterwards", () => {
  const given = { decision: "approve", arguments: { orderId: "o-1" } };
  const checked = checkAnswer(given, { kind: "approval" });
  given.arguments.orderId = "o-2";
  given.decision = "decline";
  assert.deepEqual(checked, { ok: true, answer: { decision: "approve", arguments: { orderId: "o-1" } } });
});
