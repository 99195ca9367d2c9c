// Shows a run while it goes on: text on standard output, a line per tool call and progress on standard error.
// With `--json` standard output is left to the result.

import type { AgentEvent } from "../core/event.ts";
import type { RunResult } from "../core/run-result.ts";
import { encodeJson } from "../std/json.ts";
import { visible } from "../std/text.ts";
import type { CommandCall } from "./command.ts";
import { callLine, progressLine } from "./progress-line.ts";

/** One per run. Events are shown in order, one after the other is awaited. */
export class RunOutput {
  readonly #call: CommandCall;
  readonly #isJson: boolean;
  readonly #isQuiet: boolean;
  /** Which part of which step the last text was of. */
  #part = "";
  /** The last character written, empty at the start of a line. */
  #last = "";
  /** The first half of a character whose other half is still to come. */
  #half = "";

  constructor(call: CommandCall) {
    this.#call = call;
    this.#isJson = call.switches.has("json");
    this.#isQuiet = call.switches.has("quiet");
  }

  async show(event: AgentEvent): Promise<void> {
    if (event.type === "text-delta") return this.#showText(event.text, `${event.step}/${event.id}`);
    const line = this.#isQuiet ? undefined : (callLine(event) ?? progressLine(event));
    // Both outputs share the screen: what the model said ends there before anything else is told.
    if (line !== undefined || event.type === "run-wait") await this.#endScreenLine();
    if (line !== undefined) this.#call.terminal.tell(line, "dim");
  }

  /** Ends the last line: the run has come to no result. */
  async breakOff(): Promise<void> {
    if (!this.#isJson) await this.#endLine();
  }

  /** Ends the last line, and prints a structured answer, which is no text of the model. */
  async end({ output }: RunResult): Promise<void> {
    if (this.#isJson) return;
    await this.#endLine();
    if (output !== undefined) await this.#call.terminal.print(`${encodeJson(output)}\n`);
  }

  async #showText(delta: string, part: string): Promise<void> {
    if (this.#isJson) return;
    if (part !== this.#part) await this.#endLine();
    this.#part = part;
    const joined = this.#half + delta;
    this.#half = /[\ud800-\udbff]$/.exec(joined)?.[0] ?? "";
    const text = joined.slice(0, joined.length - this.#half.length);
    if (text === "") return;
    const shown = this.#call.io.isTerminal.stdout ? visibleAfter(this.#last, text) : text;
    this.#last = text.endsWith("\n") ? "" : lastCharacter(text);
    await this.#call.terminal.print(shown);
  }

  async #endLine(): Promise<void> {
    this.#half = "";
    if (this.#last === "") return;
    this.#last = "";
    await this.#call.terminal.print("\n");
  }

  async #endScreenLine(): Promise<void> {
    if (this.#call.io.isTerminal.stdout) await this.#endLine();
  }
}

/** The text made visible as what follows `before`: some characters are harmless only after certain others. */
function visibleAfter(before: string, text: string): string {
  const options = { keepLineBreaks: true };
  return visible(before + text, options).slice(visible(before, options).length);
}

function lastCharacter(text: string): string {
  return String.fromCodePoint(text.codePointAt(text.length - (/[\udc00-\udfff]$/.test(text) ? 2 : 1)) ?? 0x20);
}
