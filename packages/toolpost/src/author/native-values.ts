// Dates and bigints between JSON and a handler: on the wire a date is text (RFC 3339) and a bigint is digits, in the
// handler they are `Date` and `bigint`. Where a library's schema wants them is marked in its JSON Schema.
// It must not guess: what does not read as such a value stays as it is, so that the library refuses it.

import type { JsonSchema } from "../core/schema.ts";

export type NativeKind = "date" | "bigint";

/** The key of a mark. It is taken out before a model sees the schema. */
export const markKey = "x-toolpost-native";

/** The kind a schema is marked with. */
export function markOf(schema: JsonSchema): NativeKind | undefined {
  const mark = schema[markKey];
  return mark === "date" || mark === "bigint" ? mark : undefined;
}

/** A copy of the schema as a model sees it: marks replaced by the types on the wire. */
export function withoutMarks(schema: JsonSchema): JsonSchema {
  return copyOf(schema) as JsonSchema;
}

/** The native value that is written so, or what is written where that is none. */
export function readNative(kind: NativeKind, written: unknown): unknown {
  return kind === "date" ? readDate(written) : readBigint(written);
}

/** What the model is told in place of a library's `expected date, received string`. */
export const nativeExpected: Readonly<Record<NativeKind, string>> = {
  date: "expected a date such as 2026-01-31, or a date and time with its offset such as 2026-01-31T09:30:00Z",
  bigint: 'expected an integer written as digits, such as "42"',
};

const onWire: Readonly<Record<NativeKind, JsonSchema>> = {
  date: { type: "string", format: "date-time" },
  bigint: { type: "string", pattern: "^-?\\d+$" },
};

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== "object" || value === null) return value;
  const kind = markOf(value as JsonSchema);
  // A choice among literals says itself what they look like.
  const wire = kind === undefined || "enum" in value ? {} : onWire[kind];
  const entries = Object.entries(value).filter(([key]) => key !== markKey && !Object.hasOwn(wire, key));
  return { ...wire, ...Object.fromEntries(entries.map(([key, part]) => [key, copyOf(part)])) };
}

/**
 * RFC 3339: a full date, alone or with a time and its offset. A time without offset means nothing certain. Hours end at
 * 23, and seconds at 59, as a `Date` has no leap seconds.
 */
const dateText: RegExp =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

function readDate(written: unknown): unknown {
  const match = typeof written === "string" ? dateText.exec(written) : null;
  if (match === null) return written;
  const date = new Date(match[0].replace(" ", "T").toUpperCase());
  return Number.isNaN(date.getTime()) || !hasDay(Number(match[1]), Number(match[2]), Number(match[3])) ? written : date;
}

/** `Date` turns the 31st of a month of 30 days into the 1st of the next. */
function hasDay(year: number, month: number, day: number): boolean {
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Bounded, as the time `BigInt` takes grows faster than its text. */
const digits: RegExp = /^-?\d{1,1000}$/;

function readBigint(written: unknown): unknown {
  if (typeof written === "string") return digits.test(written) ? BigInt(written) : written;
  // Beyond the safe integers a JSON number is not what the model wrote.
  return Number.isSafeInteger(written) ? BigInt(written as number) : written;
}
