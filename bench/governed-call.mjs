// What governance costs: a governed call and a run of twenty calls against the same by hand (the limit), in one process,
// interleaved, as a ratio of CPU time. Policy, deadline, abort, size bound, masking and one listener are on.
// Run with `npm start --workspace toolpost-bench`, with `-- --json` for a machine.

import { z } from "zod";
import { createGoverned, createGovernedCalls } from "./limit/governed.mjs";
import { createHandLoop } from "./limit/hand-written-loop.mjs";
import { argumentsText, createModel, execute, schema } from "./limit/workload.mjs";
import { compareCpu, report } from "./measure.mjs";

const model = createModel({ turns: 20 });
const tools = [{ name: "probe", description: "Probes", schema, jsonSchema: z.toJSONSchema(schema), execute }];

for (const isStreaming of [false, true]) {
  const limit = createHandLoop({ model, tools, isStreaming });
  const governed = createGoverned({ model, isStreaming });
  const seam = isStreaming ? "streamed" : "generated";
  report(
    `a run of 20 calls / by hand, ${seam}`,
    undefined,
    await compareCpu(
      () => governed.run("go"),
      () => limit.run("go"),
      100,
    ),
  );
  if (governed.heard() === 0) throw new Error("the listener heard nothing");
}

const call = await createGovernedCalls();
const byHand = createHandLoop({ model, tools, isStreaming: false });
if ((await call(argumentsText)).text !== (await byHand.call("probe", argumentsText)))
  throw new Error("the two do not do the same");
report(
  "one direct call / by hand",
  undefined,
  await compareCpu(
    () => call(argumentsText),
    () => byHand.call("probe", argumentsText),
    2_000,
  ),
);
