// The one place where a tool's JSON Schema becomes what a provider takes.
// It must not change what is validated: arguments are always checked against the original. What a dialect cannot say is
// left out and reported, never sent to be refused.

import type { Dialect } from "../core/model.ts";
import type { JsonSchema } from "../core/schema.ts";
import { toGeminiSchema } from "./dialects/gemini.ts";
import { asOneObject } from "./dialects/one-object.ts";
import { toOpenAISchema } from "./dialects/openai.ts";
import type { NoteLoss, SchemaLoss } from "./dialects/schema-parts.ts";
import { NotStrict, toStrictSchema } from "./dialects/strict.ts";

export interface WireSchema {
  readonly schema: JsonSchema;
  /** As asked for, or `false` where the schema has no strict form. */
  readonly strict: boolean | undefined;
  readonly losses: readonly SchemaLoss[];
}

/** The input schema as the dialect has it. Does not change `schema`. */
export function toWireSchema(schema: JsonSchema, dialect: Dialect, strict?: boolean): WireSchema {
  // It tells a model nothing, and some providers refuse it.
  const { $schema: _, ...shown } = schema;
  if (dialect === "json-schema") return { schema: shown, strict, losses: [] };
  const losses: SchemaLoss[] = [];
  const noteLoss: NoteLoss = (path, what) => void losses.push({ path, what });
  const whole = asOneObject(shown, noteLoss);
  const root = dialect === "openai" ? toOpenAISchema(whole, noteLoss) : whole;
  if (dialect === "gemini") return { schema: toGeminiSchema(root, noteLoss), strict, losses };
  if (strict !== true) return { schema: root, strict, losses };
  const strictLosses: SchemaLoss[] = [];
  try {
    const made = toStrictSchema(root, dialect, (path, what) => void strictLosses.push({ path, what }));
    return { schema: made, strict, losses: [...losses, ...strictLosses] };
  } catch (error) {
    if (!(error instanceof NotStrict)) throw error;
    noteLoss(error.path, `\`strict\` is off: ${error.message}`);
    return { schema: root, strict: false, losses };
  }
}
