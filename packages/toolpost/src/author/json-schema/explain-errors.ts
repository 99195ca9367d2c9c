// Turns a validator's list of errors, which names every schema on the way to a cause, into the few issues a model can
// act on: what contains others is passed over, and of alternatives that all fail the one that was meant is chosen.
// It relies on the order of the list (each error stands before those within it) and on its locations, not on texts.

import type { OutputUnit } from "@cfworker/json-schema";
import type { SchemaIssue } from "../../core/schema.ts";
import { chooseAlternative } from "./choose-alternative.ts";
import type { Finding } from "./describe-error.ts";
import { describeError } from "./describe-error.ts";
import { toSchemaIssues } from "./finding-issues.ts";
import type { Validated } from "./locate-error.ts";
import { locateError } from "./locate-error.ts";

/** At least one issue, each once, in the order they were found; not more than a model needs. */
export function explainErrors(errors: readonly OutputUnit[], validated: Validated): readonly SchemaIssue[] {
  return toSchemaIssues(findingsOf(errors, validated));
}

/** A list of a million wrong items gives a million errors. */
const mostFindings = 50;

const choices: ReadonlySet<string> = new Set(["anyOf", "oneOf"]);

/** Say nothing themselves: the errors within them do. */
const containers: ReadonlySet<string> = new Set([
  ...["$ref", "allOf", "if", "dependentSchemas", "properties", "patternProperties", "additionalProperties"],
  ...["unevaluatedProperties", "items", "prefixItems", "additionalItems", "unevaluatedItems"],
]);

/** Say it all: what they contain is about something else, a property's name or each item on its own. */
const wholes: ReadonlySet<string> = new Set(["propertyNames", "contains"]);

function findingsOf(errors: readonly OutputUnit[], validated: Validated): readonly Finding[] {
  const findings: Finding[] = [];
  let index = 0;
  while (index < errors.length && findings.length < mostFindings) {
    const error = errors[index]!;
    const isWhole = choices.has(error.keyword) || wholes.has(error.keyword);
    const inside = isWhole ? errorsWithin(errors, index) : [];
    if (choices.has(error.keyword)) findings.push(...choose(error, inside, validated));
    else if (!containers.has(error.keyword)) {
      // Which property has a wrong name is told by the errors of that name.
      const instanceLocation =
        (error.keyword === "propertyNames" && inside[0]?.instanceLocation) || error.instanceLocation;
      findings.push(
        ...describeError(locateError({ ...error, instanceLocation }, validated), errors[index - 1]?.keyword),
      );
    }
    index += 1 + inside.length;
  }
  return findings;
}

function choose(error: OutputUnit, inside: readonly OutputUnit[], validated: Validated): readonly Finding[] {
  const alternatives = new Map<string, OutputUnit[]>();
  let current = "";
  for (const [index, inner] of inside.entries()) {
    // An error of a schema `false` has no location of its own: it stands behind what contains it, or is an alternative.
    const isAlternative = inner.keyword === "false" && !containers.has(inside[index - 1]?.keyword ?? "");
    if (inner.keyword !== "false")
      current = inner.keywordLocation.slice(error.keywordLocation.length + 1).split("/", 1)[0]!;
    const key = isAlternative ? `false ${index}` : current;
    const errors = alternatives.get(key) ?? [];
    if (errors.length === 0) alternatives.set(key, errors);
    if (!isAlternative) errors.push(inner);
  }
  const failed = [...alternatives.values()].map((list) => findingsOf(list, validated));
  return chooseAlternative(locateError(error, validated), failed);
}

function errorsWithin(errors: readonly OutputUnit[], index: number): readonly OutputUnit[] {
  const prefix = `${errors[index]!.keywordLocation}/`;
  let end = index + 1;
  while (end < errors.length && (errors[end]!.keyword === "false" || errors[end]!.keywordLocation.startsWith(prefix)))
    end++;
  return errors.slice(index + 1, end);
}
