// Loads an optional package that the user has, synchronously: schemas are converted where nothing can be awaited.
// It looks from the user's working directory first, so that the copy beside the user's own schema library is taken.
// It must not load anything before it is asked to.

import { ToolpostError } from "../core/errors.ts";

/**
 * The exports of `specifier`. Throws `ToolpostError` (`tool.schema-unusable`) with the command that installs
 * `packageName` when it is found neither from the working directory nor from this package.
 */
export function requireForUser<Exports>(specifier: string, packageName: string): Exports {
  const kept = loaded.get(specifier);
  if (kept !== undefined) return kept as Exports;
  const { createRequire } = process.getBuiltinModule("node:module");
  const cause: unknown[] = [];
  // A working directory may be gone.
  for (const from of [() => `${process.cwd()}/package.json`, () => import.meta.url]) {
    try {
      const exports: Exports = createRequire(from())(specifier);
      loaded.set(specifier, exports);
      return exports;
    } catch (error) {
      cause.push(error);
    }
  }
  throw new ToolpostError(
    "tool.schema-unusable",
    `the schema needs the package \`${packageName}\`: run \`npm install ${packageName}\``,
    { cause },
  );
}

const loaded: Map<string, unknown> = new Map();
