// A value as messages to developers show it: short, whatever it is.
// It must not throw, nor be used for what a model or an event gets: nothing is masked.

/** JSON of at most 80 characters; what has none by its kind. */
export function showValue(value: unknown): string {
  if (typeof value === "function") return value.name === "" ? "a function" : value.name;
  try {
    const json = JSON.stringify(value);
    if (json !== undefined) return json.length <= 80 ? json : `${json.slice(0, 79)}…`;
  } catch {
    // A bigint, a cycle, a getter that throws.
  }
  return typeof value === "bigint" ? `${value}n` : typeof value;
}
