// An agent as a tool of another: its call is a run of its own below the caller's.
// It only says what a model is told; the run is started by whoever calls tools.

import { ToolpostError } from "../core/errors.ts";
import type { JsonSchema, Validation } from "../core/schema.ts";
import type { AnyTool, Tool } from "../core/tool.ts";
import type { Agent } from "./define-agent.ts";

const AGENT = Symbol.for("toolpost.agent-tool");

/** What may be said of an agent as a tool, beside what it says of itself. */
export type AgentToolOptions = Partial<
  Pick<
    Tool,
    "name" | "description" | "tags" | "annotations" | "policy" | "visibleWhen" | "endsRun" | "maxResultSize" | "channel"
  >
>;

const inputSchema: JsonSchema = Object.freeze({
  type: "object",
  properties: Object.freeze({
    message: Object.freeze({
      type: "string",
      description: "What it is to do, with all it needs to know: it sees nothing of this conversation",
    }),
  }),
  required: Object.freeze(["message"]) as unknown as string[],
  additionalProperties: false,
});

/**
 * An agent as a tool, under another name, with a policy, or hidden at times. An agent among the `tools` of another is
 * the same without any of this. Its answer is the result: the text, or the structured answer where it has an `output`.
 * @example defineAgent({ …, tools: [agentTool(researcher, { policy: "needs-approval" })] })
 */
export function agentTool(agent: Agent, options: AgentToolOptions = {}): AnyTool {
  const tool = {
    name: agent.name,
    description: agent.description,
    ...options,
    inputSchema,
    source: "agent" as const,
    timeout: "none" as const,
    flow: agent.name,
    validateInput,
    execute: (): never => {
      throw new ToolpostError(
        "agent.needs-run",
        `the agent \`${agent.name}\` is called in a run alone: start one by \`app.run\``,
      );
    },
  };
  Object.defineProperty(tool, AGENT, { value: agent, enumerable: true });
  return Object.freeze(tool) as unknown as AnyTool;
}

/** The agent behind a tool; `undefined` for any other tool. */
export function agentBehind(tool: unknown): Agent | undefined {
  return (tool as { readonly [AGENT]?: Agent } | undefined)?.[AGENT];
}

function validateInput(input: unknown): Validation {
  const { message } = input as { readonly message?: unknown };
  if (typeof message !== "string") return invalid("message", "expected a text");
  if (message.trim() === "") return invalid("message", "is blank");
  const other = Object.keys(input as object).find((key) => key !== "message");
  return other === undefined ? { ok: true, value: { message } } : invalid(other, "is no part of the input");
}

function invalid(path: string, message: string): Validation {
  return { ok: false, issues: [{ path, message }] };
}
