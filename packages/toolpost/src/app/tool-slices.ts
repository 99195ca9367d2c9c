// One tool of an application called alone, governed as a model's call is: for tests of a tool in its place.
// It finds the tool and the toolkit it is in; calling is the toolkit's.

import type { AnyClass } from "../author/classes/class-notes.ts";
import { isClass } from "../author/classes/class-notes.ts";
import { isToolInstance } from "../author/classes/class-tools.ts";
import type { DefinedTool } from "../author/define-tool.ts";
import { ToolpostError } from "../core/errors.ts";
import type { ToolResult } from "../core/result.ts";
import type { AnyTool } from "../core/tool.ts";
import { randomId } from "../std/id.ts";
import type { Assembly } from "./assemble.ts";
import type { DirectCallOptions, SliceOptions } from "./call-options.ts";
import { sliceRunId } from "./call-options.ts";
import { takeInvokeOptions } from "./start-options.ts";
import type { Toolkit } from "./toolkit.ts";

/** A tool of an application, called alone. */
export interface AppTool<T> {
  /**
   * Calls the tool in a run of its own, governed as a model's call is, with `tool-slice` as `callId`. Resolves with the
   * result, also of a refusal or failure; rejects where `toolkit.call` does, and with `tool.unknown` for a tool that is
   * not the application's. The input is as a model writes it.
   */
  invoke(input: WireOf<T>, options?: InvokeOptions): Promise<ToolResult>;
}

type WireOf<T> = T extends DefinedTool<infer Wire, infer _Parsed, infer _Output, infer _Returned> ? Wire : unknown;

export type InvokeOptions = Omit<DirectCallOptions, "callId">;

export class ToolSlices {
  readonly #assembly: Assembly;
  readonly #open: (agent: string | undefined) => Promise<Toolkit>;
  /** Opened once for each owner: an agent's tools may have the names of another's. */
  readonly #toolkits = new Map<string | undefined, Promise<Toolkit>>();

  /** @param open gives the toolkit of an agent, or without a name that of the whole application */
  constructor(assembly: Assembly, open: (agent: string | undefined) => Promise<Toolkit>) {
    this.#assembly = assembly;
    this.#open = open;
  }

  tool<T extends AnyTool | AnyClass | string>(tool: T): AppTool<T> {
    return {
      invoke: async (input, options = {}) => {
        const taken = takeInvokeOptions(options);
        const { name, owner } = this.#chosen(tool);
        const slice: SliceOptions = { ...taken, callId: "tool-slice", [sliceRunId]: randomId("run_") };
        return (await this.#toolkitOf(owner)).call(name, input, slice);
      },
    };
  }

  #toolkitOf(owner: string | undefined): Promise<Toolkit> {
    const opened = this.#toolkits.get(owner) ?? this.#open(owner);
    this.#toolkits.set(owner, opened);
    opened.catch(() => this.#toolkits.delete(owner));
    return opened;
  }

  #chosen(tool: AnyTool | AnyClass | string): { readonly name: string; readonly owner?: string | undefined } {
    if (typeof tool === "string") return { name: tool };
    const [found, ...more] = isClass(tool) ? this.#assembly.toolsOf(tool) : [tool];
    const owners = found === undefined ? [] : this.#ownersOf(found);
    if (found !== undefined && owners.length > 0 && more.length === 0) return { name: found.name, owner: owners[0] };
    const name = shownTool(tool);
    throw new ToolpostError(
      "tool.unknown",
      more.length > 0
        ? `the class ${name} has ${more.length + 1} tools: name one of them`
        : `${name} is no tool of this application: give it in \`tools\``,
    );
  }

  /** Agents that have the tool; `undefined` for the application itself, first. */
  #ownersOf(tool: AnyTool): (string | undefined)[] {
    const { tools = [], agents = [] } = this.#assembly.options;
    const owners: (string | undefined)[] = tools.includes(tool) ? [undefined] : [];
    return [...owners, ...agents.filter((agent) => agent.tools.includes(tool)).map(({ name }) => name)];
  }
}

function shownTool(tool: unknown): string {
  if (isToolInstance(tool)) return `an instance of ${tool.constructor.name}`;
  return `"${String((tool as { readonly name?: unknown } | undefined)?.name)}"`;
}
