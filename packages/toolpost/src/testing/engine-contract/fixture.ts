// What the tests of an engine share: one store, the engines opened on it, a clock moved by hand.
// It waits for what is to be true by turns of the event loop, never for time.

import assert from "node:assert/strict";
import type {
  Engine,
  Flow,
  PauseRecord,
  PauseRequest,
  RunOrder,
  RunRecord,
  ServeOptions,
  Serving,
} from "../../core/run.ts";
import type { Json } from "../../std/json.ts";
import { seconds } from "../../std/units.ts";
import type { FakeClock } from "../fake-clock.ts";
import { fakeClock } from "../fake-clock.ts";
import type { ContractOptions, EngineStore } from "./engine-store.ts";

export type Check = (fixture: Fixture) => Promise<void>;

const noon: number = Date.UTC(2026, 0, 1, 12);

export class Fixture {
  readonly clock: FakeClock = fakeClock(noon);
  readonly #store: EngineStore;
  readonly #engines: Engine[] = [];
  readonly #clocks: FakeClock[] = [this.clock];

  constructor(store: EngineStore) {
    this.#store = store;
  }

  /** An engine on the store, by the fixture's clock. */
  async open(options: ContractOptions = {}): Promise<Engine> {
    const engine = await this.#store.open({ clock: this.clock, lease: seconds(30), ...options });
    this.#engines.push(engine);
    return engine;
  }

  /** An engine by a clock of its own, as if on another machine. */
  async openApart(clock: FakeClock): Promise<Engine> {
    this.#clocks.push(clock);
    return this.open({ clock });
  }

  /** Steps that a test left hanging are not waited for. */
  async close(): Promise<void> {
    const closing = Promise.all(this.#engines.map((engine) => engine.close()));
    for (const clock of this.#clocks) await clock.advance(seconds(11));
    await closing;
  }
}

/** Waits until the check gives something, for as many turns of the event loop as it takes. */
export async function until<T>(check: () => T | Promise<T>, what = "what is waited for"): Promise<NonNullable<T>> {
  const limit = Date.now() + 10_000;
  for (;;) {
    const found = await check();
    if (found) return found;
    assert.ok(Date.now() < limit, `${what} did not come in 10 s`);
    await turn();
  }
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Starts a run, by default of the flow `flow`, and gives how it ended. */
export async function runOnce(engine: Engine, flow: Flow, order: Partial<RunOrder> = {}): Promise<RunRecord> {
  const { runId = "r", flow: name = "flow" } = order;
  await engine.start({ input: null, ...order, flow: name, runId });
  const serving = await engine.serve({ [name]: flow });
  const record = await engine.result(runId);
  await serving.close();
  return record;
}

export async function begin(
  engine: Engine,
  flow: Flow,
  { runId = "r", input = null, flow: name = "flow", ...order }: Partial<RunOrder> = {},
  options: ServeOptions = {},
): Promise<Serving> {
  await engine.start({ flow: name, runId, input, ...order });
  return engine.serve({ [name]: flow }, options);
}

/** Waits until so many pauses wait under a run. */
export function paused(engine: Engine, count: number, under = "r"): Promise<readonly PauseRecord[]> {
  return until(async () => {
    const pauses = await engine.pauses({ under });
    return pauses.length === count ? pauses : undefined;
  }, `${count} pauses`);
}

/** Waits until the run is in that state. */
export function inState(engine: Engine, state: RunRecord["state"], runId = "r"): Promise<RunRecord> {
  return until(async () => {
    const record = await engine.status(runId);
    return record?.state === state ? record : undefined;
  }, `state ${state} of ${runId}`);
}

export function ask(data: Json = null, more: { readonly id?: string; readonly expiresAt?: number } = {}): PauseRequest {
  return { kind: "question", data, ...more };
}

/** Something that a step waits for until the test says so. */
export class Held<T = void> {
  readonly begun: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #released: PromiseWithResolvers<T> = Promise.withResolvers();

  /** For the step. */
  wait(): Promise<T> {
    this.begun.resolve();
    return this.#released.promise;
  }

  release(value: T): void {
    this.#released.resolve(value);
  }
}
