// A model that needs no key: it plays the clerk by a script. What it says next depends on the conversation alone, as with
// a real model, so it does not matter which process asks it: none of them knows how far another one came.

import { type ScriptedModel, type ScriptedReply, type ScriptedRequest, scriptedModel } from "toolpost/testing";
import { euros } from "../euros.ts";
import type { Order } from "./orders.ts";

export function scriptedClerk(): ScriptedModel {
  return scriptedModel(nextReply);
}

function nextReply(request: ScriptedRequest): string | ScriptedReply {
  const orders = resultsOf<Order>(request, "lookup_order");
  if (orders.length === 0) return lookUp(request.lastUser.match(/\b[A-Z]-\d+\b/g) ?? []);
  const refunds = resultsOf<{ refundId: string; cents: number } | string>(request, "refund_card");
  const next = orders[refunds.length];
  if (next !== undefined) return refund(next);
  const done = refunds.map((made) => {
    if (made === undefined) return "one was not made";
    return typeof made === "string" ? "one that a person has seen" : `${euros(made.cents)} (${made.refundId})`;
  });
  return `I am sorry about the damage. Your refunds: ${done.join(", ")}.`;
}

function lookUp(orderIds: readonly string[]): ScriptedReply {
  const calls = orderIds.map((orderId) => ({ name: "lookup_order", id: `lookup-${orderId}`, input: { orderId } }));
  return { text: "I look the orders up.", calls };
}

function refund({ orderId, paidCents }: Order): ScriptedReply {
  return {
    text: `I refund ${euros(paidCents)} for ${orderId}.`,
    calls: [{ name: "refund_card", id: `refund-${orderId}`, input: { orderId, cents: paidCents } }],
  };
}

/** The results of a tool in the whole conversation, in order; `undefined` for one that failed, a person's word as a text. */
function resultsOf<T>({ prompt }: ScriptedRequest, tool: string): (T | undefined)[] {
  const parts = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  return parts.flatMap((part) => {
    if (part.type !== "tool-result" || part.toolName !== tool) return [];
    return [part.output.type === "text" ? parsed<T>(part.output.value) : undefined];
  });
}

function parsed<T>(text: string): T {
  return (text.startsWith("{") ? JSON.parse(text) : text) as T;
}
