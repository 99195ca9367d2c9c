// What providers cannot be told of tools' schemas, told to operators: of tools in code as the application is made, of those
// that sources bring, and for other models of single runs, as they are first offered. Each once in an application.
// It must not refuse a tool: one whose schema cannot be rewritten is told of when it is to be offered.

import { answerTool } from "../agent/answer-tool.ts";
import type { AssembledAgent } from "../agent/define-agent.ts";
import { toTool } from "../author/to-tool.ts";
import type { ToolSchemaLoss } from "../catalog/create-catalog.ts";
import type { SchemaLoss } from "../catalog/dialects/schema-parts.ts";
import { toWireSchema } from "../catalog/wire-schema.ts";
import type { Log, LogEntry } from "../core/govern.ts";
import type { Dialect } from "../core/model.ts";
import type { AnyTool } from "../core/tool.ts";
import { modelDialect } from "../models/model-from-string.ts";
import { toModel } from "../models/to-model.ts";
import { createOnceLog } from "../observe/once-log.ts";
import type { AssembledOptions } from "./app-options.ts";
import { toolsInCode } from "./app-tools.ts";

export type TellLoss = (loss: ToolSchemaLoss) => void;

export function lossTeller(log: Log): TellLoss {
  const logOnce = createOnceLog(log);
  return (loss) => {
    const entry = lossEntry(loss);
    logOnce(entry.message, entry);
  };
}

/** For each agent, of the tools it has in code and of its answer, as its own model takes them. */
export function tellLosses({ agents = [], tools = [] }: AssembledOptions, tell: TellLoss): void {
  for (const agent of agents) {
    const dialect = dialectOf(agent);
    if (dialect === "json-schema") continue;
    const answer = agent.output === undefined ? [] : [answerTool(agent.output, agent.name)];
    for (const tool of [...toolsInCode(agent, tools), ...answer]) {
      for (const { path, what } of lossesOf(tool, dialect)) tell({ tool: tool.name, dialect, path, what });
    }
  }
}

export function lossEntry({ tool, dialect, path, what }: ToolSchemaLoss): LogEntry {
  const place = path === "" ? "" : `, \`${path}\``;
  return { level: "info", message: `tool \`${tool}\`${place}, as ${dialect} takes it: ${what}` };
}

function dialectOf({ model }: AssembledAgent): Dialect {
  return (typeof model === "string" ? modelDialect(model) : toModel(model).dialect) ?? "json-schema";
}

function lossesOf(tool: AnyTool, dialect: Dialect): readonly SchemaLoss[] {
  try {
    return toWireSchema(toTool(tool).inputSchema, dialect, tool.strict).losses;
  } catch {
    return [];
  }
}
