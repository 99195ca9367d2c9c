// Objects that a DTO class or map can be read from. A Map, a Promise or a Date has no fields of its own: it would pass
// for an empty object, and what it holds would be lost.
// A model writes plain objects only; a program may give instances of its own classes too.

/** What an object is called that fields cannot be read from; `undefined` for one they can. */
export function oddKind(value: object, isNative: boolean): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return undefined;
  let kind = kinds.get(prototype as object);
  if (kind === undefined) {
    kind = kindOfPrototype(prototype as object);
    kinds.set(prototype as object, kind);
  }
  return kind.isPlain || (isNative && !kind.isBuiltIn) ? undefined : kind.name;
}

/** True for what JavaScript or its host gives, such as `Map` or `URL`. A global that somebody assigned is enumerable. */
export function isBuiltIn(type: unknown): type is { readonly name: string } {
  if (typeof type !== "function") return false;
  const name: unknown = Object.getOwnPropertyDescriptor(type, "name")?.value;
  if (typeof name !== "string" || !Object.hasOwn(globalThis, name)) return false;
  return (globalThis as Globals)[name] === type && !Object.prototype.propertyIsEnumerable.call(globalThis, name);
}

type Globals = Readonly<Record<string, unknown>>;

interface Kind {
  readonly name: string;
  /** Of `Object` itself, of another realm's too. */
  readonly isPlain: boolean;
  /** Of what JavaScript gives, or of a class that extends it. */
  readonly isBuiltIn: boolean;
}

/** Each class is looked at once. */
const kinds: WeakMap<object, Kind> = new WeakMap();

function kindOfPrototype(prototype: object): Kind {
  const names: string[] = [];
  let isOfBuiltIn = false;
  for (let each: object | null = prototype; each !== null; each = Object.getPrototypeOf(each)) {
    const type: unknown = Object.getOwnPropertyDescriptor(each, "constructor")?.value;
    if (typeof type !== "function" || type.name === "Object") continue;
    names.push(type.name);
    isOfBuiltIn ||= isBuiltIn(type);
  }
  const [name = "Object"] = names;
  return { name: name || "an instance of a class", isPlain: names.length === 0, isBuiltIn: isOfBuiltIn };
}
