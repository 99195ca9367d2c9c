// The file that a compiler or bundler takes a specifier for where Node finds none: aliases of `tsconfig.json`, `./x.js` for
// `./x.ts`, names without endings, folders. It looks for files and reads none.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The absolute path; `aliasTargets` gives what an alias stands for. */
export function findSource(
  specifier: string,
  parent: string,
  aliasTargets: (specifier: string) => readonly string[],
): string | undefined {
  const isPath = /^(?:\.{0,2}\/|\.{1,2}$|file:)/.test(specifier);
  const targets = isPath ? [pathOf(specifier, parent)] : aliasTargets(specifier);
  return targets.flatMap(candidates).find(isFile);
}

function pathOf(specifier: string, parent: string): string {
  const [name = ""] = specifier.split(/[?#]/, 1);
  // Without the slash at the end that a folder has.
  return resolve(fileURLToPath(new URL(name, pathToFileURL(parent))));
}

const endings = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"];

/** What a compiler emits for which source. */
const sourceEndings: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};

function candidates(path: string): string[] {
  const emitted = /\.[mc]?jsx?$/.exec(path)?.[0] ?? "";
  const stem = path.slice(0, path.length - emitted.length);
  return [
    path,
    ...(sourceEndings[emitted] ?? []).map((ending) => `${stem}${ending}`),
    ...endings.map((ending) => `${path}${ending}`),
    ...endings.map((ending) => resolve(path, `index${ending}`)),
  ];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
