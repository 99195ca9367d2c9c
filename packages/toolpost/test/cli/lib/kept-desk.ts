// A project whose application keeps its runs in a file, with a model that holds nothing of its own, so that any process
// goes on where another has stopped: it makes the calls that the message names as JSON, then says what they came to.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import type { App } from "../../../src/app/create-app.ts";
import type { RunOptions } from "../../../src/app/run-options.ts";
import type { RunResult } from "../../../src/core/run-result.ts";
import { project, source } from "./project.ts";
import { type Ended, runMain, type Surroundings } from "./run-main.ts";

/** A call that the model is to make. */
export interface Wanted {
  readonly name: string;
  readonly input?: unknown;
}

export interface Desk {
  readonly cwd: string;
  /** The command in this process, on an application of its own, as another process has one. */
  type(argv: readonly string[], more?: Partial<Surroundings>): Promise<Ended>;
  /** Likewise; whoever opens it closes it. */
  open(): Promise<App>;
  /** A run as far as it goes in an application that is closed then. */
  begin(calls: readonly Wanted[] | string, options?: RunOptions): Promise<RunResult>;
  /** On the same file, with further options of the application, as code. */
  with(more: string): Desk;
}

/** @param more options of the application, as code */
export function keptDesk(t: TestContext, more = ""): Desk {
  return deskAt(
    project(
      t,
      configuration.replace(place, () => more),
    ),
    more,
  );
}

let copies = 0;

function deskAt(cwd: string, more: string): Desk {
  /** A module is loaded once, so each use has a copy of its own. */
  const copy = (): string => {
    const name = `copy-${++copies}.ts`;
    const [imports = ""] = readFileSync(join(cwd, "toolpost.config.ts"), "utf8").split("\n", 1);
    writeFileSync(join(cwd, name), `${imports}\n${configuration.replace(place, () => more)}`);
    return name;
  };
  const open = async (): Promise<App> => (await import(pathToFileURL(join(cwd, copy())).href)).default as App;
  return {
    cwd,
    type: (argv, surroundings = {}) =>
      runMain([...argv, "--config", copy()], { env: { USER: "anna" }, ...surroundings, cwd }),
    open,
    with: (further) => deskAt(cwd, further),
    async begin(calls, options) {
      const app = await open();
      try {
        return await app.run("clerk", typeof calls === "string" ? calls : JSON.stringify(calls), options);
      } finally {
        await app.close();
      }
    },
  };
}

const place = "/* further options */";
const configuration = `
import { join } from "node:path";
import { sqlite } from "${source}/durable/sqlite/sqlite-engine.ts";
import { ask } from "${source}/core/result.ts";
import { systemClock } from "${source}/std/clock.ts";
import { milliseconds, minutes } from "${source}/std/units.ts";
const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 };
const said = (text) => ({ content: [{ type: "text", text }], finish: "stop", usage });
const model = { id: "desk:clerk", async call({ prompt }) {
  const last = prompt.at(-1);
  if (last.role === "tool") return said("It said: " + last.content.map(({ output }) => output.value).join(", "));
  const message = last.content[0].text;
  if (!message.startsWith("[")) return said("Heard: " + message);
  const calls = JSON.parse(message).map(({ name, input = {} }) => ({ type: "tool-call", toolCallId: "", toolName: name, input: JSON.stringify(input) }));
  return { content: calls, finish: "tool-calls", usage };
} };
const choose = { ...named("colour")[0], name: "choose",
  execute: (_input, ctx) => (ctx.answer === undefined ? ask({ question: "Which?", choices: ["red", "3", "blue"] }) : "chose " + ctx.answer) };
const clerk = defineAgent({ name: "clerk", description: "Does it", model, tools: [...named("add", "refund", "colour", "wait", "fail", "fatal"), choose] });
const file = join(import.meta.dirname, "runs.db");
export default createApp({ log: () => {}, agents: [clerk], engine: sqlite(file), ${place} });
`;
