// Configuration as people write it: JSON with comments and trailing commas, and ${NAME} for the environment.
// The only file that knows the comment stripper. It must not show a file's values in its errors.

import stripJsonComments from "strip-json-comments";
import { type Json, parseJson } from "./json.ts";
import { findJsonFault } from "./json-fault.ts";

/** A file that is not JSON, with the place to mend; the message reads `mcp.json:3:14: …`. */
export class ConfigTextError extends Error {
  override readonly name = "ConfigTextError";
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units, as editors count. */
  readonly column: number;

  constructor(at: { readonly file: string; readonly line: number; readonly column: number }, problem: string) {
    super(`${at.file}:${at.line}:${at.column}: ${problem}`);
    this.file = at.file;
    this.line = at.line;
    this.column = at.column;
  }
}

/**
 * The value of a JSON text that may have comments, trailing commas and a byte order mark. Keys named `__proto__`
 * are dropped.
 * @param file the name that errors give it
 * @throws ConfigTextError at the first syntax error
 */
export function parseJsonc(text: string, file: string): Json {
  const content = text.startsWith("\ufeff") ? text.slice(1) : text;
  // Blanks out rather than takes out, so that places stay what they are in the file.
  const json = stripJsonComments(content, { trailingCommas: true });
  const parsed = parseJson(json);
  if (parsed.ok) return parsed.value;
  const fault = findJsonFault(json) ?? { offset: 0, message: parsed.message };
  throw new ConfigTextError({ file, ...placeOf(content, fault.offset) }, fault.message);
}

/** A text with its references filled in, and the names that had neither a value nor a default, each once. */
export interface ExpandedText {
  readonly text: string;
  readonly missing: string[];
}

/**
 * Fills in `${NAME}`, and `${NAME:-default}` where the default stands in for an unset or empty variable.
 * `$${` is a literal `${`. A missing one stays as written; values are not expanded again. For the strings of a
 * parsed file, not for its text: a quote in a value would end the string it stands in.
 * @param env own properties count only
 */
export function expandEnvironment(text: string, env: Readonly<Record<string, string | undefined>>): ExpandedText {
  const missing = new Set<string>();
  const expanded = text.replace(reference, (written: string, name?: string, fallback?: string) => {
    if (name === undefined) return "${";
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (fallback !== undefined) return value || fallback;
    if (value === undefined) missing.add(name);
    return value ?? written;
  });
  return { text: expanded, missing: [...missing] };
}

/** The variables a text refers to, in its order, with whether a default stands in for them. */
export function environmentReferences(text: string): { readonly name: string; readonly hasDefault: boolean }[] {
  return [...text.matchAll(reference)].flatMap(([, name, fallback]) =>
    name === undefined ? [] : [{ name, hasDefault: fallback !== undefined }],
  );
}

const reference = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

function placeOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
