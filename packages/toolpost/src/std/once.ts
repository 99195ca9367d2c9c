// What is made when it is first needed, and kept.
// For what costs time to make and is not needed by every process, such as patterns.

/** @example const pattern = once(() => new RegExp("…")); pattern().test(text); */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
