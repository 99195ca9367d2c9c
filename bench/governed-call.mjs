// What governance costs: a governed call against the same work by hand (parse, validate, execute, encode), in one
// process, interleaved, as a ratio of CPU time. Policy, deadline, abort, size bound, masking and one listener are on.
// Run with `npm start --workspace toolpost-bench`.

import { createApp, createToolkit, defineAgent, defineTool } from "toolpost";
import { scriptedModel } from "toolpost/testing";
import { seconds } from "toolpost/units";
import { z } from "zod";

const ROUNDS = 15;
const CALLS = 4_000;
const TURNS = 20;

const input = z.object({
  path: z.string().min(1),
  limit: z.number().int().min(1),
  recursive: z.boolean(),
  mode: z.enum(["fast", "safe"]),
  tags: z.array(z.string()),
  filters: z.array(z.object({ field: z.string(), op: z.enum(["eq", "lt", "gt"]), value: z.number() })),
});
const text = JSON.stringify({
  path: "/srv/data/reports",
  limit: 50,
  recursive: true,
  mode: "safe",
  tags: ["a", "b", "c"],
  filters: [
    { field: "size", op: "gt", value: 10 },
    { field: "age", op: "lt", value: 30 },
  ],
});
const body = ({ path, limit }) => `${path}:${limit}:${"x".repeat(170)}`;
const probe = defineTool({
  name: "probe",
  description: "Probes",
  input,
  timeout: seconds(30),
  policy: ({ input: { limit } }) => (limit > 500 ? "needs-approval" : "allow"),
  execute: async (given) => body(given),
});

const toolkit = await createToolkit({ tools: [probe] });
const byHand = async () => {
  const output = await (async (given) => body(given))(input.parse(JSON.parse(text)));
  return typeof output === "string" ? output : JSON.stringify(output);
};
let seen = 0;
const governed = async () => (await toolkit.call("probe", text, { onEvent: () => void seen++ })).text;

let turn = 0;
const calls = [{ name: "probe", input: text }];
const model = scriptedModel(() => (turn++ % (TURNS + 1) < TURNS ? { calls } : "done"));
const agent = defineAgent({ name: "bench", description: "Calls", model, tools: [probe], maxToolCalls: TURNS });
const app = createApp({ agents: [agent], listeners: [() => void seen++] });
const agentRun = async () => (await app.run(agent, "go", { stream: false })).text;
const handRun = async () => {
  const prompt = [{ role: "user", content: [{ type: "text", text: "go" }] }];
  for (;;) {
    const reply = await model.doGenerate({ prompt, tools: [] });
    const call = reply.content.find((part) => part.type === "tool-call");
    if (call === undefined) return reply.content[0].text;
    const output = body(input.parse(JSON.parse(call.input)));
    prompt.push({ role: "assistant", content: [{ ...call, input: JSON.parse(call.input) }] });
    prompt.push({ role: "tool", content: [{ type: "tool-result", toolCallId: call.toolCallId, output }] });
  }
};

async function cpu(work, times) {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

async function compare(name, ours, theirs, times) {
  const ratios = [];
  const costs = [];
  for (let round = 0; round < ROUNDS + 2; round++) {
    const base = await cpu(theirs, times);
    const cost = await cpu(ours, times);
    if (round >= 2) {
      ratios.push(cost / base);
      costs.push([cost, base]);
    }
  }
  ratios.sort((a, b) => a - b);
  const median = ratios[Math.floor(ratios.length / 2)];
  const [cost, base] = costs[0];
  console.log(
    `${name.padEnd(28)} ${median.toFixed(2)} times (${ratios[0].toFixed(2)} to ${ratios.at(-1).toFixed(2)}), about ${cost.toFixed(1)} µs against ${base.toFixed(1)} µs`,
  );
}

await compare("one direct call", governed, byHand, CALLS);
await compare(`a run of ${TURNS} calls`, agentRun, handRun, Math.ceil(CALLS / TURNS / 4));
if (seen === 0) throw new Error("the listener heard nothing");
await toolkit.close();
await app.close();
