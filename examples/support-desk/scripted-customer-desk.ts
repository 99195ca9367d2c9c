// A model that needs no key: it plays the assistant by a script. Each reply is made from what the tools really
// returned: order id, prices, tracking number and refund id are read from the results, never known beforehand.

import { type ScriptedModel, type ScriptedReply, type ScriptedRequest, scriptedModel } from "toolpost/testing";
import { euros } from "./euros.ts";

export function scriptedCustomerDesk(): ScriptedModel {
  const replies = [readPolicyAndOrder, correctTheField, gatherFacts, refundItem, handOverCase, answerCustomer];
  return scriptedModel(replies.map((reply) => (request: ScriptedRequest) => asModel(request, reply(request))));
}

/** It makes a slip here: the field is called `orderId`. */
function readPolicyAndOrder({ lastUser }: ScriptedRequest): ScriptedReply {
  const order = /\b[A-Z]-\d+\b/.exec(lastUser)?.[0] ?? "";
  return {
    text: "I read our return policy and look your order up.",
    calls: [
      { name: "read_text_file", input: { path: "policy.md" } },
      { name: "lookup_order", input: { order } },
    ],
  };
}

/** The result says which field it missed. */
function correctTheField({ lastResult, lastUser }: ScriptedRequest): ScriptedReply {
  const field = /invalid input: (\w+):/.exec(lastResult)?.[1] ?? "order";
  const order = /\b[A-Z]-\d+\b/.exec(lastUser)?.[0] ?? "";
  return { calls: [{ name: "lookup_order", input: { [field]: order } }] };
}

function gatherFacts(request: ScriptedRequest): string | ScriptedReply {
  const order = orderIn(request);
  if (order === undefined) return `I could not find that order. ${request.lastResult}`;
  return {
    text: "I ask the carrier about the parcel, and look at earlier orders.",
    calls: [
      { name: "track_parcel", input: { tracking: order.tracking } },
      { name: "order_history", input: { customerId: order.customerId } },
    ],
  };
}

/** The item is the one the customer talks about. When the carrier is down, the shop's own scans have to do. */
function refundItem(request: ScriptedRequest): ScriptedReply {
  const order = orderIn(request);
  const said = request.lastUser.toLowerCase();
  const item = order?.items.find(({ title }) => said.includes(title.split(",")[0]?.toLowerCase() ?? title));
  const refund = { orderId: order?.orderId, cents: item?.cents, reason: "damaged" };
  const isTracked = request.lastResults.some(({ toolName, isError }) => toolName === "track_parcel" && !isError);
  return {
    text: isTracked
      ? "The policy covers a refund."
      : "The carrier is down, so I use our own scans. The policy covers a refund.",
    calls: [
      ...(isTracked ? [] : [{ name: "parcel_scans", input: { tracking: order?.tracking } }]),
      { name: "refund_card", input: refund },
    ],
  };
}

function handOverCase(request: ScriptedRequest): ScriptedReply {
  const orderId = orderIn(request)?.orderId;
  const refund = refundIn(request);
  const done =
    refund === undefined ? `No refund: ${request.lastResult}` : `Refunded ${euros(refund.cents)}, ${refund.refundId}`;
  const [loyalty] = resultText(request, "order_history")?.split("\n") ?? [];
  const team = refund === undefined ? "finance" : "warehouse";
  return {
    calls: [{ name: "hand_over", input: { team, orderId, summary: `${done}. The customer has ordered ${loyalty}.` } }],
  };
}

function answerCustomer(request: ScriptedRequest): string {
  const refund = refundIn(request);
  const scans = resultOf<{ place: string; status: string }[]>(request, "parcel_scans");
  const scan = scans?.at(-1);
  const money =
    refund === undefined
      ? "I could not refund it myself; our finance team takes over."
      : `I refunded ${euros(refund.cents)} (${refund.refundId}).`;
  const parcel = scan === undefined ? "" : ` Your parcel was last seen at: ${scan.place}, ${scan.status}.`;
  return `I am sorry about the damage. ${money}${parcel}`;
}

interface Order {
  readonly orderId: string;
  readonly customerId: string;
  readonly tracking: string | null;
  readonly items: readonly { readonly title: string; readonly cents: number }[];
}

function orderIn(request: ScriptedRequest): Order | undefined {
  return resultOf<Order>(request, "lookup_order");
}

function refundIn(request: ScriptedRequest): { readonly refundId: string; readonly cents: number } | undefined {
  return resultOf(request, "refund_card");
}

function resultOf<T>(request: ScriptedRequest, tool: string): T | undefined {
  const text = resultText(request, tool);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** The last good result of a tool in the whole prompt. */
function resultText({ prompt }: ScriptedRequest, tool: string): string | undefined {
  const parts = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  const output = parts.findLast((part) => part.toolName === tool && part.output.type === "text")?.output;
  return output?.type === "text" ? output.value : undefined;
}

/** Streams the text in pieces and counts tokens as models roughly do, four characters each. */
function asModel({ prompt }: ScriptedRequest, reply: string | ScriptedReply): ScriptedReply {
  const whole = typeof reply === "string" ? { text: reply } : reply;
  const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);
  return { chunks: 8, ...whole, usage: { inputTokens: tokens(prompt), outputTokens: tokens(whole) } };
}
