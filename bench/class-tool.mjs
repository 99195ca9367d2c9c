// What a class costs: a call of a class tool with two dependencies against the same tool as a function, in one process,
// interleaved, as a ratio of CPU time. The target is at most 1.2.
// Run with `npm run class-tool --workspace toolpost-bench [-- --json]`. Decorators are called as functions, as Node
// strips types but compiles nothing; a compiler writes the same calls.

import { createToolkit, defineTool } from "toolpost";
import { Injectable, provide, Tool, token } from "toolpost/decorators";
import { z } from "zod";
import { compareCpu, report } from "./measure.mjs";

class Prices {
  of(sku) {
    return sku.length;
  }
}
Injectable()(Prices);
const RATE = token("RATE");

const settings = {
  description: "Prices an article",
  input: z.object({ sku: z.string().min(1), count: z.number().int().min(1) }),
};

class PriceTool {
  constructor(prices, rate) {
    this.prices = prices;
    this.rate = rate;
  }
  execute({ sku, count }, ctx) {
    return `${ctx.callId}: ${this.prices.of(sku) * count * this.rate}`;
  }
}
Tool({ ...settings, name: "price_class", deps: [Prices, RATE] })(PriceTool);

const prices = new Prices();
const priceFunction = defineTool({
  ...settings,
  name: "price_function",
  execute: ({ sku, count }, ctx) => `${ctx.callId}: ${prices.of(sku) * count * 3}`,
});

const toolkit = await createToolkit({ tools: [PriceTool, priceFunction], providers: [provide(RATE, 3)] });
const input = { sku: "bolt-m8", count: 4 };
const call = (name) => async () => (await toolkit.call(name, input, { callId: "c" })).text;
if ((await call("price_class")()) !== "c: 84" || (await call("price_function")()) !== "c: 84") {
  throw new Error("the two tools do not do the same");
}

report(
  "class tool / function tool, per call",
  1.2,
  await compareCpu(call("price_class"), call("price_function"), 4_000),
);
await toolkit.close();
