// Numbers as people and models read them, in texts that tests and models rely on word for word.
// It must not depend on the locale of the machine.

/**
 * A duration in its largest fitting unit: `50 ms`, `1.5 s`, `90 s`, `2 min`.
 * Minutes appear only for whole minutes; one decimal at most.
 */
export function formatDuration(ms: number): string {
  const tenths = roundToTenth(ms);
  if (!(tenths >= 1_000)) return `${tenths} ms`;
  const seconds = roundToTenth(ms / 1_000);
  return seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** An integer with commas between groups of three digits: `1,048,587`. A fraction is rounded. */
export function formatInteger(n: number): string {
  if (!Number.isFinite(n)) return String(n);
  // BigInt, because String(1e21) is "1e+21".
  return BigInt(Math.round(n))
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A size in its largest unit that leaves a whole number: `64 KB`, `1 MB`, `1,500 bytes`. */
export function formatSize(bytes: number): string {
  if (bytes >= 1_048_576 && bytes % 1_048_576 === 0) return `${formatInteger(bytes / 1_048_576)} MB`;
  return bytes >= 1_024 && bytes % 1_024 === 0 ? `${formatInteger(bytes / 1_024)} KB` : `${formatInteger(bytes)} bytes`;
}

function roundToTenth(n: number): number {
  return Math.round(n * 10) / 10;
}
