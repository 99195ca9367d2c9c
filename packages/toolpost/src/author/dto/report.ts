// What reading one value found wrong. Paths are made while a refusal is handed up, so that a good value costs none.
// It must hold every rule's words by the rule's name in JSON Schema: they stand in one place for all schemas.

import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";
import type { Finding } from "../json-schema/describe-error.ts";
import { describeError, plainFinding } from "../json-schema/describe-error.ts";
import { kindOf } from "../json-schema/kinds.ts";
import { TooDeepError } from "../too-deep.ts";
import { oddKind } from "./object-kind.ts";

/** What reading gives in place of a value that was refused; the report says why. */
export const refused: unique symbol = Symbol("refused");

/** As deep as classes that recur may be nested in a value. Below what JSON is written to, lists between them included. */
const mostLevels = 200;
/** A list of a million wrong items would give a million findings. */
const mostFindings = 50;

/** What alternatives made of a value: what was kept, or `refused` and why. */
export interface Tried {
  readonly kept: unknown;
  readonly findings: readonly Finding[];
}

export class Report {
  /** Values come from a program: a moment is a `Date`. */
  readonly isNative: boolean;
  /** Made with the first one. */
  #findings: Finding[] | undefined = undefined;
  #levels = 0;
  /** How many alternatives are being tried around what is read now. */
  #trials = 0;
  #tried: Map<object, Map<unknown, Tried>> | undefined = undefined;

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

  /** Refuses what no fields can be read from: what is no object, and objects such as a Map. */
  refuseObject(value: unknown): typeof refused {
    return this.add([{ ...plainFinding([], ""), kind: "type", expected: ["object"], got: this.kindOf(value) }]);
  }

  /** What a message calls a value. */
  kindOf(value: unknown): string {
    return (isRecord(value) && oddKind(value, this.isNative)) || kindOf(value);
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

  /** Whether more findings would change nothing: what holds the value is refused, and more are not told. */
  get isFull(): boolean {
    return this.count >= mostFindings;
  }

  /** Throws `TooDeepError` for a value that lies within itself, or nearly so. */
  enter(): void {
    if (++this.#levels > mostLevels) throw new TooDeepError("nested too deeply");
  }

  leave(): void {
    this.#levels--;
  }

  /**
   * Tries alternatives. Within others each value is tried once and remembered: they all would try it again, twice as
   * often with each level of a value.
   */
  try(alternatives: object, value: unknown, attempt: () => Tried): Tried {
    const known = this.#tried?.get(alternatives)?.get(value);
    if (known !== undefined) return known;
    this.#trials++;
    const tried = attempt();
    this.#trials--;
    if (this.#trials === 0) this.#tried = undefined;
    else if (typeof value === "object") this.#remember(alternatives, value, tried);
    return tried;
  }

  #remember(alternatives: object, value: unknown, tried: Tried): void {
    this.#tried ??= new Map();
    const values = this.#tried.get(alternatives) ?? new Map<unknown, Tried>();
    this.#tried.set(alternatives, values.set(value, tried));
  }
}
