// Validates with zod schemas that run code of their author. zod's own `~standard.validate` tries them synchronously
// first and drops the promise it meets: that code runs twice, and if the promise rejects the whole process ends.
// It must not slow down schemas without such code, which are nearly all: those are left to zod.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isPromiseLike } from "../std/soon.ts";

type Result = StandardSchemaV1.Result<unknown>;

/** `undefined` where zod's own validation is right, and for schemas of other libraries. */
export function zodValidate(schema: StandardSchemaV1): ((value: unknown) => Result | Promise<Result>) | undefined {
  const zod = schema as StandardSchemaV1 & ZodSchema;
  if (zod["~standard"].vendor !== "zod" || !runsOwnCode(zod, new Set())) return undefined;
  return (value) => {
    const outcome = zod._zod.run({ value, issues: [] }, { async: true });
    // An outcome holds its issues without their words; those only another run gives.
    if (!isPromiseLike(outcome))
      return outcome.issues.length === 0 ? { value: outcome.value } : zod["~standard"].validate(value);
    return Promise.resolve(outcome).then((settled) =>
      settled.issues.length === 0 ? { value: settled.value } : worded(zod, value),
    );
  };
}

/** The parts of a zod schema that are used here. Source: zod/v4/core. */
interface ZodSchema {
  readonly _zod: {
    readonly def: Readonly<Record<string, unknown>>;
    run(payload: Outcome, options: { readonly async: true }): Outcome | Promise<Outcome>;
  };
  safeParseAsync(value: unknown): Promise<{ readonly data?: unknown; readonly error?: StandardSchemaV1.FailureResult }>;
}

interface Outcome {
  readonly value: unknown;
  readonly issues: unknown[];
}

async function worded(zod: ZodSchema, value: unknown): Promise<Result> {
  const { data, error } = await zod.safeParseAsync(value);
  return error === undefined ? { value: data } : { issues: error.issues };
}

/** Whether a schema is of zod and runs no code of its author but for words and defaults. */
export function isPlainZod(schema: StandardSchemaV1): boolean {
  return schema["~standard"].vendor === "zod" && !runsOwnCode(schema, new Set(), wordsAndDefaults);
}

const wordsAndDefaults: ReadonlySet<string> = new Set(["error", "defaultValue", "getter", "when"]);

/** Functions of a definition that zod calls synchronously, or only for words. */
const harmless: ReadonlySet<string> = new Set(["error", "catchValue", "defaultValue", "getter", "tx", "when"]);

/** Whether validating may call a function that may give a promise: a refinement, a transform, a custom type. */
function runsOwnCode(part: unknown, seen: Set<unknown>, without: ReadonlySet<string> = harmless): boolean {
  if (typeof part !== "object" || part === null || seen.has(part)) return false;
  seen.add(part);
  const def = (part as Partial<ZodSchema>)._zod?.def;
  if (def === undefined) return Array.isArray(part) && part.some((item) => runsOwnCode(item, seen, without));
  if (def.check === "custom" || def.type === "promise") return true;
  if (def.type === "lazy") return runsOwnCode((def.getter as () => unknown)(), seen, without);
  // Harmless ones are not even read: a getter among them calls the author's function for a default.
  return Object.keys(def).some((key) => {
    if (without.has(key)) return false;
    const value = def[key];
    if (typeof value === "function") return true;
    return runsOwnCode(key === "shape" ? Object.values(value as object) : value, seen, without);
  });
}
