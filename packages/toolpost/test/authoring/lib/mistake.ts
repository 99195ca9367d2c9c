// One mistake of an author: what is put together, and the lines that say what is wrong.
import type { AppOptions } from "../../../src/doors/index.ts";

export interface Mistake {
  readonly says: readonly string[];
  readonly options: AppOptions;
}
