// Runs the command in this process, or as a process of its own, and hands back all that it wrote.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { PassThrough, Readable, type Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { CommandIo } from "../../../src/cli/command-io.ts";
import { main } from "../../../src/cli/main.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd: string;
  /** Standard input, at its end after this; a stream for what comes bit by bit. Default: empty. */
  readonly stdin?: string | Readable;
  /** Every stream is a terminal. */
  readonly isTerminal?: boolean;
  /** Lines typed, each after a question on standard error. */
  readonly answers?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly interrupt?: AbortController;
  readonly catchInterrupt?: CommandIo["catchInterrupt"];
  /** In place of a standard output that takes everything. */
  readonly stdout?: Writable;
  /** Called with everything standard error holds so far, each time it grows. */
  readonly onStderr?: (text: string) => void;
}

/** In this process. */
export async function runMain(argv: readonly string[], surroundings: Surroundings): Promise<Ended> {
  const { cwd, isTerminal = false, env = {}, columns, interrupt } = surroundings;
  const stdin = inputOf(surroundings);
  const heard = new PassThrough();
  const stdout = surroundings.stdout ?? heard;
  const stderr = new PassThrough();
  const printed = text(heard);
  const told = hear(stderr, surroundings, stdin);
  const io: CommandIo = {
    stdin,
    stdout,
    stderr,
    env,
    cwd,
    isTerminal: { stdin: isTerminal, stdout: isTerminal, stderr: isTerminal },
    ...(columns === undefined ? {} : { columns }),
    ...(interrupt === undefined ? {} : { interrupt: interrupt.signal }),
    ...(surroundings.catchInterrupt && { catchInterrupt: surroundings.catchInterrupt }),
  };
  const code = await main(argv, io);
  heard.end();
  stderr.end();
  return { code, stdout: await printed, stderr: await told };
}

/** As a process of its own; the third argument hears standard error and may act on the process. */
export function runCommand(
  argv: readonly string[],
  {
    cwd,
    stdin = "",
    env = {},
  }: { readonly cwd: string; readonly stdin?: string; readonly env?: Readonly<Record<string, string>> },
  onStderr: (text: string, child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const { NODE_TEST_CONTEXT: _, NO_COLOR: __, ...inherited } = process.env;
  const entry = join(import.meta.dirname, "../../../src/cli/main.ts");
  const child = spawn(process.execPath, [entry, ...argv], {
    cwd,
    env: { ...inherited, ...env },
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  child.stdin.on("error", () => undefined).end(stdin);
  // A test may close it before its end.
  const printed = text(child.stdout).catch(() => "");
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    told += chunk;
    onStderr(told, child);
  });
  return new Promise((resolve) =>
    child.once("close", (code) => void printed.then((stdout) => resolve({ code, stdout, stderr: told }))),
  );
}

function inputOf({ stdin = "", answers }: Surroundings): Readable {
  if (answers !== undefined) return new PassThrough();
  return typeof stdin === "string" ? Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]) : stdin;
}

/** Everything told, once the stream has ended. Each question in it (they end in `: `, a prompt is `> `) gets the next answer. */
function hear(stderr: PassThrough, { answers = [], onStderr }: Surroundings, stdin: Readable): Promise<string> {
  const left = [...answers];
  let told = "";
  stderr.setEncoding("utf8").on("data", (chunk: string) => {
    told += chunk;
    onStderr?.(told);
    if (!/[:>] $/.test(told) || !(stdin instanceof PassThrough)) return;
    const answer = left.shift();
    if (answer === undefined) stdin.end();
    else stdin.write(`${answer}\n`);
  });
  return new Promise((resolve) => stderr.once("end", () => resolve(told)));
}
