// Finds esbuild, an optional peer: as installed for the configuration, or else for Toolpost itself.
// It is loaded when the first TypeScript file is; a command without one never pays for it.

import { createRequire } from "node:module";
import { TypescriptError } from "./typescript-error.ts";

export type Esbuild = Pick<typeof import("esbuild"), "transformSync">;

/** Undefined where it is not installed. Throws `config.invalid` where it is and cannot be loaded. */
export type EsbuildFinder = () => Esbuild | undefined;

/** Looks once, from the file given first. */
export function createEsbuildFinder(from: string): EsbuildFinder {
  let found: { readonly esbuild: Esbuild | undefined } | undefined;
  return () => {
    found ??= { esbuild: requireEsbuild(from) ?? requireEsbuild(import.meta.url) };
    return found.esbuild;
  };
}

function requireEsbuild(from: string): Esbuild | undefined {
  const require = createRequire(from);
  try {
    return require("esbuild") as Esbuild;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "MODULE_NOT_FOUND" && message.includes("'esbuild'")) return undefined;
    const hint = "Run `npm install --save-dev esbuild`, on the machine and platform it is to run on.";
    throw new TypescriptError(`\`esbuild\` could not be loaded: ${message}`, { cause: error, hint });
  }
}
