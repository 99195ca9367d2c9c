// All mutants, area by area: whatever the files in `list/` export. A guarantee of the package has one there at least.
import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Mutant } from "./lib/mutant.ts";

export async function readMutants(): Promise<readonly Mutant[]> {
  const folder = join(import.meta.dirname, "list");
  const files = globSync("*.ts", { cwd: folder }).sort();
  const areas = await Promise.all(
    files.map((file): Promise<Record<string, readonly Mutant[]>> => import(pathToFileURL(join(folder, file)).href)),
  );
  return areas.flatMap((area) => Object.values(area).flat());
}
