// What decorators note on a class, the same under both decorator systems: legacy ones are given the class or its
// prototype, TC39 ones the metadata object that the class gets. Notes lie on those under registered symbols, so that
// classes decorated by another copy of the package are understood.
// It must not read reflection metadata, nor anything else that a compiler has to be told to write.

// A class gets its metadata object only where this symbol exists when it is defined.
(Symbol as { metadata?: symbol }).metadata ??= Symbol.for("Symbol.metadata");

/** A class of any constructor, abstract ones too. */
export type AnyClass<Instance = object> = abstract new (...args: never[]) => Instance;

/** The note on a class that is being decorated, made where it is the first. Subclasses do not share it. */
export function noteOn<Note>(holder: object, key: symbol, make: () => Note): Note {
  if (!Object.hasOwn(holder, key)) Object.defineProperty(holder, key, { value: make(), configurable: true });
  return (holder as { [key: symbol]: Note })[key]!;
}

/** What a class itself was noted with, without what it inherits. */
export function ownNote<Note>(type: object, key: symbol): Note | undefined {
  const metadata = Object.hasOwn(type, metadataKey()) ? (type as Holder)[metadataKey()] : undefined;
  const holder = [type, metadata].find((each) => isObject(each) && Object.hasOwn(each, key));
  return holder === undefined ? undefined : ((holder as Holder)[key] as Note);
}

/** The notes of a class and of those it extends, the topmost first. */
export function notesOf<Note>(type: object, key: symbol): readonly Note[] {
  return classChain(type).flatMap((each) => ownNote<Note>(each, key) ?? []);
}

/** The classes a class extends and itself, the topmost first. */
export function classChain(type: object): readonly AnyClass[] {
  const chain: AnyClass[] = [];
  for (
    let each: object | null = type;
    isObject(each) && each !== Function.prototype;
    each = Object.getPrototypeOf(each)
  )
    chain.unshift(each as AnyClass);
  return chain;
}

/** A method of a class or of one it extends. Getters are not called: they may read what only an instance has. */
export function methodOf(type: AnyClass, name: PropertyKey): object | undefined {
  for (const { prototype } of classChain(type).toReversed()) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype ?? {}, name);
    if (descriptor !== undefined) return typeof descriptor.value === "function" ? descriptor.value : undefined;
  }
  return undefined;
}

/** Told by its source text, as both are functions: `class` syntax is what every compiler writes since ES2015. */
export function isClass(value: unknown): value is AnyClass {
  return typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
}

type Holder = { readonly [key: symbol]: unknown };

function metadataKey(): symbol {
  return (Symbol as { metadata?: symbol }).metadata ?? Symbol.for("Symbol.metadata");
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
