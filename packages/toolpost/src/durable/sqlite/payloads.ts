// How a value lies in the store: as JSON text with its version and type, through the codec where there is one, and beside
// the tables where it is large. Large ones are found by their hash, so that the same text is kept once.
// What cannot be decoded is refused in words; it must never be taken for something else.

import { ToolpostError } from "../../core/errors.ts";
import type { Json } from "../../std/json.ts";
import { encodeJson } from "../../std/json.ts";
import type { Database, Statement } from "./database.ts";
import { preparedWhenUsed } from "./database.ts";
import { upcast, valueVersion } from "./upcast.ts";

/** Turns every stored payload into other bytes and back, such as encrypted ones. Both are synchronous. */
export interface Codec {
  encode(bytes: Uint8Array): Uint8Array;
  decode(bytes: Uint8Array): Uint8Array;
}

/** As it lies in a column. Text that starts with `@` names a payload; JSON never does. */
export type Stored = string | Uint8Array;

/** Characters or bytes; what is longer lies beside. */
export const inlineLimit: number = 64 * 1_024;

const texts = {
  keep: "insert or ignore into payloads(hash, bytes) values(?, ?)",
  use: "insert or ignore into payload_uses(run, hash) values(?, ?)",
  find: "select bytes from payloads where hash = ?",
  collect: "delete from payloads where not exists(select 1 from payload_uses where payload_uses.hash = payloads.hash)",
};

export class Payloads {
  readonly #codec: Codec | undefined;
  readonly #statements: Readonly<Record<keyof typeof texts, Statement>>;

  constructor(db: Database, codec: Codec | undefined) {
    this.#codec = codec;
    this.#statements = preparedWhenUsed(db, texts);
  }

  /** Made before the transaction: a codec may be slow, and may throw. `plain` says that it is JSON data already. */
  write(type: string, value: Json, plain = false): Stored {
    const json = plain ? JSON.stringify(value) : encodeJson(value);
    return this.encode(`{"v":${valueVersion},"type":"${type}","value":${json}}`);
  }

  read(stored: unknown): Json {
    const text = this.decode(stored as Stored);
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      // Its error would quote what could not be decoded.
      throw unreadable("is not JSON");
    }
    return upcast(parsed).value;
  }

  /** Within a transaction: a large value goes beside, as one that the run uses. Gives what the column is to hold. */
  put(run: number, stored: Stored): Stored {
    if (stored.length <= inlineLimit) return stored;
    const hash = hashOf(stored);
    this.#statements.keep.run(hash, stored);
    this.#statements.use.run(run, hash);
    return `@${hash}`;
  }

  /** Deletes what no run uses any more. */
  collect(): void {
    this.#statements.collect.run();
  }

  encode(text: string): Stored {
    if (this.#codec === undefined) return text;
    let bytes: unknown;
    try {
      bytes = this.#codec.encode(Buffer.from(text));
    } catch (error) {
      throw new ToolpostError("engine.codec", "the engine's codec could not encode a value", { cause: error });
    }
    if (bytes instanceof Uint8Array) return bytes;
    throw new ToolpostError("engine.codec", "the engine's codec must give a Uint8Array from `encode`, at once");
  }

  decode(stored: Stored): string {
    let found = stored;
    if (typeof found === "string") {
      if (!found.startsWith("@")) return found;
      const row = this.#statements.find.get(found.slice(1)) as { readonly bytes: Stored } | undefined;
      if (row === undefined) throw unreadable("lies beside its run and is not there any more");
      found = row.bytes;
      if (typeof found === "string") return found;
    }
    if (this.#codec === undefined) throw unreadable("was written through a codec, and the engine has none");
    try {
      return Buffer.from(this.#codec.decode(found)).toString();
    } catch (error) {
      throw unreadable("could not be decoded by the engine's codec", error);
    }
  }
}

function unreadable(why: string, cause?: unknown): ToolpostError {
  return new ToolpostError("engine.unreadable", `a stored value ${why}`, { cause });
}

function hashOf(stored: Stored): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", stored, "hex");
}
