// What is wrong with a value, in words a model can act on.
// It must not show what a validator threw: that may hold anything, and is for the log.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { SchemaIssue, Validation } from "../core/schema.ts";
import { toIssuePath } from "./issue-path.ts";
import { nativeExpected, readNative } from "./native-values.ts";
import type { Revival } from "./revive-natives.ts";
import { isTooDeep, TooDeepError } from "./too-deep.ts";

/** What was validated: as it was written, and how it was converted before, if it was. */
export interface Validated {
  readonly written: unknown;
  readonly revival: Revival | undefined;
}

/** The issues of a library, at least one, each once. */
export function toIssues(issues: readonly StandardSchemaV1.Issue[], validated: Validated): readonly SchemaIssue[] {
  const found = new Map<string, SchemaIssue>();
  for (const issue of issues.flatMap(innerIssues)) {
    const path = toIssuePath(issue.path);
    const message = nativeMessage(issue, validated) ?? messageOf(issue);
    found.set(`${path} ${message}`, { path, message });
  }
  return found.size === 0 ? [{ path: "", message: "invalid value" }] : [...found.values()];
}

/** The refusal of a value that could not be validated. */
export function unvalidated(cause: unknown): Validation<never> {
  const message = isTooDeep(cause) ? "nested too deeply to be validated" : "the value could not be validated";
  // Counted levels say all there is to say; nothing of a validator's is broken.
  return { ok: false, issues: [{ path: "", message }], ...(!(cause instanceof TooDeepError) && { cause }) };
}

/** What libraries say beyond the standard. Sources: $ZodIssueInvalidUnion of zod 4, ArkError of arktype 2. */
interface LibraryIssue extends StandardSchemaV1.Issue {
  readonly code?: string;
  readonly errors?: readonly (readonly LibraryIssue[])[];
  readonly expected?: unknown;
  /** arktype's message without the path before it. */
  readonly problem?: unknown;
}

/** The issues of the alternative that was meant, where a library only says that none fits. */
function innerIssues(issue: LibraryIssue): readonly LibraryIssue[] {
  const { code, errors = [], path = [] } = issue;
  if (code !== "invalid_union" || errors.length === 0) return [issue];
  const ofRightKind = errors.filter((branch) => !branch.some(isWrongKind));
  if (ofRightKind.length === 0) return [{ ...issue, errors: [], message: wrongKinds(errors.flat()) || issue.message }];
  const nearest = ofRightKind.reduce((best, branch) => (branch.length < best.length ? branch : best));
  return nearest
    .map((inner): LibraryIssue => ({ ...inner, path: [...path, ...(inner.path ?? [])] }))
    .flatMap(innerIssues);
}

/** Another type than the alternative's, or another constant than the one that tells alternatives apart. */
function isWrongKind({ code, path = [] }: LibraryIssue): boolean {
  return (code === "invalid_type" && path.length === 0) || (code === "invalid_value" && path.length <= 1);
}

/** `expected string or number, received boolean`; each message by itself where they differ in more. */
function wrongKinds(issues: readonly LibraryIssue[]): string {
  const said = new Set(issues.map(({ message, expected }) => message.replace(String(expected), "…")));
  const all = [...new Set(issues.map(({ expected }) => String(expected)))].join(" or ");
  if (said.size === 1) return [...said].join().replace("…", () => all);
  return [
    ...new Set(issues.map(({ path, message }) => (path?.length ? `${toIssuePath(path)}: ${message}` : message))),
  ].join(" or ");
}

function messageOf(issue: LibraryIssue): string {
  return typeof issue.problem === "string" ? issue.problem : issue.message;
}

/** Where a date or bigint belongs and something was written that does not read as one. */
function nativeMessage(issue: LibraryIssue, { written, revival }: Validated): string | undefined {
  if (revival === undefined) return undefined;
  const path = (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
  const kind = revival.kindAt(path);
  const value = path.reduce((at: unknown, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], written);
  const isUnread =
    kind !== undefined && (typeof value === "string" || typeof value === "number") && readNative(kind, value) === value;
  return isUnread ? nativeExpected[kind] : undefined;
}
