// Marks on objects by registered symbols: what carries one is told in any copy of the package, without `instanceof`.
// Reading a mark must be safe on anything at all: proxies can throw at every read.

/** On prototypes of classes whose instances are data: they are frozen like plain objects. */
export const plainDataMark: symbol = Symbol.for("toolpost.plain-data");

/** Puts a hidden mark on an object. */
export function mark<T extends object>(value: T, symbol: symbol): T {
  return Object.defineProperty(value, symbol, { value: true });
}

export function isMarked(value: unknown, symbol: symbol): boolean {
  try {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[symbol] === true;
  } catch {
    return false;
  }
}
