// A model as anybody names it, opened: a string by the provider package it stands for, an object as what it is.
// It attends to nothing: retries and warnings are for whoever uses it.

import type { LanguageModel, Model } from "../core/model.ts";
import { toModel } from "../models/to-model.ts";

/** Rejects with `ModelError`, `model.missing-package` or `model.unknown-string`. */
export async function openModel(model: string | LanguageModel | Model): Promise<Model> {
  if (typeof model !== "string") return toModel(model);
  const { modelFromString } = await import("../models/model-from-string.ts");
  return modelFromString(model, { directory: process.cwd(), env: process.env });
}
