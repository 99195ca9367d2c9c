// Why a TypeScript file could not be loaded, apart from what the file itself throws: not well-formed, or no way to compile it.
// Told by its class, as it never leaves this copy of the package.

import { type ErrorDetails, ToolpostError } from "../../core/errors.ts";

/** Where a text is not well-formed, in the file itself; line and column from 1. */
export interface SourceFault {
  readonly path: string;
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** The line, and a line of `^` below what is wrong. */
  readonly excerpt: readonly string[];
}

/** `config.syntax` with a fault, `config.invalid` without one. */
export class TypescriptError extends ToolpostError {
  readonly fault: SourceFault | undefined;

  constructor(message: string, details: ErrorDetails & { readonly fault?: SourceFault }) {
    super(details.fault === undefined ? "config.invalid" : "config.syntax", message, details);
    this.fault = details.fault;
  }
}

/** What is wrong, where, and the code; `place` is how the file is named. */
export function faultText({ text, line, column, excerpt }: SourceFault, place: string): string {
  return [`${text}, at ${place}:${line}:${column}`, ...excerpt].join("\n  | ");
}
