// Times as somebody reads them who was woken up: when, and how long ago.
// Always in UTC, so that what two people read on two machines, and what stands in logs, is the same.

/** `2026-11-30 18:25:48`, in UTC. */
export function shownTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace("T", " ");
}

/** `2026-11-30 18:25:48 UTC, 3 min ago`; what lies ahead is `in 3 min`. */
export function shownMoment(at: number, now: number): string {
  return `${shownTime(at)} UTC, ${at > now ? `in ${shownSpan(at - now)}` : `${shownSpan(now - at)} ago`}`;
}

/** In the largest unit of which there are two: `90 s`, `3 min`, `47 h`, `5 d`. */
export function shownSpan(ms: number): string {
  const [size, unit] = units.find(([least]) => ms >= 2 * least) ?? second;
  return `${Math.max(Math.floor(ms / size), 0)} ${unit}`;
}

const second = [1_000, "s"] as const;
const units = [[86_400_000, "d"], [3_600_000, "h"], [60_000, "min"], second] as const;
