// What providers cannot be told of tools' schemas, told to operators: of tools in code as the application is made, of those
// that sources bring, and for other models of single runs, as they are first offered. Each once in an application.
// It must not refuse a tool: one whose schema cannot be rewritten is told of when it is to be offered.

import { answerTool } from "../agent/answer-tool.ts";
import type { AssembledAgent } from "../agent/define-agent.ts";
import { toTool } from "../author/to-tool.ts";
import type { ToolSchemaLoss, WireSchemaOf } from "../catalog/create-catalog.ts";
import type { SchemaLoss } from "../catalog/dialects/schema-parts.ts";
import type { WireSchema } from "../catalog/wire-schema.ts";
import { toWireSchema } from "../catalog/wire-schema.ts";
import type { Log, LogEntry } from "../core/govern.ts";
import type { Dialect } from "../core/model.ts";
import type { AnyTool } from "../core/tool.ts";
import { modelDialect } from "../models/model-string.ts";
import { toModel } from "../models/to-model.ts";
import { createOnceLog } from "../observe/once-log.ts";
import type { AssembledOptions } from "./app-options.ts";
import { toolsInCode } from "./app-tools.ts";

/** What the catalogs of an application make and tell of schemas. */
export interface WireSchemas {
  readonly wireSchemaOf: WireSchemaOf;
  readonly onLoss: (loss: ToolSchemaLoss) => void;
}

/** Each schema is made once for a tool and a dialect, and what it loses is told once. */
export function wireSchemas(log: Log): WireSchemas {
  const made = new WeakMap<AnyTool, Map<Dialect, WireSchema>>();
  return {
    wireSchemaOf(tool, dialect) {
      let ofTool = made.get(tool);
      if (ofTool === undefined) made.set(tool, (ofTool = new Map()));
      let wire = ofTool.get(dialect);
      if (wire === undefined) ofTool.set(dialect, (wire = toWireSchema(tool.inputSchema, dialect, tool.strict)));
      return wire;
    },
    onLoss: lossTeller(log),
  };
}

export function lossTeller(log: Log): WireSchemas["onLoss"] {
  const logOnce = createOnceLog(log);
  return (loss) => {
    const entry = lossEntry(loss);
    logOnce(entry.message, entry);
  };
}

/** For each agent, of the tools it has in code and of its answer, as its own model takes them. */
export function tellLosses({ agents = [], tools = [] }: AssembledOptions, schemas: WireSchemas): void {
  for (const agent of agents) {
    const dialect = dialectOf(agent);
    if (dialect === "json-schema") continue;
    const answer = agent.output === undefined ? [] : [answerTool(agent.output, agent.name)];
    for (const tool of [...toolsInCode(agent, tools), ...answer]) {
      for (const { path, what } of lossesOf(tool, dialect, schemas))
        schemas.onLoss({ tool: tool.name, dialect, path, what });
    }
  }
}

function lossEntry({ tool, dialect, path, what }: ToolSchemaLoss): LogEntry {
  const place = path === "" ? "" : `, \`${path}\``;
  return { level: "info", message: `tool \`${tool}\`${place}, as ${dialect} takes it: ${what}` };
}

function dialectOf({ model }: AssembledAgent): Dialect {
  return (typeof model === "string" ? modelDialect(model) : toModel(model).dialect) ?? "json-schema";
}

function lossesOf(tool: AnyTool, dialect: Dialect, { wireSchemaOf }: WireSchemas): readonly SchemaLoss[] {
  try {
    return wireSchemaOf(toTool(tool), dialect).losses;
  } catch {
    return [];
  }
}
