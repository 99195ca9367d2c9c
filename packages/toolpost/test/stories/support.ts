// What the stories share: an agent on a scripted model, and a log that is kept instead of printed.

import assert from "node:assert/strict";
import type { Agent, AgentOptions } from "../../src/agent/define-agent.ts";
import { defineAgent } from "../../src/agent/define-agent.ts";
import type { AppOptions } from "../../src/app/app-options.ts";
import type { DirectCallOptions } from "../../src/app/call-options.ts";
import type { App } from "../../src/app/create-app.ts";
import { createApp } from "../../src/app/create-app.ts";
import { createToolkit } from "../../src/app/create-toolkit.ts";
import type { ToolkitOptions } from "../../src/app/toolkit.ts";
import type { LogEntry } from "../../src/core/govern.ts";
import type { ToolResult } from "../../src/core/result.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { memoryEngine } from "../../src/durable/sqlite/sqlite-engine.ts";
import type { ScriptedModel } from "../../src/models/scripted-model.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";

export type Replies = Parameters<typeof scriptedModel>[0];

export interface Desk {
  readonly app: App;
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly log: LogEntry[];
}

/** An application with one agent whose model says `replies`. */
export function desk(
  replies: Replies,
  tools: readonly AnyTool[],
  more: {
    readonly agent?: Partial<AgentOptions<undefined>>;
    readonly app?: Partial<AppOptions>;
    readonly model?: Parameters<typeof scriptedModel>[1];
  } = {},
): Desk {
  const log: LogEntry[] = [];
  const model = scriptedModel(replies, more.model);
  const agent = defineAgent({ name: "desk", description: "Answers", model, tools, ...more.agent });
  // Whatever holds of a run holds of one that an engine keeps: `on-an-engine.test.ts` runs the stories so.
  const kept = process.env.TOOLPOST_STORIES === "kept" ? { engine: memoryEngine() } : {};
  const app = createApp({ agents: [agent], log: (entry) => void log.push(entry), ...kept, ...more.app });
  return { app, agent, model, log };
}

/** Calls one tool on a toolkit of its own. */
export async function callOnce(
  tool: AnyTool,
  input: unknown,
  { toolkit = {}, call = {} }: { readonly toolkit?: Partial<ToolkitOptions>; readonly call?: DirectCallOptions } = {},
): Promise<ToolResult> {
  const made = await createToolkit({ tools: [tool], log: () => undefined, ...toolkit });
  try {
    return await made.call(tool.name, input, call);
  } finally {
    await made.close();
  }
}

/** Everything of a run that a model or a person could read, as one text. */
export async function eventText(events: AsyncIterable<unknown>): Promise<string> {
  const seen: unknown[] = [];
  for await (const event of events) seen.push(event);
  return JSON.stringify(seen);
}

/** What comes within some turns of the event loop. */
export async function until<T>(check: () => Promise<T | undefined>): Promise<T> {
  const limit = Date.now() + 10_000;
  for (;;) {
    const found = await check();
    if (found !== undefined) return found;
    assert.ok(Date.now() < limit, "it did not come in 10 s");
    await new Promise(setImmediate);
  }
}
