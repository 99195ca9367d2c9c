// A scripted model's replies from a file, for `scripted:./file.yaml`: demonstrations and trials without a key.
// Everything in the file is checked before the first request, so that a slip is an error with its place and never
// a reply that is silently different. This is the only file that knows YAML.

import { ToolpostError } from "../core/errors.ts";
import { oneLine } from "../std/text.ts";
import type { Check } from "./check-value.ts";
import { fields, list, oneOf, pattern, refuse, text, Unfit, wholeNumber, yes } from "./check-value.ts";
import type { ScriptedModel, ScriptedModelOptions, ScriptedStep } from "./scripted-model.ts";
import { scriptedModel } from "./scripted-model.ts";

/**
 * The scripted model of a YAML (or JSON) file: a list of replies, or `replies:` with such a list. A reply is a text, or
 * the fields of ScriptedReply; in `when` and `expect` a text must be contained, `/…/i` is a regular expression.
 * Rejects with ToolpostError `scripted.file-invalid`, with the path of what is wrong, such as `replies[2].calls[0].name`.
 * @param file absolute path; its name without ending becomes the model's id
 * @example
 * - when: { lastUser: /refund/i }
 *   calls: [{ name: lookup_order, input: { orderId: o-1 } }]
 * - expect: { lastResult: paid }
 *   text: Your order is paid.
 */
export async function scriptedFile(file: string, options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const { basename, extname } = await import("node:path");
  const replies = toReplies(await readYaml(file), file);
  return scriptedModel(replies, { modelId: basename(file, extname(file)), ...options });
}

async function readYaml(file: string): Promise<unknown> {
  const [{ readFile }, { parse }] = await Promise.all([import("node:fs/promises"), import("yaml")]);
  try {
    // No warnings on the console; what matters is thrown.
    return parse(await readFile(file, "utf8"), { logLevel: "error" });
  } catch (error) {
    throw invalid(file, error instanceof Error ? oneLine(error.message) : String(error), error);
  }
}

function toReplies(content: unknown, file: string): ScriptedStep[] {
  try {
    const replies = Array.isArray(content) ? content : (root(content, "") as { readonly replies: unknown }).replies;
    return list(reply)(replies, "replies") as ScriptedStep[];
  } catch (error) {
    throw error instanceof Unfit ? invalid(file, error.message) : error;
  }
}

const root: Check = fields({ replies: (value) => value });

const reply: Check = (value, path) => (typeof value === "string" ? value : replyFields(value, path));

const match: Check = fields({ lastUser: pattern, lastResult: pattern, system: pattern, tools: list(text) });

const tokens: Check = wholeNumber(0);

const replyFields: Check = fields({
  text,
  reasoning: text,
  calls: list(fields({ name: text, id: text, input }, ["name"])),
  finish: oneOf("stop", "length", "content-filter", "tool-calls", "error", "other"),
  usage: fields({ inputTokens: tokens, outputTokens: tokens, reasoningTokens: tokens, cachedInputTokens: tokens }),
  error: (value, path) => (typeof value === "string" ? value : yes(value, path)),
  cut: yes,
  delayMs: wholeNumber(0),
  chunks: wholeNumber(1),
  when: match,
  expect: match,
  repeat: yes,
});

function input(value: unknown, path: string): unknown {
  if (typeof value === "string" || (typeof value === "object" && value !== null)) return value;
  return refuse(path, "a mapping, or the raw text of the arguments", value);
}

function invalid(file: string, problem: string, cause?: unknown): ToolpostError {
  return new ToolpostError("scripted.file-invalid", `${file}: ${problem}`, { cause, data: { file } });
}
