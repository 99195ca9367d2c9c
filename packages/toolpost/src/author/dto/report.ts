// What reading one value found wrong. Paths are made while a refusal is handed up, so that a good value costs none.
// It must hold every rule's words by the rule's name in JSON Schema: they stand in one place for all schemas.

import type { JsonSchema } from "../../core/schema.ts";
import type { Finding } from "../json-schema/describe-error.ts";
import { describeError, plainFinding } from "../json-schema/describe-error.ts";

/** What reading gives in place of a value that was refused; the report says why. */
export const refused: unique symbol = Symbol("refused");

/** As deep as classes that recur may be nested in a value. Below what JSON is written to, lists between them included. */
const mostLevels = 200;
/** A list of a million wrong items would give a million findings. */
const mostFindings = 50;
/** Alternatives that are tried one after the other can multiply with each level of a value. */
const mostTries = 50_000;

export class Report {
  /** Values come from a program: a moment is a `Date`. */
  readonly isNative: boolean;
  /** Made with the first one. */
  #findings: Finding[] | undefined = undefined;
  #levels = 0;
  #tries = 0;

  constructor(isNative: boolean) {
    this.isNative = isNative;
  }

  get findings(): readonly Finding[] {
    return this.#findings ?? [];
  }

  get count(): number {
    return this.#findings === undefined ? 0 : this.#findings.length;
  }

  add(findings: readonly Finding[]): typeof refused {
    this.#findings ??= [];
    if (this.#findings.length < mostFindings) this.#findings.push(...findings);
    return refused;
  }

  /** Refuses by a keyword of JSON Schema; `node` holds its limit. */
  refuse(keyword: string, node: JsonSchema, value: unknown): typeof refused {
    return this.add(describeError({ keyword, node, path: [], value }, undefined));
  }

  /** Refuses by a rule that JSON Schema has no word for. */
  say(message: string): typeof refused {
    return this.add([plainFinding([], message)]);
  }

  /** Says that all findings since `from` lie below `key`. */
  within(key: string | number, from: number): void {
    const findings = this.#findings ?? [];
    for (let index = from; index < findings.length; index++) {
      const finding = findings[index]!;
      findings[index] = { ...finding, path: [key, ...finding.path] };
    }
  }

  /** Takes the findings since `from` out again. */
  takeFrom(from: number): readonly Finding[] {
    return this.#findings?.splice(from) ?? [];
  }

  /** Throws `RangeError` for a value that lies within itself, or nearly so. */
  enter(): void {
    if (++this.#levels > mostLevels) throw new RangeError("nested too deeply");
  }

  leave(): void {
    this.#levels--;
  }

  /** Throws `RangeError` once alternatives were tried more often than any honest value needs. */
  try(): void {
    if (++this.#tries > mostTries) throw new RangeError("too many alternatives");
  }
}
