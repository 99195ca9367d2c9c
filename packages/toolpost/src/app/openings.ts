// What an application opens once, when it is first needed: its sources, what providers are told of its tools, its log.
// Each comes with its own code, which an application that needs none of it does not load.

import type { Log } from "../core/govern.ts";
import type { AssembledOptions } from "./app-options.ts";
import type { OpenSources } from "./open-sources.ts";
import type { WireSchemas } from "./schema-losses.ts";

export class Openings {
  readonly #options: AssembledOptions;
  #sources: Promise<OpenSources> | undefined;
  #schemas: Promise<WireSchemas> | undefined;

  constructor(options: AssembledOptions) {
    this.#options = options;
  }

  sources(): Promise<OpenSources> {
    this.#sources ??= this.#openSources();
    return this.#sources;
  }

  async #openSources(): Promise<OpenSources> {
    const { openSources } = await import("./open-sources.ts");
    return openSources(this.#options, await this.log());
  }

  schemas(): Promise<WireSchemas> {
    this.#schemas ??= this.#openSchemas();
    return this.#schemas;
  }

  /** What providers cannot be told is told at once. */
  async #openSchemas(): Promise<WireSchemas> {
    const { tellLosses, wireSchemas } = await import("./schema-losses.ts");
    const schemas = wireSchemas(await this.log());
    tellLosses(this.#options, schemas);
    return schemas;
  }

  /** Masked as results are, so it comes with what calls tools. */
  async log(): Promise<Log> {
    const { createCallSlots } = await import("./call-slots.ts");
    return createCallSlots(this.#options).log;
  }

  async close(): Promise<void> {
    // What is told of schemas is told before the end.
    await this.#schemas?.catch(() => undefined);
    // Sources that could not be opened have nothing to close; whoever asked for them was told.
    const sources = await this.#sources?.catch(() => undefined);
    await sources?.close();
  }
}
