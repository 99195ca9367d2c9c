// `createCatalog`: the frozen view of an agent's tools, and the views of single steps made from it.
// It must not run tools or convert schemas before they are asked for; one unusable tool must not hurt the others.

import type { Catalog } from "../core/catalog.ts";
import type { Dialect, WireTool } from "../core/model.ts";
import type { SkippedTool } from "../core/source.ts";
import type { AnyTool, VisibilityQuestion } from "../core/tool.ts";
import { encodeJson, parseJson } from "../std/json.ts";
import { swallow } from "../std/soon.ts";
import { aliasesFor } from "./alias.ts";
import { withoutNulls } from "./dialects/left-out.ts";
import type { SchemaLoss } from "./dialects/schema-parts.ts";
import type { WireSchema } from "./wire-schema.ts";
import { toWireSchema } from "./wire-schema.ts";

export interface CatalogOptions {
  /** With names of their own, as `mergeTools` gives them; of two with one name the first counts. */
  readonly tools: readonly AnyTool[];
  /** By tool name: names of tools that must have succeeded before it is shown. */
  readonly requires?: Readonly<Record<string, readonly string[]>>;
  /** Wire names by own name. Without it illegal names get the aliases of `aliasesFor`. */
  readonly aliases?: ReadonlyMap<string, string>;
  /** Told, once each, of tools that are left out and why. A throw is the caller's. */
  readonly onSkip?: (skipped: SkippedTool) => void;
  /** Told, once each, of what a dialect cannot say of a tool's schema, when the tool is first put on the wire. */
  readonly onLoss?: (loss: ToolSchemaLoss) => void;
  /** Where schemas are made for more than this catalog. May throw as `toWireSchema` does. */
  readonly wireSchemaOf?: WireSchemaOf;
}

/** A tool's input schema as a dialect has it. */
export type WireSchemaOf = (tool: AnyTool, dialect: Dialect) => WireSchema;

/** What a provider is not told of a tool's input. */
export interface ToolSchemaLoss extends SchemaLoss {
  readonly tool: string;
  readonly dialect: Dialect;
}

/** Takes microseconds per tool: no schema is read. Never throws. */
export function createCatalog(options: CatalogOptions): Catalog {
  const stock = new Stock(options);
  return new View(stock, [...stock.byName.values()]);
}

/** What all views of one catalog share. */
class Stock {
  readonly byName: Map<string, AnyTool> = new Map();
  readonly aliases: ReadonlyMap<string, string>;
  readonly owners: ReadonlyMap<string, string>;
  /** Tools whose visibility depends on the step. */
  readonly gates: ReadonlyMap<AnyTool, Gate>;
  readonly broken: Set<AnyTool> = new Set();
  readonly views: Map<string, View> = new Map();
  readonly #wireTools: Map<Dialect, Map<AnyTool, WireTool>> = new Map();
  readonly #onSkip: (skipped: SkippedTool) => void;
  readonly #onLoss: (loss: ToolSchemaLoss) => void;
  readonly #wireSchemaOf: WireSchemaOf;

  constructor({ tools, requires = {}, aliases, ...options }: CatalogOptions) {
    const { onSkip = () => undefined, onLoss = () => undefined, wireSchemaOf = makeWireSchema } = options;
    this.#onSkip = onSkip;
    this.#onLoss = onLoss;
    this.#wireSchemaOf = wireSchemaOf;
    for (const tool of tools) {
      if (!this.byName.has(tool.name)) this.byName.set(tool.name, tool);
      else if (this.byName.get(tool.name) !== tool)
        onSkip({ name: tool.name, reason: "another tool has the same name" });
    }
    this.aliases = aliases ?? aliasesFor(this.byName.keys());
    this.owners = new Map([...this.aliases].map(([own, alias]) => [alias, own]));
    this.gates = gatesOf(this.byName, requires);
  }

  /** The tool as a model is told about it; `undefined` for one that cannot be told. */
  wireTool(tool: AnyTool, dialect: Dialect): WireTool | undefined {
    let wireTools = this.#wireTools.get(dialect);
    if (wireTools === undefined) this.#wireTools.set(dialect, (wireTools = new Map()));
    let wireTool = wireTools.get(tool);
    if (wireTool === undefined && !this.broken.has(tool)) {
      try {
        const wire = this.#wireSchemaOf(tool, dialect);
        wireTool = toWireTool(tool, this.aliases.get(tool.name) ?? tool.name, wire);
        for (const { path, what } of wire.losses) this.#onLoss({ tool: tool.name, dialect, path, what });
        wireTools.set(tool, wireTool);
      } catch (error) {
        this.broken.add(tool);
        this.#onSkip({ name: tool.name, reason: error instanceof Error ? error.message : String(error) });
      }
    }
    return wireTool;
  }
}

function makeWireSchema(tool: AnyTool, dialect: Dialect): WireSchema {
  return toWireSchema(tool.inputSchema, dialect, tool.strict);
}

/** Whether a tool is shown. */
type Gate = (question: VisibilityQuestion) => boolean;

class View implements Catalog {
  readonly tools: readonly AnyTool[];
  readonly #stock: Stock;
  readonly #byName: ReadonlyMap<string, AnyTool>;
  readonly #wires: Map<Dialect, readonly WireTool[]> = new Map();

  constructor(stock: Stock, tools: readonly AnyTool[]) {
    this.tools = Object.freeze(tools);
    this.#stock = stock;
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
    Object.freeze(this);
  }

  at(step: number, executed: readonly string[]): Catalog {
    const { gates, byName, views } = this.#stock;
    if (gates.size === 0) return this;
    // A copy: a condition that sorts the list must not change the run's own.
    const question: VisibilityQuestion = Object.freeze({ step, executed: Object.freeze([...executed]) });
    const hidden = new Set<AnyTool>();
    let key = "";
    for (const [tool, isShown] of gates) {
      if (!isShown(question)) hidden.add(tool);
      key += hidden.has(tool) ? "0" : "1";
    }
    let view = views.get(key);
    if (view === undefined) {
      // A catalog lives as long as its application; sets of visible tools may be many.
      if (views.size >= mostViews) views.clear();
      view = new View(
        this.#stock,
        [...byName.values()].filter((tool) => !hidden.has(tool)),
      );
      views.set(key, view);
    }
    return view;
  }

  find(name: string): AnyTool | undefined {
    const tool = this.#byName.get(name);
    const { broken } = this.#stock;
    return tool === undefined || (broken.size > 0 && broken.has(tool)) ? undefined : tool;
  }

  known(name: string): AnyTool | undefined {
    return this.#stock.byName.get(name);
  }

  wire(dialect: Dialect): readonly WireTool[] {
    let wire = this.#wires.get(dialect);
    if (wire === undefined) {
      wire = Object.freeze(this.tools.flatMap((tool) => this.#stock.wireTool(tool, dialect) ?? []));
      this.#wires.set(dialect, wire);
    }
    return wire;
  }

  inputFromWire(name: string, input: string, dialect: Dialect): string {
    const tool = dialect === "openai" ? this.find(this.fromWire(name)) : undefined;
    // Only a strict schema has a model write `null` for what it leaves out.
    if (tool === undefined || this.#stock.wireTool(tool, dialect)?.strict !== true) return input;
    const parsed = parseJson(input);
    if (!parsed.ok) return input;
    const own = withoutNulls(tool.inputSchema, parsed.value);
    return own === parsed.value ? input : encodeJson(own);
  }

  fromWire(name: string): string {
    const { owners } = this.#stock;
    return owners.size === 0 ? name : (owners.get(name) ?? name);
  }
}

const mostViews = 256;

/** The tools with conditions. A condition that throws, or says anything but `true`, hides. */
function gatesOf(
  tools: ReadonlyMap<string, AnyTool>,
  requires: Readonly<Record<string, readonly string[]>>,
): Map<AnyTool, Gate> {
  const gates = new Map<AnyTool, Gate>();
  for (const tool of tools.values()) {
    const needed = Object.hasOwn(requires, tool.name) ? requires[tool.name] : undefined;
    if (needed === undefined && tool.visibleWhen === undefined) continue;
    gates.set(tool, (question) => {
      try {
        if (needed !== undefined && !needed.every((name) => question.executed.includes(name))) return false;
        if (tool.visibleWhen === undefined) return true;
        const answer: unknown = tool.visibleWhen(question);
        swallow(answer);
        return answer === true;
      } catch {
        return false;
      }
    });
  }
  return gates;
}

function toWireTool(tool: AnyTool, name: string, { schema, strict }: WireSchema): WireTool {
  return Object.freeze({
    type: "function",
    name,
    description: tool.description,
    inputSchema: schema,
    ...(tool.examples !== undefined && { inputExamples: tool.examples.map((input) => ({ input })) }),
    ...(strict !== undefined && { strict }),
  });
}
