// The log where an application gives none: warnings and errors, one line each, on standard error.
// It must not throw, break a line, or show what the redactor would hide; when the redactor fails it shows nothing of
// the entry but that there was one.

import type { Log, LogEntry, Redact } from "../core/govern.ts";
import { encodeJson } from "../std/json.ts";
import { visible } from "../std/text.ts";

export interface ConsoleLogOptions {
  /** Takes secrets out of each line. */
  readonly redact: Redact;
  /** Takes each line, line break included. Default: standard error. */
  readonly write?: (line: string) => void;
  /** Entries below it are dropped. Default `warn`; at `debug` errors come with their stack. */
  readonly level?: LogEntry["level"];
}

/**
 * A log of lines like `toolpost warn: message: error message {"data":"as JSON"}`; each cause of an error follows its
 * message after another `: `. Whatever would break a line or move the cursor is written as an escape.
 */
export function createConsoleLog({ redact, write = writeToStderr, level = "warn" }: ConsoleLogOptions): Log {
  const least = levels.indexOf(level);
  return (entry) => {
    try {
      if (levels.indexOf(entry.level) < least) return;
      write(`toolpost ${entry.level}: ${visible(maskedText(entry, redact, level === "debug"))}\n`);
    } catch {
      // Logging is the last resort already: there is nobody left to tell.
    }
  };
}

const levels: readonly LogEntry["level"][] = ["debug", "info", "warn", "error"];

function writeToStderr(line: string): void {
  process.stderr.write(line);
}

function maskedText(entry: LogEntry, redact: Redact, withStack: boolean): string {
  try {
    // Each text for itself first: some secrets end where their text does, and would not on a joined line.
    return redact(
      textOf(entry, withStack, (text) => redact(text, true)),
      true,
    );
  } catch {
    return "[an entry that could not be masked]";
  }
}

function textOf({ message, error, data }: LogEntry, withStack: boolean, mask: (text: string) => string): string {
  const texts = [mask(message)];
  if (error !== undefined) texts.push(...errorTexts(error, withStack).map(mask));
  return data === undefined ? texts.join(": ") : `${texts.join(": ")} ${mask(encodeJson(data))}`;
}

/** Causes may go in circles; nobody reads further than a few. */
const maxCauses = 4;

function errorTexts(error: unknown, withStack: boolean): string[] {
  const texts: string[] = [];
  for (let next = error; next !== undefined && texts.length <= maxCauses; next = causeOf(next)) {
    texts.push(errorText(next, withStack));
  }
  return texts;
}

function errorText(error: unknown, withStack: boolean): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : encodeJson(error);
  const text = withStack ? error.stack : error.message;
  return typeof text === "string" && text !== "" ? text : String(error.name);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
