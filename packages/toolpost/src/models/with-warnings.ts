// A model whose warnings are told: what a provider or its specification cannot be given, and what was sent instead.
// It must not tell the same twice: a warning comes with every request that has the same cause.

import type { Model } from "../core/model.ts";
import { AskedModel, askOf } from "./asked-model.ts";

/** The same model; `tell` hears each warning of its replies once. What it throws fails the call. */
export function withWarnings(model: Model, tell: (warning: string) => void): Model {
  const told = new Set<string>();
  const tellNew = (warnings: readonly string[]): void => {
    for (const warning of warnings) {
      if (told.has(warning) || told.size >= mostWarnings) continue;
      told.add(warning);
      tell(warning);
    }
  };
  const ask = askOf(model);
  return new AskedModel(model, ({ request, onDelta, done, failed }) =>
    ask({
      request,
      onDelta,
      done: (reply) => {
        try {
          if (reply.warnings !== undefined) tellNew(reply.warnings);
        } catch (error) {
          return failed(error);
        }
        done(reply);
      },
      failed,
    }),
  );
}

/** A provider may put changing text into its warnings; an application lives long. */
const mostWarnings = 256;
