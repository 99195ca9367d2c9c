// The tool by which a model gives its structured final answer.
// The framework's own: it takes the answer and does nothing else.

import { compileSchema } from "../author/compile-schema.ts";
import { dtoClassName } from "../author/dto-class.ts";
import { sanitizeName } from "../core/name.ts";
import { ok } from "../core/result.ts";
import type { Schema } from "../core/schema.ts";
import type { Tool } from "../core/tool.ts";

/**
 * The parsed answer is the result's `data`. `name` is that of the schema (of a DTO class its own, else its title), or
 * else of the agent.
 */
export function answerTool(schema: Schema, agentName: string): Tool<unknown> {
  const { jsonSchema, validate } = compileSchema(schema, "input");
  const title = dtoClassName(schema) || (typeof jsonSchema.title === "string" && jsonSchema.title) || agentName;
  return {
    name: `answer-${kebab(title)}`.slice(0, 64),
    description: "Gives the final answer. Call it once, when everything else is done.",
    inputSchema: jsonSchema,
    source: "agent",
    annotations: { readOnly: true },
    validateInput: validate,
    execute: (answer) => ok("The answer was received.", answer),
  };
}

function kebab(title: string): string {
  const words = title.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
  return sanitizeName(words).replaceAll("_", "-");
}
