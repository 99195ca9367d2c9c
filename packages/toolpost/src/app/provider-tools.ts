// A toolkit's tools in the shapes of the providers' own APIs, for programs that call those themselves.
// Names and schemas are those of the wire: aliases where a name is illegal, the dialect's schema, losses logged.
// Source: the API references of OpenAI (Responses, Chat Completions), Anthropic (Messages) and Gemini (FunctionDeclaration).

import type { Catalog } from "../core/catalog.ts";
import type { JsonSchema } from "../core/schema.ts";
import { encodeJson } from "../std/json.ts";

export interface OpenAITool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly strict: boolean;
}

export interface OpenAIChatTool {
  readonly type: "function";
  readonly function: Omit<OpenAITool, "type">;
}

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema & { readonly type: "object" };
  readonly strict?: true;
}

export interface GeminiTool {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: JsonSchema;
}

export function openAITools(catalog: Catalog): OpenAITool[] {
  return catalog.wire("openai").map(({ name, description, inputSchema, strict = false }) => {
    // Left out, the Responses API would try to be strict by itself.
    return { type: "function", name, description, parameters: inputSchema, strict };
  });
}

export function openAIChatTools(catalog: Catalog): OpenAIChatTool[] {
  return openAITools(catalog).map(({ type, ...definition }) => ({ type, function: definition }));
}

export function anthropicTools(catalog: Catalog): AnthropicTool[] {
  return catalog.wire("anthropic").map(({ name, description, inputSchema, strict }) => {
    return { name, description, input_schema: { ...inputSchema, type: "object" }, ...(strict === true && { strict }) };
  });
}

export function geminiTools(catalog: Catalog): GeminiTool[] {
  return catalog.wire("gemini").map(({ name, description, inputSchema }) => {
    return { name, description, parametersJsonSchema: inputSchema };
  });
}

/** Arguments of a strict tool may hold `null` for what was left out. */
export function inputFromOpenAI(catalog: Catalog, name: string, input: unknown): unknown {
  const text = typeof input === "string" ? input : encodeJson(input);
  const own = catalog.inputFromWire(name, text, "openai");
  return own === text ? input : own;
}
