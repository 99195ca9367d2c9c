// A process that moves runs on a file until it is killed, stopped or told to end. What it does is told by its one argument.
// Whoever started it hears of what it waits for; all else is in the file and in the list of effects.

import { createApp } from "../../src/app/create-app.ts";
import { openEngine } from "../../src/durable/sqlite/sqlite-engine.ts";
import { milliseconds } from "../../src/std/units.ts";
import { deskOptions, napFlow } from "./lib/desk.ts";
import { Effects } from "./lib/effects.ts";
import type { FromWorker, ToWorker, WorkerOrder } from "./lib/order.ts";
import { nextTurn } from "./lib/prompt-model.ts";

const order = JSON.parse(process.argv[2] ?? "{}") as WorkerOrder;
const effects = new Effects(order);
const opened = Promise.withResolvers<void>();
const ended = Promise.withResolvers<void>();

const engine = openEngine(order.database, {
  lease: milliseconds(order.leaseMs),
  onCommit: effects.onCommit,
  ...(order.maxRuns === undefined ? {} : { maxRuns: order.maxRuns }),
});
const options = deskOptions({ effects, gate, isChanged: order.isChanged === true });
const app = createApp({
  ...options,
  engine,
  ...(order.version === undefined ? {} : { version: order.version }),
  listeners: [
    ...(options.listeners ?? []),
    ({ type, runId }) => {
      if (type === "run-wait") say({ type: "waiting" });
      if (type === "run-end") say({ type: "ended", runId });
    },
  ],
  log: (entry) => {
    options.log?.(entry);
    if (entry.level === "warn") say({ type: "warned", message: entry.message });
  },
});

process.on("message", (message: ToWorker) => {
  if (message.type === "open") opened.resolve();
  else if (message.type === "end") ended.resolve();
  else if (message.type === "resume") void resume();
  else for (const text of message.messages) follow(message.agent, text);
});
process.on("SIGTERM", () => {
  say({ type: "closing" });
  ended.resolve();
});

// Nobody is left to answer what it waits for.
process.on("disconnect", () => process.exit());

await app.start();
say({ type: "up" });
await (order.task === "desk" ? moveDesk() : ended.promise);
await app.close();
if (process.connected) process.disconnect();

/** One run of the desk, begun where there is none, and a nap beside it; both to their ends. */
async function moveDesk(): Promise<void> {
  await engine.serve({ nap: napFlow(effects) });
  await engine.start({ flow: "nap", runId: "nap", input: null });
  const [known] = await app.runs({ agent: "desk" });
  const handle =
    known === undefined
      ? app.run("desk", "Do everything", { threadId: "thread", user: { id: "ada" } })
      : app.attach(known.runId);
  const { status } = await handle;
  // Answers come from another process.
  if (status === "waiting") await engine.result(handle.runId);
  await engine.result("nap");
}

function follow(agent: string, text: string): void {
  const told = (message: FromWorker): void => say(message);
  app.run(agent, text, { user: { id: "ada" } }).then(
    ({ status }) => told({ type: "handle", status }),
    (error: { readonly name: string }) => told({ type: "handle", code: error.name }),
  );
}

async function resume(): Promise<void> {
  for (const { pauseId } of await app.approvals()) {
    const handle = app.resume({ pauseId, decision: "approve" }, { ownerId: "ada" });
    handle.then(
      () => say({ type: "resumed" }),
      () => undefined,
    );
  }
}

async function gate(tool: string): Promise<void> {
  await nextTurn();
  if (order.gates?.includes(tool) !== true) return;
  say({ type: "at-gate", tool });
  await opened.promise;
}

function say(message: FromWorker): void {
  if (process.connected) process.send?.(message);
}
