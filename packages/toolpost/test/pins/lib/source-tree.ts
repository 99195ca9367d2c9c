// A folder of TypeScript source as the pins see it: every file with its text, its imports and where they lead.
// It reads and never judges; the rules stand in the files beside it, each a function from a tree to its violations.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { maskCode } from "./mask-code.ts";
import { type Import, scanImports } from "./scan-imports.ts";

export interface SourceTree {
  readonly root: string;
  readonly files: readonly SourceFile[];
}

export interface SourceFile {
  /** Relative to the root, with forward slashes: `core/call.ts`. */
  readonly path: string;
  readonly text: string;
  /** The text with comments and the insides of strings blanked. */
  readonly code: string;
  readonly isTest: boolean;
  readonly imports: readonly ResolvedImport[];
}

export interface ResolvedImport extends Import {
  /** The path inside the tree, of a relative import. */
  readonly target: string | undefined;
}

export function readSourceTree(root: string): SourceTree {
  const paths = globSync("**/*.{ts,mts,cts,tsx}", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  return { root, files: paths.sort().map((path) => readSourceFile(root, path)) };
}

function readSourceFile(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const isTest = /\.test(?:-d)?\.[cm]?tsx?$/.test(path);
  const imports = scanImports(text).map((found) => ({ ...found, target: targetOf(path, found.specifier) }));
  return { path, text, code: maskCode(text), isTest, imports };
}

function targetOf(from: string, specifier: string | undefined): string | undefined {
  return specifier?.startsWith(".") ? posix.normalize(posix.join(dirname(from), specifier)) : undefined;
}
