// A process that ends before its command is done: no success, whatever code it is given, and not in silence.
// A configuration or a tool that calls `process.exit(0)` must not look like a result to the script that waits for one.

import { writeSync } from "node:fs";
import { exitCodes } from "./exit-code.ts";

/** Watches until the function it gives back is called. */
export function watchForEarlyEnd(): () => void {
  let isTold = false;
  const tell = (why: string): void => {
    if (!isTold) tellNow(`error: ended early: ${why}\n`);
    isTold = true;
  };
  const onStall = (): void => tell("what is awaited keeps nothing running, so it can never come");
  const onThrow = (): void => {
    // Node itself shows what was thrown.
    isTold = true;
  };
  const onExit = (code: number): void => {
    tell("the configuration or a tool called `process.exit()`; let it throw an error instead");
    if (code === exitCodes.ok) process.exitCode = exitCodes.failed;
  };
  process.once("beforeExit", onStall);
  process.once("uncaughtExceptionMonitor", onThrow);
  process.once("exit", onExit);
  return () => {
    process.off("beforeExit", onStall);
    process.off("uncaughtExceptionMonitor", onThrow);
    process.off("exit", onExit);
  };
}

/** At once: a process that ends waits for no stream. */
function tellNow(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // Nobody reads it; the exit code says it too.
  }
}
