// The door `toolpost/sqlite`: runs that survive crashes and deploys, in one file, with nothing to start.
// It needs Node's own `node:sqlite` and no package.

export type { Codec } from "../durable/sqlite/payloads.ts";
export { memoryEngine, sqlite } from "../durable/sqlite/sqlite-engine.ts";
export type { SqliteOptions } from "../durable/sqlite/sqlite-options.ts";
