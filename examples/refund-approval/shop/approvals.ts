// What waits for approval, and the answer to it, for an operator at a terminal:
//   node shop/approvals.ts --runs FILE
//   node shop/approvals.ts --runs FILE --approve PAUSE --as NAME     (or --decline PAUSE)
// It needs the file of the runs and nothing else: no agent, no model, and no worker that is alive.

import { parseArgs } from "node:util";
import { createApp } from "toolpost";
import { sqlite } from "toolpost/sqlite";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "runs.db" },
    approve: { type: "string" },
    decline: { type: "string" },
    as: { type: "string", default: "" },
  },
});

const app = createApp({ engine: sqlite(values.runs) });
const pauseId = values.approve ?? values.decline;
if (pauseId === undefined) {
  for (const { pauseId, value } of await app.approvals())
    if (value.kind === "approval")
      console.log(`${pauseId}: ${value.tool} ${JSON.stringify(value.arguments)} for ${value.user?.id ?? "nobody"}`);
} else {
  const decision = values.approve === undefined ? "decline" : "approve";
  // Who is an operator is for the caller to know; the name goes on record.
  await app.answer({ pauseId, decision }, { operator: values.as });
  console.log(`${decision} is on record, by ${values.as}`);
}
await app.close();
