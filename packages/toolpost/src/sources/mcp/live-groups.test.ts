// What is left of servers when their process ends without a word to them: nothing.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { call, gone, tinyServer, tinySource } from "./fixtures/tiny-source.ts";

const skip = process.platform === "win32";

for (const [name, ending] of [
  ["process.exit()", "process.exit(0);"],
  ["an uncaught exception", 'setImmediate(() => { throw new Error("boom"); });'],
] as const) {
  test(`${name} ends servers with all they started, those that have not answered yet too`, { skip }, async () => {
    const program = `
      import { mcpSource } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "mcp-source.ts")).href)};
      const make = (settings, log) => mcpSource({ name: "tiny", command: process.execPath, log,
        args: [${JSON.stringify(tinyServer)}, JSON.stringify({ stubborn: true, helper: "quiet", ...settings })] });
      const source = make({});
      const tool = (await source.list()).find(({ name }) => name === "process");
      const ready = JSON.parse((await tool.execute({})).content);
      const half = await new Promise((resolve) =>
        make({ silent: "all", tellPid: true }, ({ data }) => resolve(Number(data.text))).list().catch(() => {}));
      console.log(JSON.stringify([ready.pid, ready.helperPid, half]));
      ${ending}`;
    const args = ["--input-type=module", "--eval", program];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"], timeout: 20_000 });
    const pids: number[] = JSON.parse(await text(child.stdout));
    assert.equal(pids.filter((pid) => pid > 0).length, 3);
    await Promise.all(pids.map(gone));
  });
}

test("however many servers run, the process is listened to once, and not at all after the last", {
  skip,
}, async (t) => {
  const before = process.listenerCount("exit");
  const sources = [tinySource(t), tinySource(t)];
  await Promise.all(sources.map((source) => source.list()));
  assert.equal(process.listenerCount("exit"), before + 1);
  await sources[0]?.close();
  assert.equal(process.listenerCount("exit"), before + 1);
  await assert.rejects(call(sources[1]!, "die"));
  await sources[1]?.close();
  assert.equal(process.listenerCount("exit"), before);
});
