// What counts as an object of fields everywhere: no list, and not null.
// It must not ask for a prototype: instances have fields too.

export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
