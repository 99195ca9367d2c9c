// A model whose warnings are told: what a provider or its specification cannot be given, and what was sent instead.
// It must not tell the same twice: a warning comes with every request that has the same cause.

import type { Model } from "../core/model.ts";

/** The same model; `tell` hears each warning of its replies once, and must not throw. */
export function withWarnings(model: Model, tell: (warning: string) => void): Model {
  const told = new Set<string>();
  return {
    id: model.id,
    dialect: model.dialect,
    async call(request, onDelta) {
      const reply = await model.call(request, onDelta);
      for (const warning of reply.warnings ?? []) {
        if (told.has(warning) || told.size >= mostWarnings) continue;
        told.add(warning);
        tell(warning);
      }
      return reply;
    },
  };
}

/** A provider may put changing text into its warnings; an application lives long. */
const mostWarnings = 256;
