// The deltas of a run on their way into its log of events. There are thousands of them, so each costs as little as it can:
// as long as nobody has read the log, those of one part are one event that grows; afterwards each is an event of its own.
// It must not change an event that somebody may hold.

import type { AgentEvent } from "../core/event.ts";
import type { ModelDelta } from "../core/model.ts";
import type { Broadcast } from "../std/async.ts";

export type TextDelta = AgentEvent & { readonly type: "text-delta" | "reasoning-delta" };

export class DeltaLog {
  readonly #events: Broadcast<AgentEvent>;
  /** The newest event of the log, where it may grow. */
  #growing: (TextDelta & { text: string }) | undefined = undefined;
  /** Whether events of their own were added that are to be joined. */
  #hasSingle = false;
  #joinedTo = 0;

  constructor(events: Broadcast<AgentEvent>) {
    this.#events = events;
  }

  /** Takes the delta into the newest event of the log; false where it must be one of its own. */
  grow(delta: ModelDelta & { readonly text: string }, step: number): boolean {
    const growing = this.#growing;
    if (growing === undefined || growing.type !== delta.type || growing.id !== delta.id || growing.step !== step)
      return false;
    const events = this.#events;
    if (events.isRead || events.items.at(-1) !== growing) return false;
    growing.text += delta.text;
    return true;
  }

  /** Adds an event that listeners hold: what grows is a copy of it. */
  add(event: TextDelta): void {
    if (this.#events.isRead) {
      this.#hasSingle = true;
      this.#events.push(event);
    } else {
      this.#growing = { ...event };
      this.#events.push(this.#growing);
    }
  }

  /** Late readers see each part of a finished step once, whole. */
  join(): void {
    this.#growing = undefined;
    if (this.#hasSingle) this.#events.compact(joined, this.#joinedTo);
    this.#hasSingle = false;
    this.#joinedTo = this.#events.items.length;
  }
}

/** Runs of deltas of one part, each as one event: a copy that the texts of all are added to. */
function joined(events: readonly AgentEvent[]): AgentEvent[] {
  const whole: AgentEvent[] = [];
  let open: (TextDelta & { text: string }) | undefined;
  for (const event of events) {
    if (event.type !== "text-delta" && event.type !== "reasoning-delta") {
      open = undefined;
      whole.push(event);
    } else if (open?.type === event.type && open.step === event.step && open.id === event.id) {
      open.text += event.text;
    } else {
      open = { ...event };
      whole.push(open);
    }
  }
  return whole;
}
