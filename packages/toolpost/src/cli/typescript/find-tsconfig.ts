// The `tsconfig.json` that counts for a file: the nearest one, or the one of its references that includes the file.
// Only what compiling and resolving need is taken from it; what it says of types and output is the compiler's business.

import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import type { TsConfigJsonResolved, TsConfigResult } from "get-tsconfig";
import { TypescriptError } from "./typescript-error.ts";

export type CompilerOptions = NonNullable<TsConfigJsonResolved["compilerOptions"]>;

export interface Tsconfig {
  readonly options: CompilerOptions;
  /** Absolute paths, without endings where the alias has none, that `paths` and `baseUrl` give for a specifier. */
  aliasTargets(specifier: string): readonly string[];
}

/** Throws `config.invalid` where a file is not well-formed, or extends one that is not there. */
export type TsconfigFinder = (path: string) => Tsconfig;

/** Files are read once. The library is loaded for the first; hooks of the module loader cannot wait for an import. */
export function createTsconfigFinder(): TsconfigFinder {
  const require = createRequire(import.meta.url);
  let loaded: typeof import("get-tsconfig") | undefined;
  const files = new Map<string, unknown>();
  const known = new Map<string, Tsconfig>();
  return (path) => {
    loaded ??= require("get-tsconfig") as typeof import("get-tsconfig");
    const library = loaded;
    const nearest = orInvalid(() => library.getTsconfig(dirname(path), "tsconfig.json", files));
    if (nearest === null) return none;
    const { path: file, config } = referenced(nearest, path, library) ?? nearest;
    let tsconfig = known.get(file);
    if (tsconfig === undefined) {
      const matcher = library.createPathsMatcher({ path: file, config });
      tsconfig = { options: config.compilerOptions ?? {}, aliasTargets: (specifier) => matcher?.(specifier) ?? [] };
      known.set(file, tsconfig);
    }
    return tsconfig;
  };
}

/** A file that only refers to others, as project templates have it, says nothing of any source itself. */
function referenced(
  { path: file, config }: TsConfigResult,
  source: string,
  { parseTsconfig, createFilesMatcher }: typeof import("get-tsconfig"),
): TsConfigResult | undefined {
  if (config.files?.length !== 0 || config.include !== undefined) return undefined;
  for (const reference of config.references ?? []) {
    const target = resolve(dirname(file), reference.path);
    const path = target.endsWith(".json") ? target : resolve(target, "tsconfig.json");
    const found = { path, config: orInvalid(() => parseTsconfig(path)) };
    if (createFilesMatcher(found)(source) !== undefined) return found;
  }
  return undefined;
}

const none: Tsconfig = { options: {}, aliasTargets: () => [] };

function orInvalid<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    const { message } = error as Error;
    const hint = "Mend the file, or install the package whose configuration it extends.";
    throw new TypescriptError(`the \`tsconfig.json\` cannot be read: ${message}`, {
      cause: error,
      hint,
    });
  }
}
