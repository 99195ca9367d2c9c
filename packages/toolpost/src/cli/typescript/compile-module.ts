// Compiles one TypeScript file by esbuild: both decorator systems, parameter properties, enums, JSX, as its `tsconfig.json` says.
// Its source map goes with the code. Types are not checked: that is the compiler's part.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Message, TransformOptions, TransformResult } from "esbuild";
import type { Esbuild } from "./find-esbuild.ts";
import type { CompilerOptions } from "./find-tsconfig.ts";
import { moduleFormat } from "./module-format.ts";
import { faultText, type SourceFault, TypescriptError } from "./typescript-error.ts";

export interface CompiledModule {
  readonly format: "module" | "commonjs";
  readonly code: string;
  /** The file says by its name that it is CommonJS, so an import of it gets the whole of its exports as default. */
  readonly isPlainCommonjs: boolean;
}

export interface Compiling {
  readonly esbuild: Esbuild;
  readonly compilerOptions: CompilerOptions;
}

/** Throws a `TypescriptError`. */
export function compileModule(path: string, compiling: Compiling): CompiledModule {
  const text = readFileSync(path, "utf8");
  const format = moduleFormat(path);
  const compile = (as: "esm" | "cjs") => transform(text, path, as, compiling);
  if (format === "module") return esModule(compile("esm"));
  try {
    const result = compile("cjs");
    const meta = result.warnings.find(({ id }) => id === "empty-import-meta");
    if (meta === undefined) return { format: "commonjs", code: result.code, isPlainCommonjs: format === "commonjs" };
    if (format === "commonjs") throw syntaxError(path, meta);
  } catch (error) {
    if (format === "commonjs") throw error;
  }
  // It awaits at its top level or asks for `import.meta`; or is not well-formed, which is told again.
  return esModule(compile("esm"));
}

function esModule({ code }: TransformResult): CompiledModule {
  return { format: "module", code, isPlainCommonjs: false };
}

function transform(
  text: string,
  path: string,
  format: "esm" | "cjs",
  { esbuild, compilerOptions }: Compiling,
): TransformResult {
  const options: TransformOptions = {
    format,
    loader: path.endsWith("x") ? "tsx" : "ts",
    platform: "node",
    target: `node${process.versions.node}`,
    sourcefile: pathToFileURL(path).href,
    sourcemap: "inline",
    sourcesContent: false,
    // Messages name classes and functions as they are written.
    keepNames: true,
    charset: "utf8",
    logLevel: "silent",
    tsconfigRaw: { compilerOptions: runnable(compilerOptions) },
  };
  try {
    return esbuild.transformSync(text, options);
  } catch (error) {
    const [fault] = (error as { readonly errors?: readonly Message[] }).errors ?? [];
    if (fault === undefined) {
      const message = `\`esbuild\` could not be run: ${(error as Error).message}`;
      throw new TypescriptError(message, { cause: error, hint: "Run `npm install` again." });
    }
    throw syntaxError(path, fault);
  }
}

/** JSX that is left for another compiler cannot be run. */
function runnable({ jsx, ...options }: CompilerOptions): CompilerOptions {
  const isKept = jsx === undefined || jsx === "preserve" || jsx === "react-native";
  return { ...options, jsx: isKept ? "react-jsx" : jsx };
}

function syntaxError(path: string, { text, location }: Message): TypescriptError {
  const { line = 1, column = 0, length = 1, lineText = "" } = location ?? {};
  const marks = " ".repeat(column) + "^".repeat(Math.max(1, Math.min(length, lineText.length - column)));
  const fault: SourceFault = { path, text, line, column: column + 1, excerpt: [lineText, marks] };
  return new TypescriptError(faultText(fault, path), { fault });
}
