// A thread as a model gets it, with the summaries made that are missing. What was made is given back, to be kept.
// It must not fail for a summary that cannot be made: the turn is left out, and the log says so.

import type { Log } from "../core/govern.ts";
import type { Message } from "../core/message.ts";
import { aborted, follow, LazyAbort, unlessAborted } from "../std/abort.ts";
import type { Clock } from "../std/clock.ts";
import { systemClock } from "../std/clock.ts";
import { formatDuration } from "../std/format.ts";
import type { HistoryPlan, HistoryPolicy, Summarise } from "./plan-history.ts";
import { historyMessages, planHistory, turnMessages } from "./plan-history.ts";

export interface CompactHistoryOptions {
  /** Summaries made before, by turn. */
  readonly known?: ReadonlyMap<number, string>;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly clock?: Clock;
  /** How long one summary may take, milliseconds; for ever without it. */
  readonly timeout?: number | undefined;
}

export interface CompactedHistory {
  readonly messages: readonly Message[];
  /** The summaries that were made for it, by turn. */
  readonly made: ReadonlyMap<number, string>;
}

/** Rejects with the signal's reason only. */
export async function compactHistory(
  messages: readonly Message[],
  policy: HistoryPolicy,
  options: CompactHistoryOptions,
): Promise<CompactedHistory> {
  const known = options.known ?? new Map<number, string>();
  const plan = planHistory(messages, policy);
  const made = await summariseMissing(messages, plan, { ...options, known, summarise: policy.summarise });
  return { messages: historyMessages(messages, plan, new Map([...known, ...made])), made };
}

/**
 * The summaries that the plan needs and nobody knows yet, all asked for at once; those that failed are missing. Without
 * `summarise` there are none. Rejects with the signal's reason only.
 */
export async function summariseMissing(
  messages: readonly Message[],
  plan: HistoryPlan,
  options: CompactHistoryOptions &
    Required<Pick<CompactHistoryOptions, "known">> & { readonly summarise: Summarise | undefined },
): Promise<ReadonlyMap<number, string>> {
  const { known, summarise } = options;
  const missing = plan.summarised.filter((turn) => !known.has(turn));
  if (summarise === undefined || missing.length === 0) return new Map();
  const texts = await Promise.all(
    missing.map((turn) => summariseTurn(turn, turnMessages(messages, plan, turn), { ...options, summarise })),
  );
  return new Map(missing.flatMap((turn, index) => (texts[index] === undefined ? [] : [[turn, texts[index]]])));
}

type SummariseTurnOptions = Omit<CompactHistoryOptions, "known"> & { readonly summarise: Summarise };

async function summariseTurn(
  turn: number,
  messages: readonly Message[],
  { summarise, signal, log, clock = systemClock, timeout }: SummariseTurnOptions,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const given = new LazyAbort();
  const letGo = follow(signal, (reason) => given.abort(reason));
  const late = timeout === undefined ? undefined : clock.schedule(timeout, () => given.abort(tooLong(timeout)));
  try {
    const text = await unlessAborted(summarise(messages, { signal: given.signal }), given);
    if (text !== aborted) return checked(text);
    if (!signal.aborted) throw given.reason;
  } catch (error) {
    // What an aborted summary throws is its way to stop.
    if (!signal.aborted) {
      const message = `turn ${turn + 1} of the thread has no summary and is left out of the prompt`;
      log({ level: "warn", message, error });
      return undefined;
    }
  } finally {
    late?.cancel();
    letGo();
  }
  throw signal.reason;
}

function tooLong(ms: number): DOMException {
  return new DOMException(`it took longer than ${formatDuration(ms)}`, "TimeoutError");
}

function checked(text: unknown): string {
  if (typeof text === "string" && text.trim() !== "") return text;
  throw new TypeError(`\`summarise\` must give a text that is not blank, and gave ${typeof text}`);
}
