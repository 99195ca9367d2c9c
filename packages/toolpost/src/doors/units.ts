// The door `toolpost/units`: durations, sizes and money,
// so that no bare number has to be guessed at.

export type { Duration, Money, Size } from "../std/units.ts";
export { bytes, days, hours, kilobytes, megabytes, milliseconds, minutes, seconds, usd } from "../std/units.ts";
