// Finds what is wrong with a configuration: what assembly says, and what it cannot see: files, packages, environment.
// Whatever one part is, the others are looked at too. Nothing is connected, and no model is asked anything.

import type { AppOptions } from "../app/app-options.ts";
import { assemble } from "../app/assemble.ts";
import { isToolSource } from "../app/check-definitions.ts";
import type { App } from "../app/create-app.ts";
import type { Description, EnvironmentDescription } from "../app/description.ts";
import type { Toolkit } from "../app/toolkit.ts";
import { errorTable } from "../core/error-table.ts";
import { isToolpostError, type Problem, type ToolpostError } from "../core/errors.ts";
import type { SourceStatus } from "../core/source.ts";
import { modelFromString } from "../models/model-from-string.ts";
import { isModelString } from "../models/model-string.ts";
import { loadClientPackage } from "../sources/mcp/client-package.ts";
import { mcpSources } from "../sources/mcp/mcp-sources.ts";
import { isRecord } from "../std/is-record.ts";
import type { CommandCall } from "./command.ts";
import type { CommandIo } from "./command-io.ts";
import { untilInterrupted } from "./interrupt.ts";
import { loadConfig } from "./load-config.ts";
import { everyAgent, openLoaded } from "./open-config.ts";
import { isAssembly } from "./show-error.ts";

/** A problem, with its mend where the message does not say it. */
export interface CheckProblem extends Problem {
  readonly hint?: string;
}

export interface CheckReport {
  /** What keeps the configuration, or a part of it, from working. */
  readonly problems: readonly CheckProblem[];
  /** What may be meant so: a variable that is not set here. */
  readonly warnings: readonly Problem[];
  /** Absent where it could not be put together. */
  readonly description: Description | undefined;
}

/** Rejects only with what is no fault of the configuration, a signal to end for one. */
export async function checkConfig(call: CommandCall): Promise<CheckReport> {
  const problems: CheckProblem[] = [];
  const config = await noting(problems, () => loadConfig(call));
  const opened = config && (await noting(problems, () => openLoaded(config)));
  let description: Description | undefined;
  try {
    if (opened !== undefined) {
      await checkModels(problems, agentsOf(opened), call.io);
      description = await noting(problems, () => untilInterrupted(opened.describe(), call.io.interrupt));
      // It was looked at to describe it; where that failed, the reason is told.
      if (description !== undefined) await checkSources(problems, await statesOf(opened));
    } else if (config?.kind === "options") {
      const { options, agentsBelow } = assemble(config.options);
      await checkModels(problems, [...(options.agents ?? []), ...agentsBelow], call.io);
      await checkSources(problems, (await noting(problems, () => mcpStates(config.options.mcp, call.io))) ?? []);
    }
  } finally {
    await opened?.close();
  }
  return { problems, warnings: unsetVariables(description?.environment ?? [], call.io), description };
}

/** What `work` gives; `undefined` where it fails by a fault of the configuration, which is noted. */
async function noting<T>(problems: CheckProblem[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isToolpostError(error) || error.code === "run.cancelled") throw error;
    problems.push(...problemsOf(error));
    return undefined;
  }
}

function problemsOf(error: ToolpostError): readonly CheckProblem[] {
  if (isAssembly(error)) return error.problems;
  // Of an mcp.json: all that is wrong with it, one a line.
  const { file, problems } = (isRecord(error.data) ? error.data : {}) as { file?: string; problems?: string[] };
  if (Array.isArray(problems)) return problems.map((problem) => ({ code: error.code, message: `${file}: ${problem}` }));
  const { code, message, hint } = error;
  // What every error of its kind says would only make the list longer.
  return [{ code, message, ...(hint === undefined || hint === errorTable[code]?.fix ? {} : { hint }) }];
}

/** Those too that are only tools of others, which an app of an older copy does not tell of. */
function agentsOf(opened: App | Toolkit): App["agents"] {
  return "agents" in opened ? everyAgent(opened) : [];
}

/** Imports provider packages and reads scripts; strings of an unknown kind are assembly's to tell. */
async function checkModels(
  problems: CheckProblem[],
  agents: readonly unknown[],
  { cwd, env }: CommandIo,
): Promise<void> {
  for (const agent of agents.filter(isRecord)) {
    const { name, model } = agent;
    if (typeof model !== "string" || !isModelString(model)) continue;
    const found: CheckProblem[] = [];
    await noting(found, () => modelFromString(model, { directory: cwd, env }));
    problems.push(
      ...found.map(({ message, ...rest }) => ({ ...rest, message: `agent \`${String(name)}\`: ${message}` })),
    );
  }
}

/** Of all sources, those of single agents too. */
async function statesOf(opened: App | Toolkit): Promise<readonly SourceStatus[]> {
  const own = agentsOf(opened).flatMap(({ tools }) => tools.filter(isToolSource));
  return [...(await opened.status()), ...[...new Set(own)].map((source) => source.status())];
}

async function mcpStates(mcp: AppOptions["mcp"], { cwd, env }: CommandIo): Promise<readonly SourceStatus[]> {
  if (typeof mcp !== "string" && !isRecord(mcp)) return [];
  return (await mcpSources(mcp, { directory: cwd, env })).map((source) => source.status());
}

/** One that cannot even be started has failed already, though nothing was connected. */
async function checkSources(problems: CheckProblem[], states: readonly SourceStatus[]): Promise<void> {
  for (const { name, kind, problem } of states.filter(({ state }) => state === "failed")) {
    const code = kind === "mcp" ? "mcp.failed" : "source.failed";
    problems.push({ code, message: `source \`${name}\`: ${problem ?? "it does not say why"}` });
  }
  if (states.some(({ kind }) => kind === "mcp")) await noting(problems, loadClientPackage);
}

/** A source whose variable is missing is told of as a whole. */
function unsetVariables(environment: readonly EnvironmentDescription[], { env }: CommandIo): Problem[] {
  return environment.flatMap(({ name, hasDefault, readers }) => {
    const those = readers.filter(({ kind }) => kind !== "source").map((reader) => `${reader.kind} \`${reader.name}\``);
    if (hasDefault || those.length === 0 || (env[name] ?? "") !== "") return [];
    const message = `\`${name}\` is not set; ${those.join(", ")} ${those.length === 1 ? "reads" : "read"} it`;
    return [{ code: "environment.unset", message }];
  });
}
