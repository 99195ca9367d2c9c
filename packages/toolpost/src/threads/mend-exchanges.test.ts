import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyHistory, called, exchangeFaults, resulted, said, spoke, unknown } from "../../test/lib/histories.ts";
import type { Message } from "../core/message.ts";
import { mendExchanges } from "./mend-exchanges.ts";

test("a history that is as it should be is given back itself", () => {
  const whole = [said("a"), called("c", "d"), resulted("c", "d"), spoke("done"), said("b"), spoke("yes")];
  assert.equal(mendExchanges(whole), whole);
});

test("whatever a history looks like, each call has one result in its place and each result its call", () => {
  fc.assert(fc.property(anyHistory, (history) => assert.deepEqual(exchangeFaults(mendExchanges(history)), [])));
});

test("mending twice is mending once", () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      const mended = mendExchanges(history);
      assert.equal(mendExchanges(mended), mended);
    }),
  );
});

test("what people and the system said stays, in order and as the same objects", () => {
  const words = (history: readonly Message[]) => history.filter(({ role }) => role === "user" || role === "system");
  fc.assert(
    fc.property(anyHistory, (history) => {
      const [kept, given] = [words(mendExchanges(history)), words(history)];
      assert.ok(kept.length === given.length && kept.every((message, index) => message === given[index]));
    }),
  );
});

test("no call of ours vanishes, and no history is changed in its place", () => {
  const callsOf = (history: readonly Message[]) =>
    history
      .flatMap(({ role, content }) => (role === "assistant" ? content : []))
      .filter((part) => part.type === "tool-call" && part.providerExecuted !== true);
  fc.assert(
    fc.property(anyHistory, (history) => {
      const before = structuredClone(history);
      assert.deepEqual(callsOf(mendExchanges(history)), callsOf(history));
      assert.deepEqual(history, before);
    }),
  );
});

test("a thread that was cut begins with results of no call: they are left out", () => {
  assert.deepEqual(mendExchanges([resulted("c"), spoke("so"), said("a")]), [spoke("so"), said("a")]);
});

test("a call without any result gets one that says that nobody knows", () => {
  assert.deepEqual(mendExchanges([said("a"), called("c")]), [
    said("a"),
    called("c"),
    { role: "tool", content: [unknown("c")] },
  ]);
  assert.equal(unknown("c").output.value, "Tool error: the outcome is unknown: the call may have had its effect");
});

test("results in several messages, in another order or further on stand in one message in the order of the calls", () => {
  const expected = [called("c", "d"), resulted("c", "d"), spoke("so"), said("a")];
  for (const odd of [
    [called("c", "d"), resulted("c"), resulted("d"), spoke("so"), said("a")],
    [called("c", "d"), resulted("d", "c"), spoke("so"), said("a")],
    [called("c", "d"), resulted("c"), spoke("so"), said("a"), resulted("d")],
    [called("c", "d"), resulted("c", "d", "c", "other"), spoke("so"), resulted("d"), said("a")],
  ]) {
    assert.deepEqual(mendExchanges(odd), expected);
  }
});

test("an id that was used before means its last call", () => {
  assert.deepEqual(mendExchanges([called("c"), said("a"), called("c"), resulted("c")]), [
    called("c"),
    { role: "tool", content: [unknown("c")] },
    said("a"),
    called("c"),
    resulted("c"),
  ]);
});

const theirCall = { ...called("w").content[0]!, providerExecuted: true };
const theirResult = resulted("w").content[0]!;
const thought = { type: "reasoning", text: "hm" } as const;
const word = { type: "text", text: "so" } as const;
const assistant = (...content: Extract<Message, { role: "assistant" }>["content"]): Message => ({
  role: "assistant",
  content,
});

test("what the provider executed stands with its result, also where that came in a later message of the turn", () => {
  for (const whole of [
    [assistant(theirCall, theirResult, word)],
    [assistant(theirCall, ...called("c").content), resulted("c"), assistant(theirResult, word)],
  ]) {
    assert.equal(mendExchanges(whole), whole);
  }
});

test("what the provider executed and lacks its result is left out, with the thought that led to it", () => {
  assert.deepEqual(mendExchanges([assistant(word, thought, theirCall)]), [assistant(word)]);
  assert.deepEqual(mendExchanges([assistant(thought, theirCall), said("a")]), [said("a")]);
  assert.deepEqual(mendExchanges([assistant(theirCall), said("a"), assistant(theirResult, word)]), [
    said("a"),
    assistant(word),
  ]);
});

test("messages that hold nothing are left out", () => {
  assert.deepEqual(mendExchanges([said("a"), assistant(), { role: "tool", content: [] }]), [said("a")]);
});

test("one object may stand in a history twice", () => {
  const call = assistant(theirCall);
  assert.deepEqual(mendExchanges([call, said("a"), call, assistant(theirResult)]), [
    said("a"),
    call,
    assistant(theirResult),
  ]);
});
