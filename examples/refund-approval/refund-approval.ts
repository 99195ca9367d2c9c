// Two refunds, each made exactly once, told step by step: `npm start --workspace refund-approval`.
// The first is cut off by a kill in the middle of the payment, the second waits for a person while no worker is alive.
// Exits with 0 when everything went as it should, with 1 and the differences when not. To see that, break something:
// REFUND_APPROVAL_FAULT=new-keys, or REFUND_APPROVAL_FAULT=no-approval. With `--ask` a person is asked about the first.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readEntries, refundsIn } from "./payments/payment-log.ts";
import { readFault } from "./shop/fault.ts";
import { checkRecord } from "./story/check-record.ts";
import { readRecord } from "./story/read-record.ts";
import { showRecord } from "./story/show-record.ts";
import { type Program, startProgram } from "./story/start-program.ts";
import { tell, write } from "./story/tell.ts";

const message =
  "Hello, this is Dana. The light bulb of order A-1041 and the desk lamp of order A-1042 came broken. " +
  "I would like my money back for both.";
const operator = "Ruth of finance";

const { values } = parseArgs({
  options: { model: { type: "string", default: "scripted" }, ask: { type: "boolean", default: false } },
});
const folder = mkdtempSync(join(tmpdir(), "refund-approval-"));
const runs = join(folder, "runs.db");
const log = join(folder, "payments.log");
const programs: Program[] = [];

function start(name: string, file: string, ...args: string[]): Program {
  const program = startProgram(name, file, args);
  programs.push(program);
  return program;
}

/** Gives the id of the run. */
async function tellStory(): Promise<string> {
  tell("The payment service opens. Its first answer is going to be slow.");
  const payments = start("payments", "payments/payment-service.ts", "--log", log);
  const [, url = ""] = await payments.line(/^open at (.+)$/);
  await fetch(`${url}/slow`, { method: "POST" });
  const startWorker = (name: string, ...args: string[]): Program =>
    start(
      name,
      "shop/worker.ts",
      "--runs",
      runs,
      "--payments",
      url,
      "--model",
      values.model,
      ...(values.ask ? ["--ask"] : []),
      ...args,
    );

  tell("A customer writes, and worker 1 starts a run of the agent for her.");
  write(`   dana       ${message}\n`);
  const first = startWorker("worker 1", "--message", message);
  const [, runId = ""] = await first.line(/^starts the run (\S+)$/);
  // A model that fails, or wants the large refund first, never gets there: then the record says what differs.
  const isPaying = await Promise.race([
    payments.line(/is slow$/).then(() => true),
    first.line(/^the run (waits|ends)/).then(() => false),
  ]);
  if (!isPaying) return runId;

  tell("The first refund is paid, and worker 1 does not know it yet. In this moment it is killed with SIGKILL.");
  await first.kill();
  await payments.line(/was gone before the answer$/);

  tell("Worker 2 starts. The run stays worker 1's until 5 s after its last sign of life; then worker 2 takes it up,");
  write(
    values.ask
      ? "   reads in the run's journal what was done, and does not make the call again, as its tool is not idempotent.\n"
      : "   reads in the run's journal what was done, and asks for the refund again: under the same key.\n",
  );
  for (let number = 2; ; number++) {
    const worker = startWorker(`worker ${number}`);
    const [, wish] = await worker.line(/^the run (?:ends|waits for (approval|an answer))/);
    if (wish !== undefined) tell(`${waits[wish]} It needs no process for that: worker ${number} is stopped.`);
    await worker.stop();
    if (wish === undefined) return runId;
    await answer();
    tell(`Worker ${number + 1} starts, finds the answer on record, and goes on.`);
  }
}

const waits: Readonly<Record<string, string>> = {
  approval: "A refund over €50.00 needs a person, so the run waits.",
  "an answer": "Nobody knows what came of the refund, so the run waits for a person's word.",
};

/** Of what waits, whether it is an approval or a question about a call that was cut off. */
async function answer(): Promise<void> {
  tell(`No worker is alive. ${operator} looks at what waits, in a process of its own, and answers it.`);
  const operate = (...args: string[]): Program => start("operator", "shop/approvals.ts", "--runs", runs, ...args);
  const list = operate();
  const [, pauseId = "", question] = await list.line(/^(pause_\S+): refund_card( asks)?/);
  await list.done();
  if (question === undefined) return operate("--approve", pauseId, "--as", operator).done();
  const isMade = refundsIn(readEntries(log)).length > 0;
  write(`   ${operator} finds ${isMade ? "the refund" : "no refund"} in the log of the payment service.\n`);
  return operate("--reply", pauseId, "--with", isMade ? "it happened" : "run it again", "--as", operator).done();
}

try {
  readFault();
  write(
    values.model === "scripted"
      ? "The model is scripted, so no key is needed. All else is real: processes, HTTP, a SQLite file, a kill.\n"
      : `The model is ${values.model}.\n`,
  );
  const record = await readRecord(runs, log, await tellStory());
  tell("On record now: the log of the payment service, and the run as `app.inspect(runId)` gives it.");
  showRecord(record);
  const differences = checkRecord(record, operator);
  write(
    differences.length === 0 ? "\nEverything is as expected.\n" : `\nNot as expected:\n- ${differences.join("\n- ")}\n`,
  );
  process.exitCode = differences.length === 0 ? 0 : 1;
} catch (error) {
  write(`\nThe story broke off: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await Promise.all(programs.map((program) => program.kill()));
  rmSync(folder, { recursive: true, force: true });
}
