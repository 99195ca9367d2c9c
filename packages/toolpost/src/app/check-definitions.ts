// Checks everything an application or toolkit is put together from, and gives all problems at once.
// Nothing is called, connected or read but the prompt files that agents name.

import { isAgentOfClass } from "../agent/agent-class.ts";
import { answerTool } from "../agent/answer-tool.ts";
import type { AssembledAgent } from "../agent/define-agent.ts";
import { ClassChannel } from "../author/classes/class-channel.ts";
import { classOriginOf } from "../author/classes/class-tools.ts";
import type { ComponentKind } from "../author/naming-rule.ts";
import { checkNamingRule } from "../author/naming-rule.ts";
import { checkTool } from "../author/tool-checks.ts";
import type { Channel } from "../core/approval.ts";
import type { Problem } from "../core/errors.ts";
import { AssemblyError, isToolpostError, UnknownAgentToolError } from "../core/errors.ts";
import { isLegalName } from "../core/name.ts";
import type { Schema } from "../core/schema.ts";
import type { ToolSource } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import { isLanguageModel, isModel } from "../models/is-model.ts";
import { isModelString } from "../models/model-string.ts";
import { isRecord } from "../std/is-record.ts";
import type { AssembledGovernance, AssembledOptions, ToolDefaults } from "./app-options.ts";
import { checkAsks, checkHistory } from "./check-agent-settings.ts";
import type { Shape } from "./check-options.ts";
import {
  agentShape,
  approvalsShape,
  appShape,
  budgetShape,
  checkShape,
  floorShape,
  governanceShape,
  historyShape,
  maskShape,
  toolDefaultsShape,
} from "./check-options.ts";
import { isOwnChannel } from "./own-channels.ts";
import { readPrompt } from "./read-prompt.ts";

/**
 * Throws `AssemblyError` with every problem found, `UnknownAgentToolError` where that is the only kind.
 * @param given the options as their author wrote them
 */
export function checkDefinitions(given: unknown, { options, problems: ofClasses, agentsBelow = [] }: Assembled): void {
  const problems: Problem[] = [...checkShape(given, appShape, "createApp", "app.invalid"), ...ofClasses];
  if (typeof options.name === "string") problems.push(...checkName(options, options.name, "application", "createApp"));
  problems.push(...checkParts(options, "the application"));
  const agents = [...(Array.isArray(options.agents) ? options.agents.filter(isRecord) : []), ...agentsBelow];
  const names = new Set<string>();
  for (const agent of agents as unknown as readonly AssembledAgent[]) {
    problems.push(...checkAgent(agent, options));
    if (names.has(agent.name)) {
      problems.push({ code: "agent.invalid", message: `two agents are named \`${agent.name}\`: rename one of them` });
    }
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

/** Of a toolkit. */
export function checkGovernance(given: unknown, { options, problems }: Assembled, place: string): Problem[] {
  return [
    ...checkShape(given, governanceShape, "createToolkit", "app.invalid"),
    ...problems,
    ...checkParts(options, place),
  ];
}

/** Definitions without classes, and what was found in making tools and agents of those. */
interface Assembled {
  readonly options: AssembledOptions;
  readonly problems: readonly Problem[];
  readonly agentsBelow?: readonly AssembledAgent[];
}

/** What toolkits and applications have in common, part by part; a part of the wrong kind is told of already. */
function checkParts(options: AssembledGovernance, place: string): Problem[] {
  const { tools, approvals, mask, defaults } = options;
  const ofTools = defaults !== undefined && isRecord(defaults) ? defaults.tools : undefined;
  const inside = (value: unknown, shape: Shape, name: string): Problem[] =>
    isRecord(value) ? checkShape(value, shape, `${place}, \`${name}\``, "app.invalid") : [];
  return [
    ...inside(approvals, approvalsShape, "approvals"),
    ...inside(mask, maskShape, "mask"),
    ...inside(ofTools, toolDefaultsShape, "defaults.tools"),
    ...checkTools(Array.isArray(tools) ? tools : [], place, options),
    ...(isRecord(ofTools) ? checkDefaults(ofTools as ToolDefaults, place) : []),
    ...checkChannelNames(options),
  ];
}

export function isToolSource(value: unknown): value is ToolSource {
  return typeof value === "object" && value !== null && typeof (value as { list?: unknown }).list === "function";
}

function checkTools(tools: readonly AnyTool[], place: string, options: AssembledGovernance): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const channels = new Set(allChannels(options).map(({ name }) => name));
  for (const tool of new Set(tools)) {
    problems.push(...checkTool(tool, place));
    if (typeof tool?.channel === "string" && !channels.has(tool.channel)) {
      problems.push({
        code: "tool.invalid-setting",
        message: `"${tool.name}" on ${place}: there is no channel \`${tool.channel}\`: add it to \`approvals.channels\``,
      });
    }
    if (typeof tool?.name !== "string") continue;
    if (seen.has(tool.name))
      problems.push({
        code: "tool.duplicate-name",
        message: `${place} has two tools named \`${tool.name}\`${writtenWhere(tools, tool.name)}: rename one of them`,
      });
    seen.add(tool.name);
    const origin = classOriginOf(tool);
    if (tool.source === "native")
      problems.push(...checkName(options, tool.name, "tool", origin === undefined ? "defineTool" : "@Tool"));
    if (origin?.needsState === true) {
      const message = `"${tool.name}" of "${origin.place}" on ${place}: a parameter is @state(), and no workflow gives one: take it out, or use the tool in a workflow`;
      problems.push({ code: "tool.no-state", message });
    }
  }
  return problems;
}

/** Of classes it is known where they are written; of functions the name is all there is. */
function writtenWhere(tools: readonly AnyTool[], name: string): string {
  const places = new Set(tools.filter((tool) => tool?.name === name).map((tool) => classOriginOf(tool)?.place));
  const known = [...places].filter((place) => place !== undefined).map((place) => `"${place}"`);
  return known.length === 0 ? "" : `, ${known.join(" and ")}${places.has(undefined) ? " and a function" : ""}`;
}

function checkName({ names }: AssembledGovernance, name: string, kind: ComponentKind, place: string): Problem[] {
  const problem = checkNamingRule(names ?? "any", name, { kind, place });
  return problem === undefined ? [] : [problem];
}

/** Of channels the application brings; those of the package are named by it. */
function checkChannelNames(options: AssembledGovernance): Problem[] {
  const listed = namedChannels(options.approvals?.channels).map(({ name }) => name);
  const twice = new Set(listed.filter((name, index) => listed.indexOf(name) !== index));
  return [
    ...[...twice].map((name) => ({
      code: "channel.invalid",
      message: `two of \`approvals.channels\` are named \`${name}\`: rename one of them`,
    })),
    ...allChannels(options)
      .filter((each) => !isOwnChannel(each))
      .flatMap((each) =>
        checkName(options, each.name, "channel", each instanceof ClassChannel ? "@Channel" : "a channel"),
      ),
  ];
}

/** Each once, the general one first. */
function allChannels({ approvals }: AssembledGovernance): readonly Channel[] {
  return [...new Set([...namedChannels([approvals?.channel]), ...namedChannels(approvals?.channels)])];
}

function namedChannels(channels: unknown): readonly Channel[] {
  const all = new Set<unknown>(Array.isArray(channels) ? channels : []);
  return [...all].filter((each): each is Channel => isRecord(each) && typeof each.name === "string");
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

function checkAgent(agent: AssembledAgent, options: AssembledOptions): Problem[] {
  const place = `agent \`${String(agent.name)}\``;
  const problems: Problem[] = [];
  const wrong = (message: string): void =>
    void problems.push({ code: "agent.invalid", message: `${place}: ${message}` });
  problems.push(...checkShape(agent, agentShape, place, "agent.invalid"));
  for (const [name, shape] of [
    ["approvals", floorShape],
    ["budget", budgetShape],
    ["history", historyShape],
  ] as const) {
    const part = agent[name];
    if (isRecord(part)) problems.push(...checkShape(part, shape, `${place}, \`${name}\``, "agent.invalid"));
  }
  if (agent.output !== undefined) problems.push(...checkAnswer(agent, place));
  if (typeof agent.name !== "string" || !isLegalName(agent.name))
    wrong("`name` must be 1 to 64 letters, digits, `_` or `-`");
  else problems.push(...checkName(options, agent.name, "agent", isAgentOfClass(agent) ? "@Agent" : "defineAgent"));
  if (typeof agent.description !== "string" || agent.description.trim() === "")
    wrong("`description` is blank: say what the agent does");
  if (!isUsableModel(agent.model)) wrong(modelMend(agent.model));
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
  problems.push(...checkHistory(agent, place), ...checkAsks(agent, namesInCode(tools, options), place));
  try {
    if (isPromptReadable(agent)) readPrompt(agent);
  } catch (error) {
    problems.push({ code: "config.not-found", message: error instanceof Error ? error.message : String(error) });
  }
  return problems;
}

/** Of tools that stand in code; a name that the application does not have may be a source's. */
function namesInCode(tools: AssembledAgent["tools"], options: AssembledOptions): ReadonlySet<string> {
  const ofApp = new Set((options.tools ?? []).map((tool) => tool?.name));
  const names = tools.flatMap((tool) =>
    typeof tool === "string" ? (ofApp.has(tool) ? [tool] : []) : isToolSource(tool) ? [] : (tool?.name ?? []),
  );
  return new Set(names);
}

/** Names that only a source can answer for are checked when the source has listed its tools. */
function checkToolNames(
  agent: AssembledAgent,
  tools: AssembledAgent["tools"],
  options: AssembledOptions,
  place: string,
): Problem[] {
  const hasSources = options.mcp !== undefined || (options.sources ?? []).length > 0 || tools.some(isToolSource);
  if (hasSources) return [];
  const known = new Set((options.tools ?? []).map((tool) => tool.name));
  const own = new Set(
    tools.flatMap((tool) => (typeof tool === "string" ? [tool] : isToolSource(tool) ? [] : (tool?.name ?? []))),
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
export function checkRequires(agent: AssembledAgent, names: ReadonlySet<string>, place: string): Problem[] {
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

function modelMend(model: unknown): string {
  if (typeof model !== "string")
    return '`model` must be a model string such as "openai:gpt-5.2" or an AI SDK language model';
  const said = `\`model\` is \`"${model}"\`, which names no known provider`;
  return model.includes(":")
    ? `${said}: known are openai, anthropic, google, ollama and openai-compatible; for any other pass the model object of its package`
    : `${said}: write it as "openai:${model}" or the like`;
}

function isPromptReadable({ prompt }: AssembledAgent): boolean {
  return typeof prompt === "object" && prompt !== null && Array.isArray(prompt.files);
}

/** The answer's schema is that of a tool: an object at the root. */
function checkAnswer(agent: AssembledAgent, place: string): Problem[] {
  try {
    const { inputSchema } = answerTool(agent.output as Schema, "answer");
    if (inputSchema.type === "object") return [];
  } catch (error) {
    // A class says what is wrong with it; all else is said below, in the words of the setting.
    if (typeof agent.output === "function" && isToolpostError(error))
      return [{ code: "tool.schema-unusable", message: `${place}: output: ${error.message}` }];
  }
  return [
    { code: "agent.invalid", message: `${place}: \`output\` must be a schema of an object, such as z.object({ … })` },
  ];
}

function isUsableModel(model: AssembledAgent["model"]): boolean {
  if (typeof model === "string") return isModelString(model);
  try {
    return isModel(model) || isLanguageModel(model);
  } catch {
    return false;
  }
}

function isWhole(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1;
}
