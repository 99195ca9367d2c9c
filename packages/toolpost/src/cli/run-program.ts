// The process around the command: its streams, Ctrl-C, and an end that neither cuts off output nor hangs.
// Standard output belongs to the command alone: what a configuration or a tool writes there, by `console.log` for one,
// goes to standard error, so that a result can be piped into the next program.

import { Writable } from "node:stream";
import type { CommandIo } from "./command-io.ts";
import { exitCodes } from "./exit-code.ts";

/** How long something that a configuration or tool left running may go on after the command is done. */
const GRACE_MS = 500;

/** Runs `main` on this process and leaves its exit code to the process. */
export async function runProgram(main: (argv: readonly string[], io: CommandIo) => Promise<number>): Promise<void> {
  // Should the process end before `main` does, that is no success.
  process.exitCode = exitCodes.failed;
  const tellStall = (): void =>
    void process.stderr.write("error: ended early: what is awaited keeps nothing running, so it can never come\n");
  process.once("beforeExit", tellStall);
  const interrupt = new AbortController();
  const onInterrupt = (): void => {
    if (interrupt.signal.aborted) process.exit(exitCodes.cancelled);
    interrupt.abort("interrupted");
  };
  process.on("SIGINT", onInterrupt);
  const { stdin, stderr, env, stdout } = process;
  const io: CommandIo = {
    stdin,
    stdout: ownStandardOutput(),
    stderr,
    env,
    cwd: process.cwd(),
    isTerminal: { stdin: stdin.isTTY === true, stdout: stdout.isTTY === true, stderr: stderr.isTTY === true },
    columns: stdout.columns,
    interrupt: interrupt.signal,
  };
  process.exitCode = await main(process.argv.slice(2), io);
  process.off("beforeExit", tellStall);
  process.off("SIGINT", onInterrupt);
  // `main` has written everything. Unreferenced: where nothing else runs, the process ends at once.
  setTimeout(() => process.exit(), GRACE_MS).unref();
}

function ownStandardOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // The callback of the write tells of it too; without a listener it would end the process.
  stdout.on("error", () => undefined);
  return new Writable({ decodeStrings: false, write: (chunk, encoding, done) => void write(chunk, encoding, done) });
}
