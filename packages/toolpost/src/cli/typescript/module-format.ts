// Whether a TypeScript file is an ES module or CommonJS, by its name and the nearest `package.json`, as Node and compilers say.
// What only its text can tell is left to who compiles it.

import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { pathToFileURL } from "node:url";

/** `either`: CommonJS, unless it uses what only ES modules have. */
export type ModuleFormat = "module" | "commonjs" | "either";

export function moduleFormat(path: string): ModuleFormat {
  if (/\.mts$/.test(path)) return "module";
  if (/\.cts$/.test(path)) return "commonjs";
  return packageType(path) === "module" ? "module" : "either";
}

function packageType(path: string): unknown {
  const manifest = findPackageJSON(pathToFileURL(path));
  if (manifest === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(manifest, "utf8")).type;
  } catch {
    // Node refuses a package that it cannot read when it resolves something in it.
    return undefined;
  }
}
