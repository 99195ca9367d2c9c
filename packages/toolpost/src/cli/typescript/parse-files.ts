// Where the text of a module is not well-formed, which Node tells of a module to nobody but the console. Parsed in a process of
// its own, as Node parses modules for programs under a flag only. Nothing in the files runs.

import { spawnSync } from "node:child_process";

/** What Node says of the first of the files that does not parse, types stripped: `/path/file.ts:4`, the code, a line of `^`. */
export function parseFiles(paths: readonly string[]): string {
  const flags = ["--experimental-vm-modules", "--no-warnings", "--input-type=module"];
  // Whatever the user has set for Node is for the user's own processes.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { stderr } = spawnSync(process.execPath, [...flags, "--eval", program, "--", ...paths], {
    encoding: "utf8",
    env,
  });
  return stderr ?? "";
}

// Left uncaught, for only then the place is told.
const program = `
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { SourceTextModule } from "node:vm";
for (const path of process.argv.slice(1)) {
  const text = readFileSync(path, "utf8");
  new SourceTextModule(/ts$/.test(path) ? stripTypeScriptTypes(text) : text, { identifier: path });
}`;
