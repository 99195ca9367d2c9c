// Decorates a text. Lengths count characters (code points), as JSON Schema does.
// A format is told to the model only where it is checked here too.

import type { JsonSchema } from "../../core/schema.ts";
import { readNative } from "../native-values.ts";
import { showValue } from "../show-value.ts";
import { checkCount, checkKnown, checkOrder } from "./field-bounds.ts";
import type { FieldDecorator } from "./field-decorator.ts";
import { fieldDecorator } from "./field-decorator.ts";
import type { FieldOptions, FieldPlan, PlanWork, Read } from "./field-type.ts";
import { anyText, boundedText, Sure } from "./sure.ts";

export type TextFormat = "email" | "uri" | "uuid" | "date";

export interface TextOptions extends FieldOptions<string> {
  /** In characters. */
  readonly minLength?: number;
  /** In characters. */
  readonly maxLength?: number;
  /** Anywhere in the text, unless it has anchors. The model sees one without flags, or with `u`. */
  readonly pattern?: RegExp;
  /** `date` is a day such as 2026-01-31; for a point in time use `Moment`. */
  readonly format?: TextFormat;
}

/** @example class Query { @Text({ prompt: "words to search for", minLength: 1 }) words!: string } */
export function TextField(options: TextOptions = {}): FieldDecorator<string> {
  return fieldDecorator<string>({ label: "@Text()", options, plan: (work) => planText(options, work) });
}

function planText(options: TextOptions, work: PlanWork): FieldPlan {
  checkText(options, work);
  const { minLength, maxLength, pattern, format } = options;
  const isShown = pattern !== undefined && /^[du]*$/.test(pattern.flags);
  const node: JsonSchema = {
    type: "string",
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(isShown && { pattern: pattern.source }),
    ...(format !== undefined && { format }),
  };
  return {
    ...(pattern === undefined && format === undefined && { sure: sureText(options) }),
    read: textReader(options, node),
    schema: () => node,
    canEnd: () => true,
  };
}

/** A character takes one or two units of a string. */
function sureText({ minLength, maxLength }: TextOptions): Sure {
  if (minLength === undefined && maxLength === undefined) return new Sure(anyText);
  return new Sure(boundedText, { least: 2 * (minLength ?? 0), ...(maxLength !== undefined && { most: maxLength }) });
}

function textReader({ minLength, maxLength, pattern, format }: TextOptions, node: JsonSchema): Read {
  const hasFormat = format === undefined ? undefined : formats[format];
  const patternNode = { pattern: pattern?.source };
  return (value, report) => {
    if (typeof value !== "string") return report.refuse("type", node, value);
    // Nobody bounded what a pattern costs on a text that is too long.
    if (maxLength !== undefined && isLonger(value, maxLength)) return report.refuse("maxLength", node, value);
    let kept: unknown = value;
    if (minLength !== undefined && isShorter(value, minLength)) kept = report.refuse("minLength", node, value);
    if (pattern !== undefined && !pattern.test(value)) kept = report.refuse("pattern", patternNode, value);
    if (hasFormat !== undefined && !hasFormat(value)) kept = report.refuse("format", node, value);
    return kept;
  };
}

// A character takes one or two units of a string, so that most texts need no counting.
function isShorter(text: string, count: number): boolean {
  return text.length < count || (text.length < 2 * count && [...text].length < count);
}

function isLonger(text: string, count: number): boolean {
  return text.length > count && (text.length > 2 * count || [...text].length > count);
}

// Sources: email as of HTML (the input element), UUID RFC 9562, URI RFC 3986 (characters) and the URL standard.
const email = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const uri = /^[a-z][a-z\d+.-]*:[\w.~:/?#[\]@!$&'()*+,;=%-]+$/i;
const day = /^\d{4}-\d\d-\d\d$/;

const formats: Readonly<Record<TextFormat, (text: string) => boolean>> = {
  // Longer ones are no addresses (RFC 5321), and would cost time.
  email: (text) => text.length <= 320 && email.test(text),
  uuid: (text) => uuid.test(text),
  uri: (text) => uri.test(text) && URL.canParse(text),
  date: (text) => day.test(text) && readNative("date", text) instanceof Date,
};

function checkText(options: TextOptions, work: PlanWork): void {
  checkKnown("@Text()", options, ["minLength", "maxLength", "pattern", "format"], work);
  checkCount("@Text()", options, "minLength", work);
  checkCount("@Text()", options, "maxLength", work);
  checkOrder("@Text()", options, ["minLength", "maxLength"], work);
  const { pattern, format } = options;
  if (pattern !== undefined && !(pattern instanceof RegExp))
    work.problem(`@Text(): \`pattern\` is \`${showValue(pattern)}\`, expected a RegExp such as /^[a-z]+$/`);
  else if (pattern !== undefined && (pattern.global || pattern.sticky))
    work.problem(
      `@Text(): \`pattern\` has the flag \`${pattern.global ? "g" : "y"}\`, with which it remembers its last match: remove it`,
    );
  if (format !== undefined && !Object.hasOwn(formats, format))
    work.problem(`@Text(): \`format\` is \`${showValue(format)}\`, expected one of ${Object.keys(formats).join(", ")}`);
}
