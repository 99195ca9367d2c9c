// What went wrong, for the person at the terminal: the code, what happened, what to do.
// For operators: it holds messages whole, so it goes to standard error only.

import { type AssemblyError, isToolpostError } from "../core/errors.ts";
import { encodeJson } from "../std/json.ts";
import { UsageError } from "./command.ts";
import { commandUsage } from "./help.ts";
import type { Terminal } from "./terminal.ts";

/** Tells of an error; `usage` is for command lines that name no command. */
export function showError(error: unknown, terminal: Terminal, usage: string): void {
  if (error instanceof UsageError) {
    terminal.tell(`error: ${error.message}`, "red");
    terminal.tell(
      error.command === undefined
        ? usage
        : `${commandUsage(error.command)}\nMore: toolpost ${error.command.name} --help`,
    );
    return;
  }
  if (!isToolpostError(error)) return terminal.tell(`error: ${thrownText(error)}`, "red");
  if (error.code === "run.cancelled") return terminal.tell(`cancelled: ${error.message}`, "yellow");
  if (isAssembly(error)) return terminal.tell(assemblyText(error), "red");
  terminal.tell(`error [${error.code}]: ${error.message}`, "red");
  const cause = error.cause instanceof Error ? error.cause.message : "";
  if (!error.message.includes(cause)) terminal.tell(`cause: ${cause}`);
  if (error.hint !== undefined) terminal.tell(`fix: ${error.hint}`);
}

/** All problems of an assembly, one a line. */
export function assemblyText({ problems }: AssemblyError): string {
  const count = problems.length === 1 ? "a problem" : `${problems.length} problems`;
  return [
    `error: the definitions have ${count}:`,
    ...problems.map(({ code, message }) => `  [${code}] ${message}`),
  ].join("\n");
}

export function isAssembly(error: unknown): error is AssemblyError {
  return isToolpostError(error) && Array.isArray((error as Partial<AssemblyError>).problems);
}

/** Anything that can be thrown; of an Error that is no answer of the system also the place it comes from. */
function thrownText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `something was thrown that is no Error: ${encodeJson(thrown)}`;
  const text = thrown.name === "Error" ? thrown.message : `${thrown.name}: ${thrown.message}`;
  if ("code" in thrown) return text;
  const frames = (thrown.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line) && !line.includes("node:"));
  return [text, ...frames.slice(0, 5)].join("\n");
}
