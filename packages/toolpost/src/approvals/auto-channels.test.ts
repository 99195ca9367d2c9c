import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ask, awaitReply, type Channel, decided } from "../core/approval.ts";
import { AutoApproveChannel } from "./auto-approve-channel.ts";
import { AutoRejectChannel } from "./auto-reject-channel.ts";
import { checkChannelAnswer } from "./check-channel-answer.ts";

const approval: Ask = {
  pauseId: "pause_1",
  value: {
    kind: "approval",
    tool: "refund_card",
    description: "Refunds a card payment",
    arguments: { cents: 500 },
    callId: "c-1",
    runId: "r-1",
    user: undefined,
  },
};
const question: Ask = {
  pauseId: "pause_2",
  value: { kind: "question", tool: "paint", question: "Which colour?", callId: "c-2", runId: "r-1" },
};

async function sent(channel: Channel, ask: Ask) {
  const answer = await channel.send(ask, { signal: new AbortController().signal });
  assert.equal(checkChannelAnswer(answer, ask.value).ok, true);
  return answer;
}

test("AutoApproveChannel approves calls as asked", async () => {
  assert.deepEqual(await sent(new AutoApproveChannel(), approval), decided({ decision: "approve" }));
  assert.deepEqual(
    await sent(new AutoApproveChannel({ comment: "in tests" }), approval),
    decided({ decision: "approve", comment: "in tests" }),
  );
});

test("AutoApproveChannel answers questions only with a reply it was given", async () => {
  assert.deepEqual(await sent(new AutoApproveChannel(), question), awaitReply());
  assert.deepEqual(await sent(new AutoApproveChannel({ reply: "blue" }), question), decided({ reply: "blue" }));
  assert.deepEqual(await sent(new AutoApproveChannel({ reply: null }), question), decided({ reply: null }));
});

test("AutoApproveChannel leaves a question waiting where its reply is none of the choices", async () => {
  const choosing = { ...question, value: { ...question.value, choices: ["red", "blue"] } } as Ask;
  assert.deepEqual(await sent(new AutoApproveChannel({ reply: "green" }), choosing), awaitReply());
  assert.deepEqual(await sent(new AutoApproveChannel({ reply: "red" }), choosing), decided({ reply: "red" }));
});

test("AutoRejectChannel declines calls and leaves questions waiting", async () => {
  assert.deepEqual(await sent(new AutoRejectChannel(), approval), decided({ decision: "decline" }));
  assert.deepEqual(
    await sent(new AutoRejectChannel({ comment: "read only" }), approval),
    decided({ decision: "decline", comment: "read only" }),
  );
  assert.deepEqual(await sent(new AutoRejectChannel(), question), awaitReply());
});

test("each channel has a name of its own", () => {
  assert.deepEqual([new AutoApproveChannel().name, new AutoRejectChannel().name], ["auto-approve", "auto-reject"]);
});
