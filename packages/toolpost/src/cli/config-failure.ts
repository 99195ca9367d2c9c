// Why a configuration module could not be loaded, in the words of the error it threw and with the line it comes from.
// For the person who wrote the module: the error is shown whole.

import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isToolpostError, ToolpostError } from "../core/errors.ts";
import { encodeJson } from "../std/json.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { isAssembly } from "./show-error.ts";
import { parseFiles } from "./typescript/parse-files.ts";
import type { TypescriptSupport } from "./typescript/register-hooks.ts";
import { faultText, TypescriptError } from "./typescript/typescript-error.ts";

export interface ConfigModule {
  /** Absolute. */
  readonly path: string;
  /** How messages name it. */
  readonly file: string;
  readonly typescript: TypescriptSupport;
}

export function configFailure(error: unknown, { path, file, typescript }: ConfigModule): ToolpostError {
  if (isAssembly(error)) return error;
  if (error instanceof TypescriptError) return loaderFailure(error, path, file);
  // It says what is wrong and how to mend it; the place it comes from is in this package, and of no use to its reader.
  if (isToolpostError(error)) return new ConfigurationError(file, error);
  if (!(error instanceof Error))
    return new ToolpostError("config.invalid", `\`${file}\` threw ${encodeJson(error)}`, { cause: error, hint });
  const { code, message, name, stack = "" } = error as NodeJS.ErrnoException;
  if (name === "SyntaxError") {
    const place = sourcePlace(stack, path) ?? sourcePlace(parseFiles(typescript.loadedFiles()), path);
    const fix = isTypescript(place?.file ?? path) && !typescript.canCompile() ? { hint: compileHint } : {};
    return new ToolpostError("config.syntax", `\`${file}\`: ${message}${place?.text ?? ""}`, { cause: error, ...fix });
  }
  // CommonJS tells who asked in further lines; the place does.
  const what = message.replace(/\nRequire(?:d module| stack):[\s\S]*$/, "");
  const cause = what === message ? error : undefined;
  const missing = missingPackage(code, what);
  if (missing !== undefined)
    return new ToolpostError("config.invalid", `\`${file}\`: ${what}`, {
      cause,
      hint: `Run \`npm install ${missing}\`.`,
    });
  return new ToolpostError("config.invalid", `\`${file}\` threw ${name}: ${what}${framePlace(stack, path)}`, {
    cause,
    hint: code === "ERR_REQUIRE_ASYNC_MODULE" ? awaitHint : (circleHint(what) ?? hint),
  });
}

const hint = "Mend what the error says; the configuration is an ordinary module.";

const compileHint =
  "Node only strips types; for decorators, enums and parameter properties run `npm install --save-dev esbuild`.";

/** A class is named before its file has run, as files import each other in a circle. */
function circleHint(message: string): string | undefined {
  const [, name] = /^Cannot access '([^']+)' before initialization$/.exec(message) ?? [];
  if (name === undefined) return undefined;
  return `Where files import each other, name \`${name}\` by a function, \`() => ${name}\`, in \`deps\`, \`@Nested\` or \`@ListOf\`; or move it to a file of its own.`;
}

const awaitHint =
  'A module with `await` at its top level can only be imported: write `"type": "module"` in the `package.json`.';

function loaderFailure(error: TypescriptError, path: string, file: string): ToolpostError {
  const { fault } = error;
  if (fault === undefined) return error;
  const text = faultText(fault, nearPath(fault.path, path));
  return new TypescriptError(`\`${file}\`: ${text}`, { fault });
}

function isTypescript(file: string): boolean {
  return /\.[mc]?tsx?$/.test(file);
}

function missingPackage(code: string | undefined, message: string): string | undefined {
  if (code === "ERR_MODULE_NOT_FOUND") return /^Cannot find package '([^']+)'/.exec(message)?.[1];
  if (code !== "MODULE_NOT_FOUND") return undefined;
  return /^Cannot find module '((?:@[^/']+\/)?[^@./'][^/']*)/.exec(message)?.[1];
}

/**
 * Line and piece of code of a syntax error, which Node puts before the stack: `/path/file.ts:4`, the code, a line of
 * `^`. Empty lines end it.
 */
function sourcePlace(stack: string, path: string): { readonly file: string; readonly text: string } | undefined {
  const [first = "", ...rest] = stack.split("\n");
  const [, where, line] = /^(.+?):(\d+)$/.exec(first) ?? [];
  if (where === undefined) return undefined;
  const end = rest.findIndex((text) => /^\s*\^+\s*$/.test(text));
  const code = rest.slice(0, end + 1).map((text) => `\n  | ${text}`);
  return { file: where, text: `, at ${nearPath(where, path)}:${line}${code.join("")}` };
}

/** The innermost frame in the user's own code. */
function framePlace(stack: string, path: string): string {
  for (const line of stack.split("\n")) {
    const [, where, place] = /^\s+at (?:.*\()?((?:file:\/\/)?(?:\/|[A-Za-z]:).*?):(\d+:\d+)\)?$/.exec(line) ?? [];
    if (where !== undefined && !where.includes("/node_modules/")) return `, at ${nearPath(where, path)}:${place}`;
  }
  return "";
}

/** From the module's folder, as that is where its reader looks. */
function nearPath(where: string, path: string): string {
  const absolute = where.startsWith("file:") ? fileURLToPath(where) : where;
  return relative(dirname(path), absolute) || absolute;
}
