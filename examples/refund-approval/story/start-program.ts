// A process of the story. Its lines go to the terminal under its name, and the story waits for them: nobody sleeps here.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { write } from "./tell.ts";

const folder = join(import.meta.dirname, "..");
const longestWait = 120_000;

export interface Program {
  /** The first line that matches, printed already or to come. Rejects when the process ends without it, or after two minutes. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends it at once with SIGKILL: nothing in it can notice. */
  kill(): Promise<void>;
  /** Asks it to stop with SIGTERM. Rejects where that is not what it does. */
  stop(): Promise<void>;
  /** Resolves when it has ended by itself. Rejects where its exit code is not 0. */
  done(): Promise<void>;
}

/** @param file relative to the folder of the example */
export function startProgram(name: string, file: string, args: readonly string[]): Program {
  // Its standard input is a pipe of ours: it ends when we do, and the program with it.
  const child = spawn(process.execPath, [file, ...args], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  const lines: string[] = [];
  const news = new EventTarget();
  const tellNews = (): void => void news.dispatchEvent(new Event("news"));
  createInterface({ input: child.stdout }).on("line", (line) => {
    write(`   ${name.padEnd(10)} ${line}\n`);
    lines.push(line);
    tellNews();
  });
  let end: string | undefined;
  // `close` comes after the last line.
  const ended = once(child, "close").then(([code, signal]) => {
    end = signal ?? `exit code ${code}`;
    tellNews();
  });

  async function done(): Promise<void> {
    await ended;
    if (end !== "exit code 0") throw new Error(`${name} ended with ${end}`);
  }

  return {
    async line(pattern) {
      const signal = AbortSignal.timeout(longestWait);
      for (;;) {
        const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null);
        if (found) return found;
        if (end !== undefined) throw new Error(`${name} ended with ${end} and no line that matches ${pattern}`);
        await once(news, "news", { signal }).catch(() => {
          throw new Error(`${name} printed no line that matches ${pattern} in ${longestWait / 1_000} s`);
        });
      }
    },
    kill() {
      child.kill("SIGKILL");
      return ended;
    },
    stop() {
      child.kill("SIGTERM");
      return done();
    },
    done,
  };
}
