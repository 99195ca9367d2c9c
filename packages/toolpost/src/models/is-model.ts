// What passes for a model: the loop's own kind, or an AI SDK language model of specification v2, v3 or v4.
// Looked at when an application is put together, so it must not need what calls models.

import type { LanguageModel, Model } from "../core/model.ts";

/** A model as the loop calls it. */
export function isModel(model: unknown): model is Model {
  // A function has a `call` too: `openai` instead of `openai("gpt-5.2")`.
  const { call, id } = (typeof model === "object" && model !== null ? model : {}) as Partial<Model>;
  return typeof call === "function" && typeof id === "string";
}

/** A model of an AI SDK provider. */
export function isLanguageModel(model: unknown): model is LanguageModel {
  const { specificationVersion, doGenerate, doStream } = Object(model) as Partial<LanguageModel>;
  return versions.has(specificationVersion) && typeof doGenerate === "function" && typeof doStream === "function";
}

export const versions: ReadonlySet<unknown> = new Set(["v2", "v3", "v4"]);
