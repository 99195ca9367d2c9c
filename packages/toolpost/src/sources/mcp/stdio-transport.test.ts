// The transport on its own: bounds and deliveries that a whole source does not show.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { loadClientPackage } from "./client-package.ts";
import { openStdio } from "./open-stdio.ts";
import { NotDeliveredError, type ServerTransport, type StdioLaunch } from "./stdio-transport.ts";

const ping = { jsonrpc: "2.0", id: 1, method: "ping" } as const;
const skip = process.platform === "win32";

async function open(t: TestContext, program: string, more: Partial<StdioLaunch> = {}): Promise<ServerTransport> {
  const launch = {
    command: process.execPath,
    args: ["-e", program],
    env: {},
    cwd: undefined,
    graceMs: 50,
    maxMessageSize: 1_000,
  };
  const transport = await openStdio(await loadClientPackage(), { ...launch, onStderr: () => undefined, ...more });
  t.after(() => transport.close());
  return transport;
}

function ended(transport: ServerTransport): Promise<void> {
  return new Promise((resolve) => {
    transport.onclose = resolve;
  });
}

test("a message over the bound ends the connection", { skip }, async (t) => {
  const transport = await open(t, `process.stdout.write("x".repeat(2000)); setInterval(() => {}, 1e6)`);
  const end = ended(transport);
  await transport.start();
  await end;
  assert.equal(transport.ending, "it sent a message of more than 1,000 bytes");
});

test("what a server wrote before it ended is delivered, then its end is told", { skip }, async (t) => {
  const transport = await open(
    t,
    `process.stdout.write('${JSON.stringify(ping)}\\n{"bad":1}\\nnoise\\n${JSON.stringify(ping)}\\n')`,
  );
  const seen: unknown[] = [];
  const errors: Error[] = [];
  transport.onmessage = (message) => seen.push(message);
  transport.onerror = (error) => errors.push(error);
  const end = ended(transport);
  await transport.start();
  await end;
  assert.deepEqual(seen, [ping, ping]);
  assert.equal(errors.length, 1);
  assert.equal(transport.ending, "it ended with exit code 0");
});

test("a message to a server that reads no more, or is gone, is known not to have arrived", { skip }, async (t) => {
  const transport = await open(
    t,
    `fs.closeSync(0); console.log('${JSON.stringify(ping)}'); setInterval(() => {}, 1e6)`,
  );
  const closed = Promise.withResolvers<void>();
  transport.onmessage = () => closed.resolve();
  await assert.rejects(transport.send(ping), NotDeliveredError);
  await transport.start();
  await closed.promise;
  await assert.rejects(transport.send(ping), NotDeliveredError);
  await transport.close();
  await assert.rejects(transport.send(ping), NotDeliveredError);
});

test("closed before it started, it starts nothing", { skip }, async (t) => {
  const transport = await open(t, "");
  await transport.close();
  await assert.rejects(transport.start(), /it was closed/);
});
