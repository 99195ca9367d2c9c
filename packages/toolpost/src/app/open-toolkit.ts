// Opens a toolkit: checks what it is made of, connects its sources, merges their tools.
// Calling a tool of it is the direct call's; a toolkit only finds which.

import type { Container } from "../author/classes/container.ts";
import { toTool } from "../author/to-tool.ts";
import { createCatalog } from "../catalog/create-catalog.ts";
import { mergeTools } from "../catalog/merge-tools.ts";
import type { ToolResult } from "../core/result.ts";
import type { SourceStatus } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import { createBudget } from "../pipeline/budget-meter.ts";
import { LazyAbort } from "../std/abort.ts";
import { Gate } from "../std/async.ts";
import { assemble, disposeAll } from "./assemble.ts";
import { DEFAULT_CONCURRENCY } from "./built-in-bounds.ts";
import type { DirectCallOptions } from "./call-options.ts";
import { createCallSlots } from "./call-slots.ts";
import { checkGovernance, throwProblems } from "./check-definitions.ts";
import type { Description } from "./description.ts";
import type { DirectCallPlace } from "./direct-call.ts";
import { callDirectly } from "./direct-call.ts";
import type { OpenSources } from "./open-sources.ts";
import { openSources, originOf, skipEntry } from "./open-sources.ts";
import type { AnthropicTool, GeminiTool, OpenAIChatTool, OpenAITool } from "./provider-tools.ts";
import { anthropicTools, geminiTools, inputFromOpenAI, openAIChatTools, openAITools } from "./provider-tools.ts";
import { lossTeller } from "./schema-losses.ts";
import type { Toolkit, ToolkitOptions } from "./toolkit.ts";

/** Rejects with `AssemblyError` for what cannot be used; a source that fails shows in `status()`. */
export async function openToolkit(options: ToolkitOptions): Promise<Toolkit> {
  const assembly = assemble(options);
  throwProblems(checkGovernance(options, assembly, "the toolkit"));
  const slots = createCallSlots(assembly.options);
  const sources = await openSources(options, slots.log);
  const listed = await sources.list();
  const origins = listed.map(originOf);
  const merged = mergeTools([{ place: "the toolkit", tools: (assembly.options.tools ?? []).map(toTool) }, ...origins]);
  if (merged.problems.length > 0) await sources.close();
  throwProblems(merged.problems);
  const gate = new Gate(options.defaults?.tools?.maxConcurrency ?? DEFAULT_CONCURRENCY);
  for (const skipped of merged.skipped) slots.log(skipEntry(skipped));
  const catalog = createCatalog({
    tools: merged.tools,
    onSkip: (skipped) => slots.log(skipEntry(skipped)),
    onLoss: lossTeller(slots.log),
  });
  const closing = new LazyAbort();
  const place: DirectCallPlace = {
    slots,
    gate,
    closing,
    executed: { names: Object.freeze([]) },
    catalog,
    budget: createBudget({}, slots.clock),
  };
  const byOrigin = new Map(origins.map((origin, index) => [origin, listed[index]?.source]));
  const describe = async (): Promise<Description> => {
    const { describeToolkit } = await import("./describe.ts");
    const tools = [...merged.origins].map(([tool, origin]) => ({ tool, broughtBy: byOrigin.get(origin) }));
    return describeToolkit(assembly.options, sources.sources, tools);
  };
  return new LiveToolkit({ place, sources, container: assembly.container, describe });
}

interface ToolkitParts {
  readonly place: DirectCallPlace;
  readonly sources: OpenSources;
  readonly container: Container;
  readonly describe: () => Promise<Description>;
}

class LiveToolkit implements Toolkit {
  readonly #place: DirectCallPlace;
  readonly #sources: OpenSources;
  readonly #container: Container;
  readonly #describe: () => Promise<Description>;
  #isOfferedToOpenAI = false;

  constructor({ place, sources, container, describe }: ToolkitParts) {
    this.#place = place;
    this.#sources = sources;
    this.#container = container;
    this.#describe = describe;
  }

  call(name: string, input: unknown, options: DirectCallOptions = {}): Promise<ToolResult> {
    const { catalog } = this.#place;
    const own = this.#isOfferedToOpenAI ? inputFromOpenAI(catalog, name, input) : input;
    return callDirectly(this.#place, catalog.fromWire(name), own, options);
  }

  toOpenAI(): OpenAITool[];
  toOpenAI(api: "chat"): OpenAIChatTool[];
  toOpenAI(api?: "chat"): OpenAITool[] | OpenAIChatTool[] {
    this.#isOfferedToOpenAI = true;
    return api === "chat" ? openAIChatTools(this.#place.catalog) : openAITools(this.#place.catalog);
  }

  toAnthropic(): AnthropicTool[] {
    return anthropicTools(this.#place.catalog);
  }

  toGemini(): GeminiTool[] {
    return geminiTools(this.#place.catalog);
  }

  tools(): readonly AnyTool[] {
    return this.#place.catalog.tools;
  }

  describe(): Promise<Description> {
    return this.#describe();
  }

  status(): readonly SourceStatus[] {
    return this.#sources.status();
  }

  async close(): Promise<void> {
    this.#place.closing.abort("the toolkit was closed");
    await this.#sources.close();
    await disposeAll(this.#container, this.#place.slots.log);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
