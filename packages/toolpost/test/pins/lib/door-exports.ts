// The doors of the package: which there are, what `package.json` says of them, and the names each one exports at run time.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";
import { pathToFileURL } from "node:url";

/** Door to the sorted names of its run-time exports. */
export type DoorExports = Record<string, string[]>;

export async function readDoorExports(packageRoot: string): Promise<DoorExports> {
  const doors: DoorExports = {};
  for (const file of doorFiles(packageRoot)) {
    const door = await import(pathToFileURL(join(packageRoot, "src/doors", file)).href);
    doors[specifierOf(file)] = Object.keys(door).sort();
  }
  return doors;
}

/** Doors that are given out as they were written, not built from `src/doors/`. */
const written = { "./eslint": { types: "./lint/eslint.d.ts", default: "./lint/eslint.js" } } as const;

/** What keeps `package.json` and `src/doors/` from saying the same. */
export function manifestViolations(packageRoot: string): string[] {
  const manifest = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  const built = doorFiles(packageRoot).map((file) => {
    const { name } = parse(file);
    return [specifierOf(file), { types: `./dist/types/doors/${name}.d.ts`, default: `./dist/${name}.js` }] as const;
  });
  const wanted = [
    ...built,
    ...Object.entries(written).filter(([, entry]) => existsSync(join(packageRoot, entry.default))),
  ];
  const known = new Set(["./package.json", ...wanted.map(([specifier]) => specifier)]);
  return [
    ...wanted
      .filter(([specifier, entry]) => JSON.stringify(manifest.exports[specifier]) !== JSON.stringify(entry))
      .map(([specifier, entry]) => `package.json must export "${specifier}": ${JSON.stringify(entry)}`),
    ...Object.keys(manifest.exports)
      .filter((specifier) => !known.has(specifier))
      .map((specifier) => `package.json exports "${specifier}", and src/doors/ has no such door`),
  ];
}

function doorFiles(packageRoot: string): string[] {
  return globSync("*.ts", { cwd: join(packageRoot, "src/doors") })
    .filter((file) => !/\.test(?:-d)?\.ts$/.test(file))
    .sort();
}

function specifierOf(file: string): string {
  const { name } = parse(file);
  return name === "index" ? "." : `./${name}`;
}
