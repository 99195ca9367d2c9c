// The stories of runs once more, with every run kept by an engine: what holds in memory holds there.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { it } from "node:test";

/** Those that start runs by the shared desk. */
const stories = [
  "run-endings",
  "run-handle",
  "call-endings",
  "inside-a-call",
  "side-by-side",
  "governance",
  "hostile-code",
  "dto-calls",
  "agents-as-tools",
  "agent-asks",
  "threads",
];

it("whatever holds of runs in memory holds of runs that an engine keeps", async () => {
  const files = stories.map((name) => join(import.meta.dirname, `${name}.test.ts`));
  // Without what this runner says to its own children.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ["--test", "--test-reporter=spec", ...files], {
    env: { ...env, TOOLPOST_STORIES: "kept" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const [code] = (await once(child, "close")) as [number];
  assert.equal(code, 0, said.slice(said.indexOf("failing tests")));
});
