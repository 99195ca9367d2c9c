// The mapping from any value there is to JSON data; json.ts documents it, rule by rule.
// It must end, on any input, in bounded time and stack, and must not throw.

import { maxDepth, maxParts, partsOf } from "./json-limits.ts";

/** The JSON data that stands for a value; what an object would leave out is null. */
export function jsonForm(value: unknown): unknown {
  return new Mapping().map(value) ?? null;
}

type Fields = Record<string, unknown>;

class Mapping {
  /** The objects that the one being read lies in, outermost first. */
  readonly #around: object[] = [];
  #left = maxParts;

  /** Undefined stands for what an object leaves out. */
  map(value: unknown): unknown {
    this.#left -= typeof value === "string" ? partsOf(value) : 1;
    if (this.#left < 0) return "[too large]";
    switch (typeof value) {
      case "string":
        return value.toWellFormed();
      case "number":
        return Number.isFinite(value) ? value : String(value);
      case "bigint":
        return String(value);
      case "boolean":
        return value;
      case "object":
        return value === null ? null : this.#object(value, false);
      default:
        return undefined;
    }
  }

  /** @param isAnswer whether a toJSON returned it; then its own toJSON is not asked, as in JSON.stringify. */
  #object(value: object, isAnswer: boolean): unknown {
    if (this.#around.includes(value)) return "[circular]";
    if (this.#around.length >= maxDepth) return "[nested too deep]";
    this.#around.push(value);
    try {
      const answer = isAnswer ? value : askToJson(value);
      if (answer === value) return this.#parts(value);
      return typeof answer === "object" && answer !== null ? this.#object(answer, true) : this.map(answer);
    } catch {
      return "[unreadable]";
    } finally {
      this.#around.pop();
    }
  }

  #parts(value: object): unknown {
    if (Array.isArray(value)) return this.#list(value);
    if (value instanceof Error) return this.#error(value);
    if (isBinary(value)) return { type: this.map(tagOf(value)), bytes: value.byteLength };
    // The built-in iterators, as those of a subclass may never end.
    if (value instanceof Map) return this.#entries([...Map.prototype.entries.call(value)]);
    if (value instanceof Set) return this.#list([...Set.prototype.values.call(value)]);
    if (value instanceof RegExp) return this.map(String(value));
    if (isBoxed(value)) return this.map(value.valueOf());
    return this.#fields(value as Fields, Object.keys(value));
  }

  #list(items: readonly unknown[]): unknown[] {
    const list: unknown[] = [];
    for (let index = 0; index < items.length && this.#left >= 0; index++) {
      list.push(this.#read(items as unknown as Fields, index) ?? null);
    }
    return list;
  }

  #entries(entries: [unknown, unknown][]): unknown {
    if (!entries.every(([key]) => typeof key === "string")) return this.#list(entries);
    const fields: Fields = {};
    for (const [key, item] of entries as [string, unknown][]) {
      if (this.#left < 0) break;
      put(fields, key, this.map(item));
    }
    return fields;
  }

  #error(error: Error): Fields {
    const own = Object.keys(error).filter((key) => key !== "stack" && key !== "cause");
    const keys = ["name", "message", ...own];
    if (error.cause instanceof Error) keys.push("cause");
    return this.#fields(error as unknown as Fields, keys);
  }

  #fields(value: Fields, keys: readonly string[]): Fields {
    const fields: Fields = {};
    for (const key of keys) {
      if (this.#left < 0) break;
      put(fields, key, this.#read(value, key));
    }
    return fields;
  }

  #read(value: Fields, key: string | number): unknown {
    let part: unknown;
    try {
      part = value[key];
    } catch {
      return "[unreadable]";
    }
    return this.map(part);
  }
}

function askToJson(value: object): unknown {
  if (value instanceof Error || isBinary(value)) return value;
  const toJson = (value as { readonly toJSON?: unknown }).toJSON;
  return typeof toJson === "function" ? toJson.call(value, "") : value;
}

function put(fields: Fields, key: string, value: unknown): void {
  // Setting `__proto__` would change the prototype; a field of that name would change that of the next copy.
  if (key !== "__proto__" && value !== undefined) fields[key.toWellFormed()] = value;
}

function isBinary(value: object): value is ArrayBufferView | ArrayBuffer | SharedArrayBuffer {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
}

function isBoxed(value: object): boolean {
  return value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof BigInt;
}

/** `Uint8Array` for a view of that kind, Node's Buffer among them. */
function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
