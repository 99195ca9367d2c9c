// The frozen view of tools that one caller has in one step.
// Types only; made by the catalog folder.

import type { Dialect, WireTool } from "./model.ts";
import type { AnyTool } from "./tool.ts";

/**
 * Tools of one agent or toolkit. Immutable. `at` gives the view of one step: hidden tools are neither in `tools`, nor
 * found by `find`, nor on the wire. A view is made once where nothing depends on the step.
 */
export interface Catalog {
  readonly tools: readonly AnyTool[];
  at(step: number, executed: readonly string[]): Catalog;
  /** By own name; `undefined` for unknown and hidden ones alike. Names of `Object.prototype` are unknown. */
  find(name: string): AnyTool | undefined;
  /** By own name, also one that is hidden in this step: a call of it may have been decided before. */
  known(name: string): AnyTool | undefined;
  /** As the model is told; the same array each time for one view and dialect. */
  wire(dialect: Dialect): readonly WireTool[];
  /**
   * The arguments of a call as the tool's own schema has them: a dialect may have a model write `null` for what is left out.
   * The same text wherever nothing is to be changed.
   */
  inputFromWire(name: string, input: string, dialect: Dialect): string;
  /** The own name behind a name the model used; the same name where there is no alias. */
  fromWire(name: string): string;
}
