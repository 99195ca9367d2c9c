// Ctrl-C while something is awaited that knows nothing of it: a configuration that loads, sources that connect.
// What takes a signal is given the signal; this is for the rest.

import { RunCancelledError } from "../core/run-errors.ts";
import { abortText, follow } from "../std/abort.ts";

/** The promise's outcome, or a `RunCancelledError` as soon as the signal fires. The promise itself goes on unheard. */
export function untilInterrupted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const letGo = follow(signal, (reason) => reject(new RunCancelledError(reason, abortText(reason))));
    promise.then(resolve, reject).finally(letGo);
  });
}
