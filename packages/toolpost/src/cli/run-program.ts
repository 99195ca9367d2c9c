// The process around the command: its streams, signals, and an end that neither cuts off output nor hangs.
// Standard output belongs to the command alone: what a configuration or a tool writes there, by `console.log` for one,
// goes to standard error, so that a result can be piped into the next program.

import { Writable } from "node:stream";
import type { CommandIo } from "./command-io.ts";
import { watchForEarlyEnd } from "./early-end.ts";
import { listenForSignals } from "./signals.ts";

/** How long something that a configuration or tool left running may go on after the command is done. */
const GRACE_MS = 500;

/** Runs `main` on this process and leaves its exit code to the process. */
export async function runProgram(main: (argv: readonly string[], io: CommandIo) => Promise<number>): Promise<void> {
  const stopWatching = watchForEarlyEnd();
  const signals = listenForSignals((code) => {
    stopWatching();
    process.exit(code);
  });
  const { stdin, stderr, env, stdout } = process;
  const io: CommandIo = {
    stdin,
    stdout: ownStandardOutput(),
    stderr,
    env,
    cwd: process.cwd(),
    isTerminal: { stdin: stdin.isTTY === true, stdout: stdout.isTTY === true, stderr: stderr.isTTY === true },
    columns: stdout.columns,
    interrupt: signals.interrupt,
    catchInterrupt: signals.catchInterrupt,
  };
  process.exitCode = signals.exitCode(await main(process.argv.slice(2), io));
  stopWatching();
  signals.done();
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
