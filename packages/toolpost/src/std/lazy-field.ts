// Fields of plain data that are made when first read: part of a copy, a comparison or JSON like any other.
// One shared getter and a private note on the object: a getter of its own would give each object a shape of its own,
// which costs ten times as much as the object. Nothing of the note can be reached from outside.

/**
 * Makes a function that gives objects the enumerable field `key`; an object can have one such field. What `make` gives
 * for an object's state is kept.
 * @example const withInput = lazyField("input", (call: ToolCall) => shownInput(call)); withInput(event, call);
 */
export function lazyField<State, Value>(
  key: string,
  make: (state: State) => Value,
): (object: object, state: State) => void {
  function get(this: object): Value {
    return Note.read(this as Note, make as (state: unknown) => unknown) as Value;
  }
  return (object, state) => {
    new Note(object, state);
    defineGetter.call(object, key, get);
  };
}

/** Enumerable and configurable. With no descriptor to read it takes three quarters of what `defineProperty` does. */
const defineGetter: (this: object, key: string, get: () => unknown) => void = (
  Object.prototype as unknown as { readonly __defineGetter__: typeof defineGetter }
).__defineGetter__;

/** A class that extends it puts its private fields on the object it is given. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is what puts the fields on the object
    return object;
  }
}

class Note extends Given {
  /** What the value is made of, then the value as it was made. */
  #state: unknown;

  constructor(object: object, state: unknown) {
    super(object);
    this.#state = state;
  }

  /** `undefined` for what only stands for the object, as a proxy does: nothing of the note can be reached through it. */
  static read(reader: Note, make: (state: unknown) => unknown): unknown {
    let object: Note | null = reader;
    while (object !== null && !(#state in object)) object = Object.getPrototypeOf(object) as Note | null;
    if (object === null) return undefined;
    if (object.#state instanceof Made) return object.#state.value;
    const value = make(object.#state);
    object.#state = new Made(value);
    return value;
  }
}

class Made {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}
