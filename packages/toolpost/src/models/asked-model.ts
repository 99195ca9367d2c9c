// A model in layers that cost no promise each: a layer asks the one below by callbacks, and one promise is made for all.
// It must answer exactly once, whatever the layers do, and take any other model for a layer too.

import type { Dialect, Model, ModelDelta, ModelReply, ModelRequest } from "../core/model.ts";
import { ModelError } from "../core/run-errors.ts";
import type { AbortSource } from "../std/abort.ts";
import { AbortListener, abortSourceOf } from "../std/abort.ts";

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
  return (call) => new ForeignCall(call).start(model);
}

/** A request of a model of the application's own: nobody waits for it after an abort, whatever it does with the signal. */
class ForeignCall extends AbortListener {
  readonly #call: ModelCall;
  readonly #abort: AbortSource;
  #isOver = false;

  constructor(call: ModelCall) {
    super();
    this.#call = call;
    this.#abort = call.request.abort ?? abortSourceOf(call.request.signal);
  }

  start(model: Model): void {
    const { request, onDelta } = this.#call;
    this.#abort.listen(this);
    // What comes after the end is nobody's.
    const show = onDelta && ((delta: ModelDelta): void => void (this.#isOver || onDelta(delta)));
    try {
      Promise.resolve(model.call(request, show)).then(
        (reply) => this.#end(reply, model.id),
        (error: unknown) => this.#fail(error),
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  onAborted(reason: unknown): void {
    this.#fail(reason);
  }

  #end(reply: ModelReply, id: string): void {
    if (!Array.isArray(reply?.content) || typeof reply.usage !== "object" || reply.usage === null)
      return this.#fail(new ModelError("model.failed", `${id} gave no reply: \`content\` and \`usage\` are missing`));
    if (!this.#leave()) return;
    this.#call.done(reply);
  }

  #fail(error: unknown): void {
    if (this.#leave()) this.#call.failed(error);
  }

  #leave(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.letGo();
    return true;
  }
}
