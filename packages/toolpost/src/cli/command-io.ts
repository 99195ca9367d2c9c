// The outside of the program as the commands see it, so that tests can put their own in its place.
// Types only.

import type { Readable, Writable } from "node:stream";

/** Streams, environment and place of a command. Nothing else of the process is read or written. */
export interface CommandIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; configuration is looked for here, and relative paths start here. */
  readonly cwd: string;
  /** Which of the three a person sits at. */
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  /** Characters in a line of the terminal, where standard output is one. */
  readonly columns?: number | undefined;
  /** Aborted by the first signal to end, Ctrl-C for one. */
  readonly interrupt?: AbortSignal;
  /** Gives the next Ctrl-C to the listener in place of `interrupt`; the function it gives says that this is done with. */
  readonly catchInterrupt?: (listener: () => void) => () => void;
}
