// Keeps a schema from costing without bound at one value: references that lead back to themselves without going
// into the value, and alternatives nested so that their number multiplies.
// It must not look at how often a value's own depth multiplies them: that the value's size bounds.

import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";
import { unusableSchema } from "./kinds.ts";

/** Throws `ToolpostError` (`tool.schema-unusable`) for a schema that takes more than 10,000 steps for one value. */
export function boundCost(nodes: Iterable<unknown>, references: Readonly<Record<string, unknown>>): void {
  const costs = new Map<JsonSchema, number>();
  for (const node of nodes) costOf(node, { references, costs }, 0);
}

interface Costs {
  readonly references: Readonly<Record<string, unknown>>;
  /** `NaN` while a schema is being looked at. */
  readonly costs: Map<JsonSchema, number>;
}

const mostSteps = 10_000;
const mostLevels = 200;

function costOf(node: unknown, known: Costs, level: number): number {
  if (!isRecord(node)) return 1;
  const cost = known.costs.get(node);
  if (Number.isNaN(cost) || level > mostLevels)
    throw unusableSchema("$ref", "references that end, got one that leads back to itself");
  if (cost !== undefined) return cost;
  known.costs.set(node, Number.NaN);
  let sum = 1;
  for (const part of atSameValue(node, known.references)) sum += costOf(part, known, level + 1);
  if (sum > mostSteps)
    throw unusableSchema("#", `at most ${mostSteps} steps for one value: it multiplies alternatives`);
  known.costs.set(node, sum);
  return sum;
}

/** The schemas that are asked about the same value as `node`. */
function atSameValue(node: JsonSchema, references: Readonly<Record<string, unknown>>): unknown[] {
  const lists = [node.allOf, node.anyOf, node.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const maps = [node.dependentSchemas, node.dependencies].flatMap((map) => (isRecord(map) ? Object.values(map) : []));
  const target = typeof node.$ref === "string" ? [references[node.$ref]] : [];
  return [...lists, ...maps, ...target, node.not, node.if, node.then, node.else];
}
