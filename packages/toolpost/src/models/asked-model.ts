// A model in layers that cost no promise each: a layer asks the one below by callbacks, and one promise is made for all.
// It must answer exactly once, whatever the layers do, and take any other model for a layer too.

import type { Dialect, Model, ModelDelta, ModelReply, ModelRequest } from "../core/model.ts";

/** One request on its way down. One of `done` and `failed` is called, once; neither throws. */
export interface ModelCall {
  readonly request: ModelRequest;
  /** Absent where the reply is not streamed. What it throws fails the call. */
  readonly onDelta: ((delta: ModelDelta) => void) | undefined;
  done(reply: ModelReply): void;
  failed(error: unknown): void;
}

/** Must not throw: what goes wrong is told by `failed`. */
export type Ask = (call: ModelCall) => void;

/** A model that is asked so. */
export class AskedModel implements Model {
  readonly id: string;
  readonly dialect: Dialect | undefined;
  readonly ask: Ask;

  constructor({ id, dialect }: Pick<Model, "id" | "dialect">, ask: Ask) {
    this.id = id;
    this.dialect = dialect;
    this.ask = ask;
  }

  call(request: ModelRequest, onDelta?: (delta: ModelDelta) => void): Promise<ModelReply> {
    const call = new PromisedCall(request, onDelta);
    this.ask(call);
    return call.reply;
  }
}

class PromisedCall implements ModelCall {
  readonly request: ModelRequest;
  readonly onDelta: ModelCall["onDelta"];
  readonly reply: Promise<ModelReply>;
  #resolve!: (reply: ModelReply) => void;
  #reject!: (error: unknown) => void;

  constructor(request: ModelRequest, onDelta: ModelCall["onDelta"]) {
    this.request = request;
    this.onDelta = onDelta;
    this.reply = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  done(reply: ModelReply): void {
    this.#resolve(reply);
  }

  failed(error: unknown): void {
    this.#reject(error);
  }
}

/** The way to ask any model. */
export function askOf(model: Model): Ask {
  if (model instanceof AskedModel) return model.ask;
  return (call) => {
    try {
      Promise.resolve(model.call(call.request, call.onDelta)).then(
        (reply) => call.done(reply),
        (error: unknown) => call.failed(error),
      );
    } catch (error) {
      call.failed(error);
    }
  };
}
