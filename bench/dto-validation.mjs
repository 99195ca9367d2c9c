// What validating with a DTO class costs against zod: the workload's six fields with a nested list, a good value of each,
// in one process, interleaved, as a ratio of CPU time. The class makes instances, zod plain objects. The target is at
// most 1.5. Run with `npm run dto --workspace toolpost-bench`, with `-- --json` for a machine.

import { defineTool } from "toolpost";
import { Choice, Flag, Integer, ListOf, Number as NumberOf, Text } from "toolpost/dto";
import { argumentsText, schema } from "./limit/workload.mjs";
import { compareCpu, report } from "./measure.mjs";

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
    limit: Integer({ min: 1, max: 1000 }),
    recursive: Flag(),
    mode: Choice(["fast", "safe", "deep"]),
    tags: ListOf(Text()),
    filters: ListOf(Filter),
  },
);
const { validateInput } = defineTool({ name: "probe", description: "Probes", input: Probe, execute: () => "" });

// Several values, as one alone is a special case for the compiler.
const values = Array.from({ length: 64 }, () => JSON.parse(argumentsText));
let turn = 0;
let sink;
const ours = () => {
  sink = validateInput(values[turn++ & 63]).value;
};
const theirs = () => {
  sink = schema.parse(values[turn++ & 63]);
};
ours();
const made = JSON.stringify(sink);
if (!(sink instanceof Probe)) throw new Error("the class made no instance");
theirs();
if (made !== JSON.stringify(sink)) throw new Error("the two do not validate alike");

report("DTO class / zod, per validation", 1.5, await compareCpu(ours, theirs, 100_000));
