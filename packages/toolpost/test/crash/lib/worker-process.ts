// Worker processes as the harness holds them: started from one bundle, listened to, and always brought to an end.
// It must leave none behind, whatever fails.

import type { ChildProcess } from "node:child_process";
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { FromWorker, ToWorker, WorkerOrder } from "./order.ts";

/** Folder of all files of this run of the harness. */
export const scratch: string = mkdtempSync(join(tmpdir(), "toolpost-crash-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const bundle = join(scratch, "bundle");
/** What they load is compiled once. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(scratch, "compiled") };

/** Hundreds of processes are started: they load what they need, and no types. */
export async function bundleWorker(): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, "../worker.ts")],
    outdir: bundle,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node24",
    logLevel: "error",
  });
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly errors: string;
}

type Of<Type> = Extract<FromWorker, { readonly type: Type }>;

export class WorkerProcess {
  readonly exit: Promise<Exit>;
  readonly said: FromWorker[] = [];
  readonly #child: ChildProcess;
  readonly #listeners = new Set<(message: FromWorker) => void>();
  #errors = "";

  constructor(order: WorkerOrder) {
    this.#child = fork(join(bundle, "worker.mjs"), [JSON.stringify(order)], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      execArgv: [],
      env,
    });
    alive.add(this.#child);
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors += text;
    });
    this.#child.on("message", (message: FromWorker) => {
      this.said.push(message);
      for (const listener of [...this.#listeners]) listener(message);
    });
    this.exit = new Promise((resolve) => {
      this.#child.on("close", (code, signal) => {
        alive.delete(this.#child);
        resolve({ code, signal, errors: this.#errors });
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  onMessage(listener: (message: FromWorker) => void): void {
    this.#listeners.add(listener);
  }

  /** The first message of that type, also one that came before. Rejects when the process ends without it. */
  heard<Type extends FromWorker["type"]>(
    type: Type,
    isMeant: (message: Of<Type>) => boolean = () => true,
  ): Promise<Of<Type>> {
    const isIt = (message: FromWorker): message is Of<Type> => message.type === type && isMeant(message as Of<Type>);
    const found = this.said.find(isIt);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      this.onMessage((message) => isIt(message) && resolve(message));
      void this.exit.then(({ errors }) => reject(new Error(`the worker ended before it said \`${type}\`\n${errors}`)));
    });
  }

  tell(message: ToWorker): void {
    this.#child.send(message);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Asks it to close its application; gives how it ended. */
  async end(): Promise<Exit> {
    this.tell({ type: "end" });
    return this.exit;
  }
}

const alive = new Set<ChildProcess>();

/** Ends what a failure left. */
export function killAll(): void {
  for (const child of alive) child.kill("SIGKILL");
}

process.on("exit", killAll);
