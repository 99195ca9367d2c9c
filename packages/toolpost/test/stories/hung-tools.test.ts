// A hung tool, one that ignores its signal, and a process with nothing else to do.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

it("settles hung calls at their deadline, in a process that has nothing else to live for", async () => {
  const fixture = fileURLToPath(new URL("fixtures/hung-tools.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [fixture], { timeout: 20_000 });
  assert.deepEqual(stdout.trim().split("\n"), [
    "hangs timed-out Tool error: timed out after 100 ms",
    "ignores timed-out Tool error: timed out after 100 ms",
    "ignores unknown",
  ]);
});
