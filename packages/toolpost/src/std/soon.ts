// Values that may still be to come. The governed call is written so that what is synchronous stays so: a promise for each
// of its steps costs more than all of them together.
// It must not take a value for a promise because it looks like one, nor miss one of another library.

/** Whether awaiting the value would wait. False when that cannot be found out (a `then` that throws). */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  try {
    return typeof (value as { readonly then?: unknown }).then === "function";
  } catch {
    return false;
  }
}

/** A value that may still be to come. Awaiting it always works; `andThen` costs nothing where it is there. */
export type Soon<T> = T | PromiseLike<T>;

/**
 * What `next` makes of a value: at once where it is there, once it comes where it is a promise. What `next` needs besides
 * is handed through as `about`, as a closure for each step of each call costs what it saves.
 */
export function andThen<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R>;
export function andThen<T, R, About>(value: Soon<T>, next: (value: T, about: About) => Soon<R>, about: About): Soon<R>;
export function andThen<T, R, About>(
  value: Soon<T>,
  next: (value: T, about: About) => Soon<R>,
  about?: About,
): Soon<R> {
  return isPromiseLike(value) ? value.then((settled) => next(settled, about as About)) : next(value, about as About);
}

/** Lets a promise that nobody awaits fail without ending the process; anything else passes. */
export function swallow(value: unknown): void {
  // By a promise of ours: a foreign one need not take two functions, nor be safe to ask.
  if (isPromiseLike(value)) Promise.resolve(value).catch(() => undefined);
}
