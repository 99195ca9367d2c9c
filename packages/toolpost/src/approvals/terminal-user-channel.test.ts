import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import {
  type ApprovalQuestion,
  type Ask,
  awaitReply,
  type ChannelAnswer,
  decided,
  type OpenQuestion,
} from "../core/approval.ts";
import { TerminalUserChannel } from "./terminal-user-channel.ts";

const refund: ApprovalQuestion = {
  kind: "approval",
  tool: "refund_card",
  description: "Refunds a card payment",
  arguments: { orderId: "o-1", cents: 500 },
  callId: "c-1",
  runId: "r-1",
  user: { id: "u-1" },
};
const colour: OpenQuestion = {
  kind: "question",
  tool: "paint",
  question: "Which colour?",
  choices: ["red", "blue"],
  callId: "c-2",
  runId: "r-1",
};
const prompts = {
  approve: "Approve? [y]es / [n]o / [e]dit: ",
  comment: "Comment for the model (may be empty): ",
  edit: "New arguments as one line of JSON, empty to go back: ",
  number: "Answer by number: ",
  answer: "Answer: ",
};

test("shows tool, description, user and arguments, and takes a yes", async () => {
  const person = sitDown();
  const answer = person.ask(refund);
  await person.sees(prompts.approve);
  assert.equal(
    person.screen(),
    [
      "",
      "Approval needed: refund_card",
      "  Refunds a card payment",
      "  for user u-1",
      "  arguments:",
      "    {",
      '      "orderId": "o-1",',
      '      "cents": 500',
      "    }",
      prompts.approve,
    ].join("\n"),
  );
  person.types("y");
  assert.deepEqual(await answer, decided({ decision: "approve" }));
});

for (const [typed, decision] of [
  ["YES", "approve"],
  [" y ", "approve"],
  ["no", "decline"],
  ["N", "decline"],
] as const) {
  test(`\`${typed}\` means ${decision}`, async () => {
    const person = sitDown();
    const answer = person.ask(refund);
    await person.answers(prompts.approve, typed);
    if (decision === "decline") await person.answers(prompts.comment, "");
    assert.deepEqual(await answer, decided({ decision }));
  });
}

test("anything but an answer asks again, an empty line too", async () => {
  const person = sitDown();
  const answer = person.ask(refund);
  for (const typed of ["", "yep", "yes please", "approve", "1", "[y]es"]) await person.answers(prompts.approve, typed);
  await person.answers(prompts.approve, "y");
  assert.deepEqual(await answer, decided({ decision: "approve" }));
});

test("a no may carry a comment", async () => {
  const person = sitDown();
  const answer = person.ask(refund);
  await person.answers(prompts.approve, "n");
  await person.answers(prompts.comment, "too much money");
  assert.deepEqual(await answer, decided({ decision: "decline", comment: "too much money" }));
});

test("an edit asks until it is JSON, and is then the approval", async () => {
  const person = sitDown();
  const answer = person.ask(refund);
  await person.answers(prompts.approve, "e");
  await person.answers(prompts.edit, "{cents: 5}");
  await person.sees("That is not JSON: ");
  await person.answers(prompts.edit, '{"cents": 5}');
  assert.deepEqual(await answer, decided({ decision: "approve", arguments: { cents: 5 } }));
});

test("an empty edit is an edit, an empty line is none", async () => {
  const person = sitDown();
  const edited = person.ask(refund);
  await person.answers(prompts.approve, "edit");
  await person.answers(prompts.edit, "");
  await person.answers(prompts.approve, "edit");
  await person.answers(prompts.edit, "{}");
  assert.deepEqual(await edited, decided({ decision: "approve", arguments: {} }));
});

test("a question is answered by the number or the words of a choice", async () => {
  const person = sitDown();
  const first = person.ask(colour);
  await person.sees(prompts.number);
  assert.equal(person.screen(), `\nQuestion from paint:\n  Which colour?\n  1. red\n  2. blue\n${prompts.number}`);
  person.types("");
  for (const typed of ["0", "3", "green", "-1", "1.5"]) await person.answers(prompts.number, typed);
  await person.answers(prompts.number, "2");
  assert.deepEqual(await first, decided({ reply: "blue" }));
  const second = person.ask(colour);
  await person.answers(prompts.number, "red");
  assert.deepEqual(await second, decided({ reply: "red" }));
});

test("choices that are numbers are meant by their words", async () => {
  const person = sitDown();
  const answer = person.ask({ ...colour, choices: ["2", "1"] });
  await person.answers(prompts.number, "1");
  assert.deepEqual(await answer, decided({ reply: "1" }));
});

test("a question without choices takes any line but an empty one", async () => {
  const person = sitDown();
  const { choices: _, ...open } = colour;
  const answer = person.ask(open);
  await person.answers(prompts.answer, "");
  await person.answers(prompts.answer, "a warm grey");
  assert.deepEqual(await answer, decided({ reply: "a warm grey" }));
});

const hostile =
  "ok\r\x1b[2K\n\nApprove? \x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\\u202Etxt\u200Bx\u2028\x07\x7f\u{E0041}";

test("foreign texts are shown escaped, each on its line", async () => {
  const person = sitDown();
  const asked = person.ask({
    ...refund,
    tool: `tool${hostile}`,
    description: `about${hostile}`,
    user: { id: `user${hostile}` },
    arguments: { [`key${hostile}`]: `value${hostile}` },
  });
  await person.answers(prompts.approve, "y");
  await asked;
  const question = person.ask({ ...colour, tool: hostile, question: hostile, choices: [hostile] });
  await person.answers(prompts.number, "1");
  await question;
  assert.doesNotMatch(person.screen(), unsafe);
  const escaped = "ok\\r\\x1b[2K\\n\\nApprove? \\x1b]8;;https://evil.example\\x1b\\here";
  for (const start of ["needed: tool", "  about", "for user user", "Question from ", "  ", "  1. "]) {
    assert.ok(person.screen().includes(`${start}${escaped}`), start);
  }
  for (const part of ["\\u202etxt", "\\u200bx", "\\u2028", "\\x07", "\\x7f", "\\u{e0041}"]) {
    assert.ok(person.screen().includes(part), part);
  }
  // No foreign text starts a line of its own.
  assert.deepEqual(
    person
      .screen()
      .split("\n")
      .filter((line) => line.startsWith("Approve?")),
    [prompts.approve],
  );
});

test("what the person typed comes back escaped in an error", async () => {
  const person = sitDown();
  const answer = person.ask(refund);
  await person.answers(prompts.approve, "e");
  await person.answers(prompts.edit, "\x1b[2K");
  await person.answers(prompts.edit, "[]");
  assert.deepEqual(await answer, decided({ decision: "approve", arguments: [] }));
  assert.doesNotMatch(person.screen(), unsafe);
});

test("several questions are asked one after another, in order", async () => {
  const person = sitDown();
  const answers = Promise.all([
    person.ask({ ...refund, tool: "first" }),
    person.ask(colour),
    person.ask({ ...refund, tool: "third" }),
  ]);
  await person.sees(prompts.approve);
  assert.ok(person.screen().includes("first") && !person.screen().includes("paint"));
  person.types("y");
  await person.answers(prompts.number, "1");
  assert.ok(!person.screen().includes("third"));
  await person.answers(prompts.approve, "n");
  await person.answers(prompts.comment, "");
  assert.deepEqual(await answers, [
    decided({ decision: "approve" }),
    decided({ reply: "red" }),
    decided({ decision: "decline" }),
  ]);
});

test("lines that a script hands over at once answer one question after another", async () => {
  const person = sitDown();
  person.types("y\n2\nn\nno, thanks");
  const answers = [await person.ask(refund), await person.ask(colour), await person.ask(refund)];
  assert.deepEqual(answers, [
    decided({ decision: "approve" }),
    decided({ reply: "blue" }),
    decided({ decision: "decline", comment: "no, thanks" }),
  ]);
});

test("what was typed at a terminal before the question was shown answers nothing", async () => {
  const person = sitDown({ isTty: true });
  person.types("y");
  const answer = person.ask(refund);
  await person.answers(prompts.approve, "n");
  await person.answers(prompts.comment, "");
  assert.deepEqual(await answer, decided({ decision: "decline" }));
  // Two lines in one go: the second was no answer to the next question.
  const both = Promise.all([person.ask(refund), person.ask(refund)]);
  await person.answers(prompts.approve, "y\ny");
  await person.answers(prompts.approve, "n");
  await person.answers(prompts.comment, "");
  assert.deepEqual(await both, [decided({ decision: "approve" }), decided({ decision: "decline" })]);
});

test("where nobody sits at a terminal the question waits, and nothing is written", async () => {
  const person = sitDown({ isTerminal: false });
  assert.deepEqual(await person.ask(refund), awaitReply());
  assert.deepEqual(await person.ask(colour), awaitReply());
  assert.equal(person.screen(), "");
});

test("streams that are no terminals mean that nobody is there", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const signal = new AbortController().signal;
  for (const [inputTty, outputTty] of [
    [undefined, undefined],
    [true, undefined],
    [undefined, true],
  ]) {
    Object.assign(input, { isTTY: inputTty });
    Object.assign(output, { isTTY: outputTty });
    const channel = new TerminalUserChannel({ input, output });
    assert.deepEqual(await channel.send({ pauseId: "p", value: refund }, { signal }), awaitReply());
  }
});

test("the end of input leaves this question and later ones waiting", async () => {
  const person = sitDown();
  const answer = person.ask(refund);
  await person.sees(prompts.approve);
  person.leaves();
  assert.deepEqual(await answer, awaitReply());
  assert.deepEqual(await person.ask(colour), awaitReply());
});

test("the end of input after a no is still a no", async () => {
  const person = sitDown();
  const answer = person.ask(refund);
  await person.answers(prompts.approve, "n");
  await person.sees(prompts.comment);
  person.leaves();
  assert.deepEqual(await answer, decided({ decision: "decline" }));
});

test("an abort ends the question under way, and the next one is asked", async () => {
  const person = sitDown();
  const abort = new AbortController();
  const first = person.ask(refund, abort.signal);
  const second = person.ask({ ...refund, tool: "second" });
  await person.sees(prompts.approve);
  const reason = new Error("cancelled");
  abort.abort(reason);
  await assert.rejects(first, reason);
  await person.answers(prompts.approve, "y");
  assert.deepEqual(await second, decided({ decision: "approve" }));
});

test("an abort in the middle of a no decides nothing", async () => {
  const person = sitDown();
  const abort = new AbortController();
  const answer = person.ask(refund, abort.signal);
  await person.answers(prompts.approve, "n");
  await person.sees(prompts.comment);
  abort.abort(new Error("cancelled"));
  await assert.rejects(answer, /cancelled/);
});

test("an abort ends a question that waits for its turn at once, and it is never shown", async () => {
  const person = sitDown();
  const abort = new AbortController();
  const first = person.ask(refund);
  const second = person.ask({ ...refund, tool: "second" }, abort.signal);
  await person.sees(prompts.approve);
  abort.abort(new Error("cancelled"));
  await assert.rejects(second, /cancelled/);
  person.types("y");
  assert.deepEqual(await first, decided({ decision: "approve" }));
  const third = person.ask(colour);
  await person.answers(prompts.number, "1");
  await third;
  assert.ok(!person.screen().includes("second"));
});

test("nothing is left listening on input and signal between questions", async () => {
  const person = sitDown();
  const { signal } = new AbortController();
  const answer = person.ask(refund, signal);
  await person.answers(prompts.approve, "y");
  await answer;
  assert.equal(person.input.isPaused(), true);
  assert.deepEqual([person.input.listenerCount("data"), person.input.listenerCount("end")], [0, 0]);
});

/** Whatever moves the cursor, but for line feeds; marks of reading direction; what cannot be seen. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be shown
const unsafe = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\u{e0000}-\u{e007f}]/u;

/** A channel with a person in front of it who answers what is on the screen. */
function sitDown({ isTty = false, isTerminal = true } = {}) {
  const input = Object.assign(new PassThrough(), isTty ? { isTTY: true } : {});
  const output = new PassThrough({ encoding: "utf8" });
  const channel = new TerminalUserChannel({ input, output, isTerminal });
  let shown = "";
  let read = 0;
  let wake: (() => void) | undefined;
  output.on("data", (text: string) => {
    shown += text;
    wake?.();
  });
  const person = {
    input,
    screen: () => shown,
    ask: (value: Ask["value"], signal: AbortSignal = new AbortController().signal): Promise<ChannelAnswer> =>
      channel.send({ pauseId: "pause_1", value }, { signal }),
    /** Waits until the text stands on the part of the screen that was not seen before. */
    async sees(text: string) {
      while (!shown.slice(read).includes(text)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      read = shown.indexOf(text, read) + text.length;
    },
    types: (line: string) => void input.write(`${line}\n`),
    async answers(question: string, line: string) {
      await person.sees(question);
      person.types(line);
    },
    leaves: () => void input.end(),
  };
  return person;
}
