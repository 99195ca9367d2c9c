// Values that are sure to be good, told without a call: most values of most fields are such.
// Calls of readers that differ from field to field are what costs in validating; this is one function for all, and the
// kinds are numbers because those are told apart fastest.

/** What is sure about the values of a field, item or alternative. One class for all: one shape is read fastest. */
export class Sure {
  readonly kind: number;
  /** Bounds of a number, or of the length of a text in UTF-16 units. */
  readonly least: number;
  readonly most: number;
  readonly values: ReadonlySet<unknown>;

  constructor(kind: number, { least = 0, most = Number.MAX_VALUE, values = none }: Partial<Omit<Sure, "kind">> = {}) {
    this.kind = kind;
    this.least = least;
    this.most = most;
    this.values = values;
  }
}

/** Kinds of what is sure. */
export const anyText = 1;
export const boundedText = 2;
export const boundedNumber = 3;
export const boundedInteger = 4;
export const anyFlag = 5;
export const someValues = 6;

const none: ReadonlySet<unknown> = new Set();

export const nothingSure: Sure = new Sure(0);

/** False says nothing: the reader has to be asked. */
export function isSure(sure: Sure, value: unknown): boolean {
  switch (sure.kind) {
    case anyText:
      return typeof value === "string";
    case boundedText:
      return typeof value === "string" && value.length >= sure.least && value.length <= sure.most;
    case boundedNumber:
      return typeof value === "number" && value >= sure.least && value <= sure.most;
    case boundedInteger:
      return typeof value === "number" && value >= sure.least && value <= sure.most && Number.isSafeInteger(value);
    case anyFlag:
      return typeof value === "boolean";
    case someValues:
      return sure.values.has(value);
    default:
      return false;
  }
}
