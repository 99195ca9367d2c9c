// Turns an agent's definition into what its runs need: model, catalogue, slots, system prompt.
// Done once per agent and again only when a source lists other tools than before.

import { answerTool } from "../agent/answer-tool.ts";
import { askTool } from "../agent/ask-tool.ts";
import type { AssembledAgent } from "../agent/define-agent.ts";
import { EventTime } from "../agent/event-time.ts";
import type { Motion } from "../agent/motion.ts";
import { motion } from "../agent/motion.ts";
import type { PreparedAgent } from "../agent/prepared-agent.ts";
import { toTool } from "../author/to-tool.ts";
import { createCatalog } from "../catalog/create-catalog.ts";
import type { ToolOrigin } from "../catalog/merge-tools.ts";
import { mergeTools } from "../catalog/merge-tools.ts";
import type { Usage } from "../core/budget.ts";
import { ToolpostError } from "../core/errors.ts";
import type { Log, LogEntry } from "../core/govern.ts";
import type { LanguageModel, Model } from "../core/model.ts";
import type { ToolSource } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import { warningTeller } from "../models/warning-teller.ts";
import type { Retry } from "../models/with-retries.ts";
import { withRetries } from "../models/with-retries.ts";
import { formatDuration } from "../std/format.ts";
import type { Soon } from "../std/soon.ts";
import { summariseWith } from "../threads/summarise-with.ts";
import type { AssembledOptions, ModelPrice } from "./app-options.ts";
import { toolsInCode } from "./app-tools.ts";
import { DEFAULT_CONCURRENCY, MOST_FAILURES, MOST_RETRIES, MOST_STEPS } from "./built-in-bounds.ts";
import { createCallSlots, dollarsOf } from "./call-slots.ts";
import { checkRequires, isToolSource, throwProblems } from "./check-definitions.ts";
import { openModel } from "./open-model.ts";
import type { OpenSources, SourceTools } from "./open-sources.ts";
import { openSources, originOf, skipEntry } from "./open-sources.ts";
import { readPrompt } from "./read-prompt.ts";
import type { WireSchemas } from "./schema-losses.ts";

/** What an application prepares its agents with. */
export interface AgentSupply {
  readonly sources: OpenSources;
  readonly schemas: WireSchemas;
}

/** Prepares one agent again and again, with as little work as its sources allow. */
export class AgentPreparation {
  readonly motion: Motion = motion;
  readonly #agent: AssembledAgent;
  readonly #options: AssembledOptions;
  readonly #supply: AgentSupply;
  readonly #models = new Map<string | LanguageModel | Model, Promise<Model>>();
  readonly #tellers = new WeakMap<Model, PreparedAgent["tellWarnings"]>();
  #ownSources: Promise<OpenSources> | undefined;
  #last:
    | {
        readonly lists: readonly (readonly AnyTool[])[];
        readonly wish: string | LanguageModel | Model;
        readonly model: Model;
        readonly prepared: PreparedAgent;
      }
    | undefined;

  constructor(agent: AssembledAgent, options: AssembledOptions, supply: AgentSupply) {
    this.#agent = agent;
    this.#options = options;
    this.#supply = supply;
  }

  /** At once where there are no sources and the model is the one of the run before. */
  prepare(modelOfRun?: string | LanguageModel | Model): Soon<PreparedAgent> {
    const wish = modelOfRun ?? this.#agent.model;
    const last = this.#last;
    if (last !== undefined && last.lists.length === 0 && last.wish === wish) return last.prepared;
    return this.#prepareAnew(wish);
  }

  async #prepareAnew(wish: string | LanguageModel | Model): Promise<PreparedAgent> {
    const own = await this.#sources();
    const [model, listed] = await Promise.all([this.#model(wish), listAll(own, this.#supply.sources)]);
    const lists = listed.map(({ tools }) => tools);
    const last = this.#last;
    const missing = listed.flatMap(({ failure }) => (failure === undefined ? [] : [failure.error]));
    const isSame = last !== undefined && last.model === model && sameLists(last.lists, lists);
    if (isSame && last.prepared.missing.length === 0 && missing.length === 0) return last.prepared;
    const prepared = isSame ? { ...last.prepared, missing } : await this.#make(model, listed, own);
    this.#last = { lists, wish, model, prepared };
    return prepared;
  }

  async close(): Promise<void> {
    await (await this.#ownSources)?.close();
  }

  #sources(): Promise<OpenSources> {
    const sources = this.#agent.tools.filter((tool): tool is ToolSource => isToolSource(tool));
    this.#ownSources ??= openSources({ sources }, createCallSlots(this.#options).log);
    return this.#ownSources;
  }

  #model(model: string | LanguageModel | Model): Promise<Model> {
    const known = this.#models.get(model);
    if (known !== undefined) return known;
    const made = openModel(model).then((opened) => this.#attend(opened));
    this.#models.set(model, made);
    made.catch(() => this.#models.delete(model));
    return made;
  }

  /** What goes wrong on the way to the provider is told to operators. */
  #attend(model: Model): Model {
    const { clock, log } = createCallSlots(this.#options);
    const maxRetries = this.#agent.maxRetries ?? MOST_RETRIES;
    const onRetry = (retry: Retry): void => log(retryEntry(retry));
    return withRetries(model, { clock, maxRetries, onRetry });
  }

  /** What a provider leaves out is told to operators once, however often the agent is prepared. */
  #tellerOf(model: Model, log: Log): PreparedAgent["tellWarnings"] {
    let teller = this.#tellers.get(model);
    if (teller === undefined) {
      teller = warningTeller((warning) => log({ level: "warn", message: `${model.id}: ${warning}` }));
      this.#tellers.set(model, teller);
    }
    return teller;
  }

  async #make(model: Model, listed: readonly SourceTools[], own: OpenSources): Promise<PreparedAgent> {
    const agent = this.#agent;
    const slots = createCallSlots(this.#options, {
      approvals: agent.approvals,
      toolErrors: agent.toolErrors,
      maxToolCalls: agent.maxToolCalls,
      prices: this.#options.prices,
      openModel: (wish) => this.#model(wish),
    });
    const price = this.#options.prices?.[model.id];
    // A scripted model is paid by nobody; any other would spend unseen.
    if (agent.budget?.money !== undefined && price === undefined && !model.id.startsWith("scripted:")) {
      throw new ToolpostError(
        "agent.invalid",
        `agent \`${agent.name}\` has a budget of money, and the model \`${model.id}\` has no price: give it in \`prices\`, usd(0) where it costs nothing`,
      );
    }
    const answer = agent.output === undefined ? undefined : toTool(answerTool(agent.output, agent.name));
    const merged = mergeTools(this.#origins(listed, answer));
    const names = new Set(merged.tools.map((tool) => tool.name));
    throwProblems([
      ...merged.problems,
      ...checkRequires(agent, names, `agent \`${agent.name}\``),
      ...this.#unknownNames(names),
    ]);
    for (const skipped of merged.skipped) slots.log(skipEntry(skipped));
    const instructions = [...(await this.#supply.sources.instructions()), ...(await own.instructions())];
    const system = [readPrompt(agent), ...instructions]
      .filter((text) => text !== undefined && text !== "")
      .join("\n\n");
    return {
      name: agent.name,
      model,
      dialect: model.dialect ?? "json-schema",
      catalog: createCatalog({
        tools: merged.tools,
        ...(agent.requires === undefined ? {} : { requires: agent.requires }),
        onSkip: (skipped) => slots.log(skipEntry(skipped)),
        ...this.#supply.schemas,
      }),
      lastCatalog: createCatalog({ tools: answer === undefined ? [] : [answer] }),
      missing: listed.flatMap(({ failure }) => (failure === undefined ? [] : [failure.error])),
      slots,
      eventTime: new EventTime(slots.clock),
      tellWarnings: this.#tellerOf(model, slots.log),
      system: system === "" ? undefined : system,
      answerTool: answer,
      history: agent.history === undefined ? undefined : { summarise: summariseWith(model), ...agent.history },
      maxSteps: agent.maxSteps ?? MOST_STEPS,
      maxFailures: agent.maxFailures ?? MOST_FAILURES,
      maxConcurrency: agent.maxConcurrency ?? this.#options.defaults?.tools?.maxConcurrency ?? DEFAULT_CONCURRENCY,
      budget: agent.budget ?? {},
      costOf: costBy(price),
      listeners: this.#options.listeners ?? [],
      thinking: agent.thinking,
      maxOutputTokens: agent.maxOutputTokens,
      temperature: agent.temperature,
      providerOptions: agent.providerOptions,
    };
  }

  #origins(listed: readonly SourceTools[], answer: AnyTool | undefined): ToolOrigin[] {
    const own = toolsInCode(this.#agent, this.#options.tools ?? []);
    const asks = this.#agent.asks === true ? [askTool] : [];
    const native = [...own, ...asks, ...(answer === undefined ? [] : [answer])].map(toTool);
    return [{ place: `agent \`${this.#agent.name}\``, tools: native }, ...listed.map(originOf)];
  }

  #unknownNames(names: ReadonlySet<string>): { code: string; message: string }[] {
    return this.#agent.tools
      .filter((tool): tool is string => typeof tool === "string" && !names.has(tool))
      .map((name) => ({
        code: "agent.unknown-tool",
        message: `agent \`${this.#agent.name}\` lists the tool \`${name}\`, which neither the application nor its sources have`,
      }));
  }
}

function retryEntry({ number, waitMs, error }: Retry): LogEntry {
  const reason = error instanceof Error ? error.message : String(error);
  return { level: "warn", message: `${reason}; retry ${number} in ${formatDuration(waitMs)}`, error };
}

async function listAll(own: OpenSources, app: OpenSources): Promise<SourceTools[]> {
  const [ofApp, ofAgent] = await Promise.all([app.list(), own.list()]);
  return [...ofAgent, ...ofApp];
}

function sameLists(before: readonly (readonly AnyTool[])[], now: readonly (readonly AnyTool[])[]): boolean {
  return (
    before.length === now.length &&
    before.every((list, index) => list === now[index] || (list.length === 0 && now[index]?.length === 0))
  );
}

function costBy(price: ModelPrice | undefined): (usage: Usage) => number {
  if (price === undefined) return () => 0;
  return (usage) => dollarsOf(usage, price);
}
