// What `describe` prints for people: one line per tool, bounds with where they come from.
// It must not show a name or description raw: they may be a server's.

import type {
  AgentDescription,
  ApprovalNeed,
  Description,
  EnvironmentDescription,
  SourceDescription,
  ToolDescription,
} from "../app/description.ts";
import { formatDuration, formatInteger, formatSize } from "../std/format.ts";
import { shownLine } from "./shown-line.ts";

/** How headings look; the text itself knows no colours. */
export type PaintHeading = (text: string) => string;

/** All of it, ended by a line break. */
export function descriptionText(description: Description, paint: PaintHeading = (text) => text): string {
  const { agents, tools, sources, environment, rules } = description;
  const isUnassigned = ({ name }: ToolDescription): boolean => description.unassignedTools.includes(name);
  const unassigned = tools.filter(isUnassigned);
  const sections = [
    [`${paint(shownLine(description.name ?? description.kind))}: ${countsOf(description)}`],
    ...agents.map((agent) => agentLines(agent, paint)),
    agents.length > 0 || tools.length === 0 ? [] : [paint("tools"), ...indent(tools.flatMap(toolLines))],
    sources.length === 0 ? [] : [paint("sources"), ...indent(sources.map(sourceLine))],
    environment.length === 0 ? [] : [paint("environment"), ...indent(environment.map(environmentLine))],
    rules === 0 ? [] : [`${paint("rules")}: ${rules}, each may deny a call or have a person asked`],
    agents.length === 0 ? [] : unassignedLines(unassigned, paint),
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

/** `2 agents, 7 tools, 1 source`; what there is none of is left out, but for tools. */
export function countsOf(description: Description): string {
  const { agents, sources } = description;
  const parts = [
    agents.length === 0 ? "" : counted(agents.length, "agent"),
    counted(toolNamesOf(description).size, "tool"),
    sources.length === 0 ? "" : counted(sources.length, "source"),
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** Of the application and of all its agents; what several have counts once. */
export function toolNamesOf({ agents, tools }: Description): ReadonlySet<string> {
  return new Set([...tools, ...agents.flatMap((agent) => agent.tools)].map(({ name }) => name));
}

/** `1 tool`, `2 tools`. */
export function counted(count: number, word: string): string {
  return `${formatInteger(count)} ${word}${count === 1 ? "" : "s"}`;
}

function agentLines(agent: AgentDescription, paint: PaintHeading): string[] {
  const { thinking, prompt, output, tools, toolsOfSources, toolErrors, toolOf } = agent;
  const counts = (["maxSteps", "maxFailures", "maxToolCalls", "maxConcurrency"] as const).map(
    (name) => `${name} ${formatInteger(agent[name].count)} (${agent[name].origin})`,
  );
  const about = [
    `model ${shownLine(agent.model)}${thinking === undefined ? "" : `, thinking ${thinking}`}`,
    prompt === undefined
      ? "no prompt"
      : `prompt ${prompt.kind === "files" ? prompt.files.map(shownLine).join(", ") : `of ${counted(prompt.characters, "character")}`}`,
    ...(output === undefined
      ? []
      : [`answers with ${shownLine(output.name ?? "an object")}: ${output.fields.map(shownLine).join(", ")}`]),
    ...(agent.asks ? ["asks a person by ask-user"] : []),
    ...historyLines(agent),
    counts.join(", "),
    `toolErrors ${toolErrors.value} (${toolErrors.origin})`,
    ...budgetLines(agent),
    tools.length + toolsOfSources.length === 0 ? "tools: none" : "tools",
    ...indent(tools.flatMap(toolLines)),
    ...indent(toolsOfSources.map((name) => `${shownLine(name)}: of a source, known once that is connected`)),
  ];
  const above = toolOf.length === 0 ? "" : ` (tool of ${toolOf.map(shownLine).join(" and ")})`;
  return [`${paint(`agent ${shownLine(agent.name)}`)}${above}: ${shownLine(agent.description)}`, ...indent(about)];
}

/** All of a thread is what there is without a setting. */
function historyLines({ history: { turns, summaries } }: AgentDescription): string[] {
  if (turns === null) return [];
  const whole = counted(turns, "turn");
  if (summaries === 0) return [`history ${whole}`];
  return [`history ${whole} + ${formatInteger(summaries)} ${summaries === 1 ? "summary" : "summaries"}`];
}

function budgetLines({ budget: { usd, tokens, calls, ms } }: AgentDescription): string[] {
  const parts = [
    ...(usd === undefined ? [] : [`money $${usd < 0.01 ? usd : usd.toFixed(2)}`]),
    ...(tokens === undefined ? [] : [`tokens ${formatInteger(tokens)}`]),
    ...(calls === undefined ? [] : [`calls ${formatInteger(calls)}`]),
    ...(ms === undefined ? [] : [`time ${formatDuration(ms)}`]),
  ];
  return parts.length === 0 ? [] : [`budget ${parts.join(", ")}`];
}

/** `note_save (write, local, waits for approval) ← NOTES_FILE: Save a note`, and its bounds below. */
function toolLines(tool: ToolDescription): string[] {
  const { access, place, source, sourceName, approval, requires, tags } = tool;
  const from = sourceName === undefined ? (source === "native" ? [] : [source]) : [source, sourceName].join(" ");
  const traits = [access, place, from, approvalWords[approval]].flat().filter((trait) => trait !== "");
  const { ms, origin } = tool.timeout;
  const below = [
    `maxResultSize ${formatSize(tool.maxResultSize.bytes)} (${tool.maxResultSize.origin})`,
    `timeout ${ms === null ? "none" : formatDuration(ms)} (${origin})`,
    ...(requires.length === 0 ? [] : [`requires ${requires.map(shownLine).join(" and ")}`]),
    ...(tags.length === 0 ? [] : [`tags ${tags.map(shownLine).join(" ")}`]),
  ];
  const head = `${shownLine(tool.name)} (${shownLine(traits.join(", "))})${reads(tool.environment)}`;
  const description = shownLine(tool.description);
  return [description === "" ? head : `${head}: ${description}`, ...indent([below.join(", ")])];
}

const approvalWords: Readonly<Record<ApprovalNeed, string>> = {
  none: "",
  waits: "waits for approval",
  "may-wait": "may wait for approval",
  denied: "denied",
};

function sourceLine({ name, kind, place, environment, agents }: SourceDescription): string {
  const owners = agents.length === 0 ? [] : [`of ${agents.map(shownLine).join(" and ")}`];
  const traits = [kind, ...(place === undefined ? [] : [place]), ...owners];
  return `${shownLine(name)} (${traits.join(", ")})${reads(environment.map((variable) => variable.name))}`;
}

function environmentLine({ name, hasDefault, readers }: EnvironmentDescription): string {
  const by = readers.map((reader) => `${reader.kind} ${shownLine(reader.name)}`).join(", ");
  return `${shownLine(name)}${hasDefault ? " (may be unset)" : ""}: ${by}`;
}

function unassignedLines(tools: readonly ToolDescription[], paint: PaintHeading): string[] {
  const heading = paint("unassigned tools");
  return tools.length === 0 ? [`${heading}: none`] : [heading, ...indent(tools.flatMap(toolLines))];
}

function reads(environment: readonly string[]): string {
  return environment.length === 0 ? "" : ` ← ${environment.map(shownLine).join(", ")}`;
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
