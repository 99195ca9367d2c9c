// Signals that ask the process to end: the first one cancels what is under way, so that all that was started is closed;
// the second one waits for nothing more. Servers that still run then are ended with the process.

import { exitCodes } from "./exit-code.ts";

export interface EndSignals {
  /** Aborted by the first one. */
  readonly interrupt: AbortSignal;
  /**
   * The next Ctrl-C is the listener's and counts as none. The function it gives says that what it meant is done: until
   * then one more ends the process at once, as a second signal does.
   */
  catchInterrupt(listener: () => void): () => void;
  /** The exit code of a command that a signal ended: 128 and the signal's number. Others stay as they are. */
  exitCode(code: number): number;
  /** The command is done: from here on the first signal ends the process at once, too. */
  done(): void;
}

/** Listens. `exit` ends the process at once. */
export function listenForSignals(exit: (code: number) => never): EndSignals {
  const interrupt = new AbortController();
  let first: EndSignal | undefined;
  let isDone = false;
  let catcher: { readonly listener: () => void; isCalled: boolean } | undefined;
  // Never taken away: the default ends the process without its `exit` event, in which servers are ended.
  for (const name of Object.keys(codes) as EndSignal[]) {
    process.on(name, () => {
      if (first !== undefined || isDone || catcher?.isCalled === true) exit(codes[name]);
      if (name === "SIGINT" && catcher !== undefined) {
        catcher.isCalled = true;
        return catcher.listener();
      }
      first = name;
      interrupt.abort(name === "SIGINT" ? "interrupted" : `ended by ${name}`);
    });
  }
  return {
    interrupt: interrupt.signal,
    catchInterrupt(listener) {
      const mine = { listener, isCalled: false };
      catcher = mine;
      return () => {
        if (catcher === mine) catcher = undefined;
      };
    },
    exitCode: (code) => (first !== undefined && code === exitCodes.cancelled ? codes[first] : code),
    done() {
      isDone = true;
    },
  };
}

const codes = { SIGINT: exitCodes.cancelled, SIGTERM: 143, SIGHUP: 129 } as const;

type EndSignal = keyof typeof codes;
