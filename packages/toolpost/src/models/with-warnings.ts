// A model whose warnings are told: what a provider or its specification cannot be given, and what was sent instead.
// It must not tell the same twice: a warning comes with every request that has the same cause.

import type { Model, ModelReply, ModelRequest } from "../core/model.ts";
import type { ModelCall } from "./asked-model.ts";
import { AskedModel, askOf } from "./asked-model.ts";

/** The same model; `tell` hears each warning of its replies once. What it throws fails the call. */
export function withWarnings(model: Model, tell: (warning: string) => void): Model {
  const teller = new Teller(tell);
  const ask = askOf(model);
  return new AskedModel(model, (call) => ask(new WarnedCall(call, teller)));
}

class WarnedCall implements ModelCall {
  readonly request: ModelRequest;
  readonly onDelta: ModelCall["onDelta"];
  readonly #call: ModelCall;
  readonly #teller: Teller;

  constructor(call: ModelCall, teller: Teller) {
    this.request = call.request;
    this.onDelta = call.onDelta;
    this.#call = call;
    this.#teller = teller;
  }

  done(reply: ModelReply): void {
    try {
      if (reply.warnings !== undefined) this.#teller.tellNew(reply.warnings);
    } catch (error) {
      return this.#call.failed(error);
    }
    this.#call.done(reply);
  }

  failed(error: unknown): void {
    this.#call.failed(error);
  }
}

class Teller {
  readonly #tell: (warning: string) => void;
  readonly #told = new Set<string>();

  constructor(tell: (warning: string) => void) {
    this.#tell = tell;
  }

  tellNew(warnings: readonly string[]): void {
    for (const warning of warnings) {
      if (this.#told.has(warning) || this.#told.size >= mostWarnings) continue;
      this.#told.add(warning);
      this.#tell(warning);
    }
  }
}

/** A provider may put changing text into its warnings; an application lives long. */
const mostWarnings = 256;
