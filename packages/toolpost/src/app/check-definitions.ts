// Checks everything an application or toolkit is put together from, and gives all problems at once.
// Nothing is called, connected or read but the prompt files that agents name.

import type { Agent } from "../agent/define-agent.ts";
import { checkNamingRule } from "../author/naming-rule.ts";
import { checkTool } from "../author/tool-checks.ts";
import type { Problem } from "../core/errors.ts";
import { AssemblyError, UnknownAgentToolError } from "../core/errors.ts";
import { isLegalName } from "../core/name.ts";
import type { ToolSource } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import { toModel } from "../models/to-model.ts";
import type { AppOptions, GovernanceOptions, ToolDefaults } from "./app-options.ts";
import { readPrompt } from "./read-prompt.ts";

/** Throws `AssemblyError` with every problem found, `UnknownAgentToolError` where that is the only kind. */
export function checkDefinitions(options: AppOptions): void {
  const problems: Problem[] = [...checkGovernance(options, "the application")];
  const names = new Set<string>();
  for (const agent of options.agents ?? []) {
    problems.push(...checkAgent(agent, options));
    if (names.has(agent.name))
      problems.push({ code: "agent.invalid", message: `two agents are named \`${agent.name}\`: rename one of them` });
    names.add(agent.name);
  }
  throwProblems(problems);
}

export function throwProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw problems.every((problem) => problem.code === "agent.unknown-tool")
    ? new UnknownAgentToolError(problems)
    : new AssemblyError(problems);
}

/** What toolkits and applications have in common. */
export function checkGovernance(options: GovernanceOptions, place: string): Problem[] {
  return [...checkTools(options.tools ?? [], place, options), ...checkDefaults(options.defaults?.tools ?? {}, place)];
}

export function isToolSource(value: unknown): value is ToolSource {
  return typeof value === "object" && value !== null && typeof (value as { list?: unknown }).list === "function";
}

function checkTools(tools: readonly AnyTool[], place: string, options: GovernanceOptions): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const tool of new Set(tools)) {
    problems.push(...checkTool(tool, place));
    if (typeof tool?.name !== "string") continue;
    if (seen.has(tool.name))
      problems.push({
        code: "tool.duplicate-name",
        message: `${place} has two tools named \`${tool.name}\`: rename one of them`,
      });
    seen.add(tool.name);
    const rule =
      tool.source === "native" ? checkNamingRule(options.names ?? "any", tool.name, "defineTool") : undefined;
    if (rule !== undefined) problems.push(rule);
  }
  return problems;
}

function checkDefaults(
  { timeout, maxResultSize, maxToolCalls, maxConcurrency }: ToolDefaults,
  place: string,
): Problem[] {
  const problems: Problem[] = [];
  if (maxResultSize !== undefined && !isWhole(maxResultSize.bytes)) {
    problems.push({
      code: "tools.max-result-size-invalid",
      message: `${place}: \`defaults.tools.maxResultSize\` must be a whole number of bytes from 1: use kilobytes(64) or the like`,
    });
  }
  if (timeout !== undefined && timeout !== "none" && !(timeout.ms > 0)) {
    problems.push({
      code: "tools.timeout-invalid",
      message: `${place}: \`defaults.tools.timeout\` must be a positive duration: use seconds(10) or the like`,
    });
  }
  problems.push(...checkCounts({ maxToolCalls, maxConcurrency }, `${place}: \`defaults.tools`, "tool.invalid-setting"));
  return problems;
}

function checkAgent(agent: Agent, options: AppOptions): Problem[] {
  const place = `agent \`${String(agent.name)}\``;
  const problems: Problem[] = [];
  const wrong = (message: string): void =>
    void problems.push({ code: "agent.invalid", message: `${place}: ${message}` });
  if (typeof agent.name !== "string" || !isLegalName(agent.name))
    wrong("`name` must be 1 to 64 letters, digits, `_` or `-`");
  if (typeof agent.description !== "string" || agent.description.trim() === "")
    wrong("`description` is blank: say what the agent does");
  if (!isModel(agent.model))
    wrong('`model` must be a model string such as "openai:gpt-5.2" or an AI SDK language model');
  if (!Array.isArray(agent.tools)) wrong("`tools` must be a list; use `[]` for none");
  const { maxToolCalls, maxSteps, maxFailures, maxConcurrency } = agent;
  problems.push(
    ...checkCounts({ maxToolCalls, maxSteps, maxFailures, maxConcurrency }, `${place}: \``, "agent.invalid"),
  );
  const tools = Array.isArray(agent.tools) ? agent.tools : [];
  problems.push(
    ...checkTools(
      tools.filter((tool): tool is AnyTool => typeof tool !== "string" && !isToolSource(tool)),
      place,
      options,
    ),
  );
  problems.push(...checkToolNames(agent, tools, options, place));
  try {
    readPrompt(agent);
  } catch (error) {
    problems.push({ code: "config.not-found", message: error instanceof Error ? error.message : String(error) });
  }
  return problems;
}

/** Names that only a source can answer for are checked when the source has listed its tools. */
function checkToolNames(agent: Agent, tools: Agent["tools"], options: AppOptions, place: string): Problem[] {
  const hasSources = options.mcp !== undefined || (options.sources ?? []).length > 0 || tools.some(isToolSource);
  if (hasSources) return [];
  const known = new Set((options.tools ?? []).map((tool) => tool.name));
  const own = new Set(
    tools.flatMap((tool) => (typeof tool === "string" ? [tool] : isToolSource(tool) ? [] : [tool.name])),
  );
  const missing = tools.filter((tool): tool is string => typeof tool === "string" && !known.has(tool));
  return [
    ...missing.map((name) => ({
      code: "agent.unknown-tool",
      message: `${place} lists the tool \`${name}\`, which the application does not have: add it to \`tools\``,
    })),
    ...checkRequires(agent, own, place),
  ];
}

/** `requires` may only name tools of the same agent. */
export function checkRequires(agent: Agent, names: ReadonlySet<string>, place: string): Problem[] {
  const mentioned = Object.entries(agent.requires ?? {}).flatMap(([tool, needs]) => [tool, ...needs]);
  return [...new Set(mentioned)]
    .filter((name) => !names.has(name))
    .map((name) => ({
      code: "agent.requires-unknown",
      message: `${place}: \`requires\` names \`${name}\`, which is not one of its tools`,
    }));
}

function checkCounts(counts: { readonly [name: string]: number | undefined }, before: string, code: string): Problem[] {
  return Object.entries(counts).flatMap(([name, value]) =>
    value === undefined || isWhole(value)
      ? []
      : [
          {
            code,
            message: `${before}${before.endsWith("`") ? "" : "."}${name}\` must be a whole number from 1, got ${String(value)}`,
          },
        ],
  );
}

function isModel(model: Agent["model"]): boolean {
  if (typeof model === "string") return model !== "";
  try {
    toModel(model);
    return true;
  } catch {
    return false;
  }
}

function isWhole(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1;
}
