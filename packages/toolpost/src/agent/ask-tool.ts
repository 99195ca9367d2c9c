// The tool by which an agent's model asks a person: its owner, or through the application's channel.
// The framework's own: it asks, is entered again with the answer, and does nothing else.

import type { ToolContext } from "../core/context.ts";
import type { ToolAsk } from "../core/result.ts";
import { ask } from "../core/result.ts";
import type { JsonSchema, Validation } from "../core/schema.ts";
import type { AnyTool, Tool } from "../core/tool.ts";
import type { Json } from "../std/json.ts";

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    question: { type: "string", description: "One question, with what the person needs to know to answer it" },
    choices: { type: "array", items: { type: "string" }, description: "The possible answers, where there are few" },
  },
  required: ["question"],
  additionalProperties: false,
};

interface Question {
  readonly question: string;
  readonly choices?: readonly string[];
}

const tool: Tool<Question> = {
  name: "ask-user",
  description: "Asks the user and waits for the answer. For what only the user can say, and nothing else.",
  inputSchema,
  source: "agent",
  timeout: "none",
  annotations: { readOnly: true },
  validateInput: validate,
  execute: ({ question, choices }, ctx?: ToolContext): ToolAsk | Json =>
    ctx?.answer ?? ask(choices === undefined || choices.length === 0 ? { question } : { question, choices }),
};

export const askTool: AnyTool = Object.freeze(tool) as AnyTool;

function validate(input: unknown): Validation {
  const { question, choices = [] } = input as { readonly question?: unknown; readonly choices?: unknown };
  if (typeof question !== "string" || question.trim() === "") return invalid("question", "expected a text");
  if (!Array.isArray(choices) || !choices.every((choice) => typeof choice === "string"))
    return invalid("choices", "expected a list of texts");
  return { ok: true, value: choices.length === 0 ? { question } : { question, choices } };
}

function invalid(path: string, message: string): Validation {
  return { ok: false, issues: [{ path, message }] };
}
