// What validating with a DTO class costs against zod: the same six fields with a nested list, a good value of each,
// in one process, interleaved, as a ratio of CPU time. The class makes instances, zod plain objects.
// Run with `npm run dto --workspace toolpost-bench`, with `-- --json` for a machine.

import { parseArgs } from "node:util";
import { defineTool } from "toolpost";
import { Choice, Flag, Integer, ListOf, Number as NumberOf, Text } from "toolpost/dto";
import { z } from "zod";

const ROUNDS = 21;
const WARM_UP = 4;
const TIMES = 100_000;

// Decorators by hand, as Node runs this file as it is.
function dto(type, fields) {
  for (const [key, decorate] of Object.entries(fields)) decorate(type.prototype, key);
  return type;
}
const Filter = dto(
  class Filter {
    field;
    op;
    value;
  },
  { field: Text(), op: Choice(["eq", "lt", "gt"]), value: NumberOf() },
);
const Probe = dto(
  class Probe {
    path;
    limit;
    recursive;
    mode;
    tags;
    filters;
  },
  {
    path: Text({ minLength: 1 }),
    limit: Integer({ min: 1 }),
    recursive: Flag(),
    mode: Choice(["fast", "safe"]),
    tags: ListOf(Text()),
    filters: ListOf(Filter),
  },
);
const schema = z.object({
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
const values = Array.from({ length: 64 }, () => JSON.parse(text));
const tool = defineTool({ name: "probe", description: "Probes", input: Probe, execute: () => "" });
const validate = tool.validateInput;

const ours = (value) => validate(value).value;
const theirs = (value) => schema.parse(value);
if (!(ours(values[0]) instanceof Probe) || JSON.stringify(ours(values[0])) !== JSON.stringify(theirs(values[0])))
  throw new Error("the two do not validate alike");

let sink;
function cpu(work) {
  const before = process.cpuUsage();
  for (let index = 0; index < TIMES; index++) sink = work(values[index & 63]);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / TIMES) * 1_000;
}

const rounds = [];
for (let round = 0; round < ROUNDS + WARM_UP; round++) {
  const [zod, dtos] = round % 2 === 0 ? [cpu(theirs), cpu(ours)] : [cpu(ours), cpu(theirs)].reverse();
  if (round >= WARM_UP) rounds.push({ ratio: dtos / zod, dtos, zod });
}
if (sink === undefined) throw new Error("nothing was validated");
rounds.sort((a, b) => a.ratio - b.ratio);
const median = rounds[Math.floor(ROUNDS / 2)];
const result = {
  name: "DTO class against zod",
  ratio: round2(median.ratio),
  least: round2(rounds[0].ratio),
  most: round2(rounds.at(-1).ratio),
  nanoseconds: { dto: Math.round(median.dtos), zod: Math.round(median.zod) },
  rounds: ROUNDS,
  limit: 1.5,
};

const { values: options } = parseArgs({ options: { json: { type: "boolean", default: false } } });
if (options.json) console.log(JSON.stringify(result));
else
  console.log(
    `${result.name}: ${result.ratio} times (${result.least} to ${result.most}), about ${result.nanoseconds.dto} ns against ${result.nanoseconds.zod} ns`,
  );

function round2(value) {
  return Math.round(value * 100) / 100;
}
