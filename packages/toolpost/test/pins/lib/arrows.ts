// The floors of `src/`: a folder imports folders on lower floors, never a neighbour, types included.
// The table here is the rule itself; whoever moves a folder changes it on purpose.
import type { ResolvedImport, SourceFile, SourceTree } from "./source-tree.ts";

/** Every folder and its floor. Each folder in `sources/` is a folder of its own. */
export const floors: Readonly<Record<string, number>> = {
  cli: 6,
  serve: 5,
  testing: 5,
  doors: 5,
  app: 4,
  agent: 3,
  workflow: 3,
  "sources/mcp": 3,
  "sources/skills": 3,
  "sources/builtins": 3,
  "sources/http": 3,
  "sources/openapi": 3,
  "sources/a2a": 3,
  "sources/knowledge": 3,
  author: 2,
  catalog: 2,
  pipeline: 2,
  policy: 2,
  approvals: 2,
  durable: 2,
  models: 2,
  threads: 2,
  net: 2,
  observe: 2,
  core: 1,
  std: 0,
};

/** The few that may look at a neighbour: doors only name what stands beside them, an OpenAPI document is spoken over HTTP. */
export const neighbourArrows: readonly string[] = [
  "doors -> serve",
  "doors -> testing",
  "testing -> serve",
  "sources/openapi -> sources/http",
];

/** A test beside the code may import what its folder may, its neighbours, and the test kit. */
const testKit = "testing";

export function arrowViolations(tree: SourceTree): string[] {
  return tree.files.flatMap((file) => {
    const folder = folderOf(file.path);
    if (folder === undefined) return [`${file.path} stands in no folder of the floor table`];
    return file.imports.flatMap((found) => violation(file, folder, found) ?? []);
  });
}

/** The first circle of imports among the files that are no tests, as a chain of paths; types and lazy imports count. */
export function importCircle(tree: SourceTree): string[] | undefined {
  const files = new Map(tree.files.filter((file) => !file.isTest).map((file) => [file.path, file]));
  const done = new Set<string>();
  const walk = (path: string, chain: string[]): string[] | undefined => {
    if (chain.includes(path)) return [...chain.slice(chain.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const { target } of files.get(path)?.imports ?? []) {
      const circle = target === undefined ? undefined : walk(target, [...chain, path]);
      if (circle) return circle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of files.keys()) {
    const circle = walk(path, []);
    if (circle) return circle;
  }
  return undefined;
}

/** The folder of the floor table that a path stands in. */
export function folderOf(path: string): string | undefined {
  const [first = "", second = ""] = path.split("/");
  return [first, `${first}/${second}`].find((folder) => Object.hasOwn(floors, folder));
}

function violation(file: SourceFile, folder: string, { target, line }: ResolvedImport): string | undefined {
  if (target === undefined) return undefined;
  const says = (why: string) => `${file.path}:${line} imports ${target}: ${why}`;
  if (target.startsWith("..")) return file.isTest ? undefined : says("it lies outside of src");
  if (/\.test(?:-d)?\.ts$/.test(target)) return says("nothing imports a test");
  const toFolder = folderOf(target);
  if (toFolder === undefined) return says("it stands in no folder of the floor table");
  if (toFolder === folder || neighbourArrows.includes(`${folder} -> ${toFolder}`)) return undefined;
  const from = floors[folder] ?? 0;
  const to = floors[toFolder] ?? 0;
  if (to < from || (file.isTest && (to === from || toFolder === testKit))) return undefined;
  return says(
    to === from
      ? `${folder} and ${toFolder} are neighbours on floor ${from}`
      : `${folder} is on floor ${from}, ${toFolder} on floor ${to}`,
  );
}
