// Why a configuration module could not be loaded, in the words of the error it threw and with the line it comes from.
// For the person who wrote the module: the error is shown whole.

import { spawnSync } from "node:child_process";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolpostError } from "../core/errors.ts";
import { encodeJson } from "../std/json.ts";
import { isAssembly } from "./show-error.ts";

/** `path` is the module's, absolute; `file` is how messages name it. */
export function configFailure(error: unknown, path: string, file: string): ToolpostError {
  if (isAssembly(error)) return error;
  if (!(error instanceof Error))
    return new ToolpostError("config.invalid", `\`${file}\` threw ${encodeJson(error)}`, { cause: error, hint });
  const { code, message, name } = error as NodeJS.ErrnoException;
  const cause = error;
  if (name === "SyntaxError") {
    const place = sourcePlace(error.stack ?? "", path) ?? sourcePlace(nodeCheck(path), path);
    return new ToolpostError("config.syntax", `\`${file}\`: ${message}${place ?? ""}`, { cause, ...syntaxHint(code) });
  }
  const missing = code === "ERR_MODULE_NOT_FOUND" ? /^Cannot find package '([^']+)'/.exec(message)?.[1] : undefined;
  if (missing !== undefined)
    return new ToolpostError("config.invalid", `\`${file}\`: ${message}`, {
      cause,
      hint: `Run \`npm install ${missing}\`.`,
    });
  return new ToolpostError(
    "config.invalid",
    `\`${file}\` threw ${name}: ${message}${framePlace(error.stack ?? "", path)}`,
    { cause, hint },
  );
}

const hint = "Mend what the error says; the configuration is an ordinary module, so `node` shows the same.";

function syntaxHint(code: string | undefined): { readonly hint?: string } {
  if (code !== "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") return {};
  return {
    hint: "Node only strips types: write it in syntax that needs no compiling, or compile the file and name the result by --config.",
  };
}

/**
 * Line and piece of code of a syntax error, which Node puts before the stack: `/path/file.ts:4`, the code, a line of
 * `^`. Empty lines end it.
 */
function sourcePlace(stack: string, path: string): string | undefined {
  const [first = "", ...rest] = stack.split("\n");
  const [, where, line] = /^(.+?):(\d+)$/.exec(first) ?? [];
  if (where === undefined) return undefined;
  const end = rest.findIndex((text) => /^\s*\^+\s*$/.test(text));
  const code = rest.slice(0, end + 1).map((text) => `\n  | ${text}`);
  return `, at ${nearPath(where, path)}:${line}${code.join("")}`;
}

/** For plain JavaScript Node tells the line of a syntax error to nobody but the console. */
function nodeCheck(path: string): string {
  return spawnSync(process.execPath, ["--check", path], { encoding: "utf8" }).stderr ?? "";
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
