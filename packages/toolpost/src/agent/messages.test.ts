import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noUsage } from "../core/budget.ts";
import type { ModelReply, ReplyPart } from "../core/model.ts";
import { assistantMessage, callsOf, textOf } from "./messages.ts";
import { userMessage } from "./user-message.ts";

const reply = (...content: ReplyPart[]): ModelReply => ({ content, finish: "stop", usage: noUsage });

describe("assistantMessage", () => {
  it("keeps the order of parts, reasoning with its signature, and drops empty texts", () => {
    const signature = { anthropic: { signature: "s" } };
    const message = assistantMessage(
      reply(
        { type: "reasoning", text: "r", providerOptions: signature },
        { type: "text", text: "" },
        { type: "text", text: "t" },
        { type: "tool-call", toolCallId: "x", toolName: "look_up", input: '{"a":1}' },
      ),
      ["id-1"],
    );
    assert.deepEqual(message, {
      role: "assistant",
      content: [
        { type: "reasoning", text: "r", providerOptions: signature },
        { type: "text", text: "t" },
        { type: "tool-call", toolCallId: "id-1", toolName: "look_up", input: { a: 1 } },
      ],
    });
  });

  it("keeps provider-executed calls under their own ids, and does not count them as ours", () => {
    const search = {
      type: "tool-call",
      toolCallId: "srv_1",
      toolName: "web_search",
      input: "{}",
      providerExecuted: true,
    } as const;
    const own = { type: "tool-call", toolCallId: "c", toolName: "own", input: "{}" } as const;
    const made = reply(search, own);
    assert.deepEqual(callsOf(made), [own]);
    const message = assistantMessage(made, ["c"]);
    assert.deepEqual(
      message?.role === "assistant" &&
        message.content.map((part) => part.type === "tool-call" && [part.toolCallId, part.providerExecuted]),
      [
        ["srv_1", true],
        ["c", undefined],
      ],
    );
  });

  it("is none for a reply that holds nothing", () => {
    assert.equal(assistantMessage(reply({ type: "text", text: "" }), []), undefined);
  });

  for (const input of ["{", "[1]", "5", "", "null"]) {
    it(`stands {} in for arguments ${JSON.stringify(input)}`, () => {
      const message = assistantMessage(reply({ type: "tool-call", toolCallId: "c", toolName: "a b", input }), ["c"]);
      assert.deepEqual(message?.content[0], { type: "tool-call", toolCallId: "c", toolName: "a_b", input: {} });
    });
  }
});

describe("textOf and userMessage", () => {
  it("join texts as they are and make texts well-formed", () => {
    assert.equal(
      textOf(reply({ type: "text", text: "a" }, { type: "reasoning", text: "r" }, { type: "text", text: "b" })),
      "ab",
    );
    assert.deepEqual(userMessage("a\ud800"), { role: "user", content: [{ type: "text", text: "a\ufffd" }] });
  });
});
