// A worker, a program of its own: `node shop/worker.ts --runs FILE --payments URL [--message TEXT] [--model STRING]
// [--ask]`.
// It moves the runs of the file: the one of its own message, and those that other workers left. It says what happens, one
// event a line. It stops in good order on SIGTERM, and when its standard input ends, so that it is never left behind.

import { parseArgs } from "node:util";
import { type Fault, readFault } from "./fault.ts";
import { openShop } from "./open-shop.ts";
import { sayEvent } from "./say-event.ts";
import { scriptedClerk } from "./scripted-clerk.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "runs.db" },
    payments: { type: "string", default: "" },
    message: { type: "string" },
    model: { type: "string", default: "scripted" },
    ask: { type: "boolean", default: false },
  },
});

let fault: Fault | undefined;
try {
  fault = readFault();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}

const shop = openShop({
  file: values.runs,
  paymentsUrl: values.payments,
  model: values.model === "scripted" ? scriptedClerk() : values.model,
  listener: sayEvent,
  fault,
  asksWhenUnknown: values.ask,
});

const stopped = Promise.withResolvers<void>();
process.once("SIGTERM", stopped.resolve);
// It also keeps the process alive, as a server would: runs that may come do not.
process.stdin.resume().once("end", stopped.resolve);

for (const { runId, state } of await shop.runs({ states: ["queued", "running"] }))
  console.log(`finds the run ${runId}, which is ${state}`);
await shop.start();
if (values.message !== undefined) {
  const { runId } = shop.run("clerk", values.message, { user: { id: "dana" } });
  console.log(`starts the run ${runId}`);
}

await stopped.promise;
await shop.close();
process.stdin.destroy();
