// Standard input as one text, for arguments and messages that come from another program.
// It must not hang in silence: a pipe that nobody closes is told of.

import type { CommandCall } from "./command.ts";
import { untilInterrupted } from "./interrupt.ts";

const PATIENCE_MS = 1_000;

/** All of standard input, decoded as UTF-8 without a byte order mark. `what` stands in the hint when nothing comes. */
export async function readStandardInput({ io, terminal }: CommandCall, what: string): Promise<string> {
  const hint = setTimeout(
    () => terminal.tell(`reading ${what} from standard input until its end …`, "dim"),
    PATIENCE_MS,
  );
  try {
    return await untilInterrupted(readAll(io.stdin), io.interrupt);
  } finally {
    clearTimeout(hint);
  }
}

async function readAll(stream: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}
