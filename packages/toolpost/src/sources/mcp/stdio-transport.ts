// A server's process, spoken to over its standard input and output, one JSON message a line.
// Beyond the client package's own transport it ends what the server started too (`npx`, `sh`), waits until that is gone,
// knows how it ended, and says when a message cannot have arrived.
// Source: MCP specification 2025-11-25, basic/transports (stdio) and basic/lifecycle (shutdown).

import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { systemClock, type Timer } from "../../std/clock.ts";
import { formatInteger } from "../../std/format.ts";
import type { ClientPackage } from "./client-package.ts";
import { LineBuffer } from "./line-buffer.ts";
import { holdGroup, releaseGroup, signalGroup } from "./live-groups.ts";
import { insteadOfMalformed } from "./malformed-answer.ts";
import { startProblem } from "./start-problem.ts";

export interface StdioLaunch {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** `undefined`: this process's own. */
  readonly cwd: string | undefined;
  /** Milliseconds to end by itself: once after its input ended, once more after SIGTERM. */
  readonly graceMs: number;
  /** Bytes of one message; a larger one ends the connection. */
  readonly maxMessageSize: number;
  onStderr(text: string): void;
}

/** A transport that knows why it ended, in words that follow the server's name. */
export interface ServerTransport extends Transport {
  readonly ending?: string | undefined;
}

/** A message that did not reach the server whole, so that nothing of it can have been done. */
export class NotDeliveredError extends Error {
  override readonly name = "NotDeliveredError";
}

/** Milliseconds for the rest of the output, and for what the server left behind, once its process is gone. */
const leftoverMs = 500;

/** Milliseconds between two looks whether something is left behind. */
const lookMs = 10;

/** For systems with process groups: all but Windows. */
export class StdioTransport implements ServerTransport {
  onclose: (() => void) | undefined = undefined;
  onerror: ((error: Error) => void) | undefined = undefined;
  onmessage: ((message: JSONRPCMessage) => void) | undefined = undefined;
  ending: string | undefined = undefined;

  readonly #sdk: ClientPackage;
  readonly #launch: StdioLaunch;
  readonly #buffer: LineBuffer;
  readonly #lines: string[] = [];
  readonly #over: PromiseWithResolvers<void> = Promise.withResolvers();
  #child: ChildProcessWithoutNullStreams | undefined = undefined;
  #hasExited = false;
  #isOver = false;
  #isDelivering = false;
  #leftover: Timer | undefined = undefined;
  #look: Timer | undefined = undefined;
  #closing: Promise<void> | undefined = undefined;

  constructor(sdk: ClientPackage, launch: StdioLaunch) {
    this.#sdk = sdk;
    this.#launch = launch;
    this.#buffer = new LineBuffer(launch.maxMessageSize);
  }

  async start(): Promise<void> {
    const { spawn } = await import("node:child_process");
    if (this.#closing !== undefined) throw new Error("it was closed");
    const { command, args, env, cwd } = this.#launch;
    // A group of its own, so that it can be ended with all that it started.
    const child = spawn(command, args, { env, cwd, stdio: ["pipe", "pipe", "pipe"], detached: true });
    this.#child = child;
    if (child.pid !== undefined) holdGroup(child.pid);
    child.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.#launch.onStderr(text));
    // The write's own callback and the exit tell; without a listener this would end our process.
    child.stdin.on("error", () => undefined);
    child.once("exit", (code, signal) => this.#exited(code, signal));
    child.once("close", () => this.#finishOnceAlone());
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.on("error", (error) => {
        if (child.pid === undefined) this.#finish();
        reject(error);
      });
    }).catch((error: unknown) => {
      throw new Error(startProblem(error, this.#launch));
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || this.#hasExited || !stdin.writable) {
      return Promise.reject(new NotDeliveredError("the server is not running"));
    }
    return new Promise((resolve, reject) => {
      stdin.write(this.#sdk.serializeMessage(message), (cause) => {
        if (cause === null || cause === undefined) resolve();
        else reject(new NotDeliveredError("the server stopped reading", { cause }));
      });
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** Asks the process to end, then tells it, then ends it. Resolves when it is gone. */
  async #end(): Promise<void> {
    if (this.#child?.pid === undefined || this.#isOver) return;
    this.#child.stdin.end();
    if (await this.#isOverWithin(this.#launch.graceMs)) return;
    this.#signal("SIGTERM");
    if (await this.#isOverWithin(this.#launch.graceMs)) return;
    this.#signal("SIGKILL");
    await this.#over.promise;
  }

  #isOverWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = systemClock.schedule(ms, () => resolve(false));
      void this.#over.promise.then(() => {
        timer.cancel();
        resolve(true);
      });
    });
  }

  /** To the whole group; false when nobody of it is left. */
  #signal(name: NodeJS.Signals | 0): boolean {
    const pid = this.#child?.pid;
    return pid !== undefined && signalGroup(pid, name);
  }

  #receive(chunk: Buffer): void {
    try {
      this.#lines.push(...this.#buffer.push(chunk));
    } catch {
      this.ending ??= `it sent a message of more than ${formatInteger(this.#launch.maxMessageSize)} bytes`;
      void this.close();
    }
    if (!this.#isDelivering) void this.#deliver();
  }

  /**
   * One message, then whatever it set going, then the next: the client package handles notifications a microtask late,
   * and would forget a progress whose call's result came in the same chunk.
   */
  async #deliver(): Promise<void> {
    this.#isDelivering = true;
    for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) {
      const message = this.#read(line);
      if (message !== undefined) this.onmessage?.(message);
      await undefined;
    }
    this.#isDelivering = false;
  }

  /** Servers that print what is no message to their standard output are common; that is passed over. */
  #read(line: string): JSONRPCMessage | undefined {
    try {
      return this.#sdk.deserializeMessage(line);
    } catch (error) {
      if (!(error instanceof SyntaxError)) this.onerror?.(error as Error);
      return insteadOfMalformed(line);
    }
  }

  #exited(code: number | null, signal: string | null): void {
    this.#hasExited = true;
    this.ending ??= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
    // However it ended, what it started ends with it; that may hold its output open for ever.
    this.#signal("SIGTERM");
    this.#leftover = systemClock.schedule(leftoverMs, () => {
      this.#signal("SIGKILL");
      // What was killed is gone a moment later; what cannot be is not waited for.
      this.#leftover = systemClock.schedule(leftoverMs, () => this.#finish());
      this.#look?.cancel();
      this.#finishOnceAlone();
    });
  }

  /** Its output has ended: over once nobody of its group is left, which is at once for most servers. */
  #finishOnceAlone(): void {
    if (this.#isOver) return;
    if (!this.#signal(0)) this.#finish();
    else this.#look = systemClock.schedule(lookMs, () => this.#finishOnceAlone());
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leftover?.cancel();
    this.#look?.cancel();
    if (this.#child?.pid !== undefined) releaseGroup(this.#child.pid);
    for (const stream of this.#child?.stdio ?? []) stream?.destroy();
    this.#buffer.clear();
    this.#over.resolve();
    this.onclose?.();
  }
}
