// Durations, sizes and amounts of money as values that carry their unit.
// A bare number is ambiguous (ms or s? bytes or kilobytes?), so bounds in definitions take these instead.
// It must not judge a number: whether `seconds(-1)` makes sense is checked, with its place, at assembly.

/** A span of time, in milliseconds. */
export interface Duration {
  readonly kind: "duration";
  readonly ms: number;
}

/** An amount of data, in bytes. */
export interface Size {
  readonly kind: "size";
  readonly bytes: number;
}

/** An amount of money, in US dollars. */
export interface Money {
  readonly kind: "money";
  readonly usd: number;
}

/** `n` milliseconds. Never throws; the result is frozen. */
export function milliseconds(n: number): Duration {
  return Object.freeze({ kind: "duration", ms: n });
}

/** `n` seconds of 1,000 ms. */
export function seconds(n: number): Duration {
  return milliseconds(n * 1_000);
}

/** `n` minutes of 60 s. */
export function minutes(n: number): Duration {
  return milliseconds(n * 60_000);
}

/** `n` hours of 60 min. */
export function hours(n: number): Duration {
  return milliseconds(n * 3_600_000);
}

/** `n` days of 24 h, whatever the calendar says about a switch of daylight saving time. */
export function days(n: number): Duration {
  return milliseconds(n * 86_400_000);
}

/** `n` bytes. Never throws; the result is frozen. */
export function bytes(n: number): Size {
  return Object.freeze({ kind: "size", bytes: n });
}

/** `n` kilobytes of 1,024 bytes. */
export function kilobytes(n: number): Size {
  return bytes(n * 1_024);
}

/** `n` megabytes of 1,024 kilobytes. */
export function megabytes(n: number): Size {
  return bytes(n * 1_048_576);
}

/** `n` US dollars; parts of a cent are kept. Never throws; the result is frozen. */
export function usd(n: number): Money {
  return Object.freeze({ kind: "money", usd: n });
}
