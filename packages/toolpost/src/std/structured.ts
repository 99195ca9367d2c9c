// Values that are more than JSON as a text that gives the same values again: dates, big integers, maps, sets, bytes,
// `undefined` and numbers that JSON lacks. What it could not give back as it was, such as an instance of a class, it leaves
// to its caller.

/** `undefined` where something in the value would not come back as it is. Never throws. */
export function toStructured(value: unknown): string | undefined {
  try {
    if (!comesBack(value, new Set())) return undefined;
    return Buffer.from(process.getBuiltinModule("node:v8").serialize(value)).toString("base64");
  } catch {
    return undefined;
  }
}

/** A value of its own each time. Throws for a text that is none of `toStructured`, or of a newer Node. */
export function fromStructured(text: string): unknown {
  return process.getBuiltinModule("node:v8").deserialize(Buffer.from(text, "base64"));
}

function comesBack(value: unknown, above: Set<unknown>): boolean {
  if (typeof value === "function" || typeof value === "symbol") return false;
  if (typeof value !== "object" || value === null) return true;
  // A part that stands in two places comes back as one: whoever made it so sees no difference.
  if (above.has(value)) return true;
  above.add(value);
  switch (Object.getPrototypeOf(value)) {
    case Object.prototype:
      return everyPart(value, above);
    case Array.prototype:
      return Object.keys(value).length === (value as readonly unknown[]).length && everyPart(value, above);
    case Map.prototype:
      return [...(value as Map<unknown, unknown>)].flat().every((part) => comesBack(part, above));
    case Set.prototype:
      return [...(value as Set<unknown>)].every((part) => comesBack(part, above));
    case Date.prototype:
    case Uint8Array.prototype:
      return true;
    default:
      return false;
  }
}

function everyPart(value: object, above: Set<unknown>): boolean {
  return Reflect.ownKeys(value).every((key) => {
    const { value: part, enumerable, get, set } = Object.getOwnPropertyDescriptor(value, key) as PropertyDescriptor;
    if (Array.isArray(value) && key === "length") return true;
    return (
      typeof key === "string" && enumerable === true && get === undefined && set === undefined && comesBack(part, above)
    );
  });
}
