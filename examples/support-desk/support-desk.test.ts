// Runs the example as its users do, as a program of its own, and breaks it to see that it notices.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { before, test } from "node:test";

const folder = import.meta.dirname;

interface Finished {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

before(async () => {
  const { code, errors } = await finished(spawn("npm", ["run", "build", "--silent"], { cwd: folder, stdio: "pipe" }));
  assert.equal(code, 0, errors);
});

function runDesk(env?: NodeJS.ProcessEnv): Promise<Finished> {
  return runNode(["support-desk.build.mjs"], env);
}

/** `npx toolpost`, without what npx takes to find it. */
function runCommand(...words: string[]): Promise<Finished> {
  return runNode([join(folder, "../../node_modules/toolpost/bin/toolpost.js"), ...words]);
}

async function runNode(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  // As npm does: where the MCP server's program is.
  const PATH = [join(folder, "../../node_modules/.bin"), process.env.PATH].join(delimiter);
  const keys = { OPENAI_API_KEY: undefined, ANTHROPIC_API_KEY: undefined, SUPPORT_DESK_FAULT: undefined };
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, PATH, ...keys, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  return finished(child);
}

async function finished(child: ChildProcess): Promise<Finished> {
  const ended = once(child, "close");
  const [output, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  const [code] = await ended;
  return { code, output, errors };
}

function assertLines(output: string, lines: readonly RegExp[]): void {
  for (const line of lines) assert.match(output, line);
}

test("the desk answers the customer, and every check holds", async () => {
  const { code, output, errors } = await runDesk();
  assert.equal(code, 0, output + errors);
  assert.equal(errors, "");
  assertLines(output, [
    /^The model is scripted/,
    /^ {2}call +read_text_file +mcp +ok +\d+ ms +\d+ bytes$/m,
    /^ {2}call +lookup_order +native +failed .*\n +Tool error: invalid input: orderId: .+$/m,
    /^ {2}call +track_parcel .*\n +Tool error: code: CARRIER_DOWN, status: 503, userMessage: The carrier does not answer\..*$/m,
    /^ {2}call +order_history +native +ok +\d+ ms +1,\d{3} bytes, cut to [\d,]+$/m,
    /^Refunds over €50\.00 are approved by a rule, as no terminal is here: damaged goods up to €200\.00 are approved/m,
    /^ {2}answer +refund_card: approve$/m,
    /^assistant {2}I am sorry about the damage\. I refunded €89\.00 \(re-5001\)\. Your parcel was last seen at: Depot Leipzig/m,
    /^calls +6 ok, 2 failed$/m,
    /^refunds +re-5001 €89\.00 for A-1042 \(log of the payment service; asked for 2 times\)$/m,
    /^Everything is as expected\.$/m,
  ]);
});

test("no refund is made while payments are down, and the desk says what differs", async () => {
  const { code, output, errors } = await runDesk({ SUPPORT_DESK_FAULT: "payments-down" });
  assert.equal(code, 1, output + errors);
  assertLines(output, [
    /^ {2}call +refund_card .*\n +Tool error: code: REFUND_REFUSED, status: 503, .* Do not retry this call\.$/m,
    /^assistant .*our finance team takes over/m,
    /^- call 7 is `refund_card failed REFUND_REFUSED`, expected `refund_card ok`$/m,
    /^- the refund is missing, expected 8900 cents$/m,
  ]);
});

test("a secret that is not masked is noticed", async () => {
  const { code, output, errors } = await runDesk({ SUPPORT_DESK_FAULT: "masking-off" });
  assert.equal(code, 1, output + errors);
  assertLines(output, [/^- the database password is in an event or a prompt$/m]);
});

test("the command lists the desk's tools, calls one, and runs the agent until a person is needed", async () => {
  const [list, call, run] = await Promise.all([
    runCommand("list", "--json"),
    runCommand("call", "lookup_order", '{"orderId":"A-1042"}'),
    runCommand("run", "My desk lamp of order A-1042 is broken."),
  ]);
  assert.equal(list.code, 0, list.errors);
  const names = JSON.parse(list.output).map(({ name }: { name: string }) => name);
  for (const name of ["read_text_file", "refund_card"]) assert.ok(names.includes(name), list.output);
  assert.equal(call.code, 0, call.errors);
  assertLines(call.output, [/"title":"Desk lamp, brass","cents":8900/, /postgres:\/\/desk:\[secret\]@/]);
  assert.equal(run.code, 4, run.errors);
  assertLines(run.output, [/The policy covers a refund\./]);
  assertLines(run.errors, [/`refund_card` waits for a person/]);
});
