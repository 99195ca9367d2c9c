// Writes again what a pin compares: `errors` the table in `docs/errors.md`, `doors` the snapshot of the doors' exports.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorTable } from "../../src/core/error-table.ts";
import { readDoorExports } from "./lib/door-exports.ts";
import { withErrorTable } from "./lib/error-table.ts";

const packageRoot = join(import.meta.dirname, "../..");

switch (process.argv[2]) {
  case "doors": {
    const doors = await readDoorExports(packageRoot);
    writeFileSync(join(import.meta.dirname, "doors.json"), `${JSON.stringify(doors, null, 2)}\n`);
    break;
  }
  case "errors": {
    const page = join(packageRoot, "../../docs/errors.md");
    writeFileSync(page, withErrorTable(readFileSync(page, "utf8"), errorTable));
    break;
  }
  default:
    console.error("usage: refresh.ts doors|errors");
    process.exitCode = 2;
}
