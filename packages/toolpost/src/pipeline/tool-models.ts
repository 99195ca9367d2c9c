// The models that a tool asks in the middle of a call: one reply each, paid for by the tool.
// What it cost is recorded as soon as it is known, so that a tool which fails afterwards has spent it all the same.

import type { Spend } from "../core/budget.ts";
import type { ModelAskOptions, ToolContext, ToolModels } from "../core/context.ts";
import type { Message } from "../core/message.ts";
import type { ModelRequest } from "../core/model.ts";
import { ModelError } from "../core/run-errors.ts";
import type { CallScope } from "./call-scope.ts";

export function toolModels(context: Pick<ToolContext, "signal" | "spend">, scope: CallScope): ToolModels {
  return {
    ask: async (wish, prompt, options = {}) => {
      const { slots, budget } = scope;
      const model = await slots.openModel(wish);
      const isPriced = slots.costOf(model, noTokens) !== undefined;
      if (!isPriced && budget.left().money !== undefined)
        throw new ModelError("model.no-price", `the model \`${model.id}\` has no price, and the run a budget of money`);
      const { content, usage } = await model.call(requestOf(prompt, options, context.signal));
      const spend: Spend = {
        service: model.id,
        cost: { kind: "money", usd: slots.costOf(model, usage) ?? 0 },
        usage,
      };
      context.spend(spend);
      return { text: content.map((part) => (part.type === "text" ? part.text : "")).join(""), usage };
    },
  };
}

const noTokens = { inputTokens: 0, outputTokens: 0, totalTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 };

function requestOf(
  prompt: string | readonly Message[],
  { system, maxOutputTokens, temperature }: ModelAskOptions,
  signal: AbortSignal,
): ModelRequest {
  const said: readonly Message[] =
    typeof prompt === "string" ? [{ role: "user", content: [{ type: "text", text: prompt }] }] : prompt;
  return {
    prompt: system === undefined ? said : [{ role: "system", content: system }, ...said],
    tools: [],
    signal,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}
