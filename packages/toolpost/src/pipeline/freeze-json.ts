// Freezes plain data to its depths: arguments stay what was validated, decided and approved.
// Instances (dates, objects of classes) are left alone: they belong to the schema library and the author.

export function freezeJson(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return;
  Object.freeze(value);
  for (const key of Object.keys(value)) freezeJson((value as Record<string, unknown>)[key]);
}
