// The embedded engine against the suite of all engines, in memory and on a file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineContract } from "../../testing/engine-contract.ts";
import { memoryEngine, sqlite } from "./sqlite-engine.ts";

engineContract("an engine in memory", () => ({ isShared: false, open: (options) => memoryEngine(options) }));

engineContract("an engine on a file", (test) => {
  const folder = mkdtempSync(join(tmpdir(), "toolpost-engine-"));
  test.after(() => rmSync(folder, { recursive: true }));
  return { isShared: true, open: (options) => sqlite(join(folder, "runs.db"), options) };
});
