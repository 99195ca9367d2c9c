// What is wrong with a value, in words a model can act on.
// It must not show what a validator threw: that may hold anything, and is for the log.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { SchemaIssue, Validation } from "../core/schema.ts";
import { toIssuePath } from "./issue-path.ts";
import { nativeExpected } from "./native-values.ts";
import type { Revival } from "./revive-natives.ts";

/** The issues of a library, at least one, each once. `revival` tells where text in place of a date was expected. */
export function toIssues(issues: readonly StandardSchemaV1.Issue[], revival: Revival | undefined): readonly SchemaIssue[] {
  const found = new Map<string, SchemaIssue>();
  for (const issue of issues.flatMap(innerIssues)) {
    const path = toIssuePath(issue.path);
    const message = nativeMessage(issue, revival) ?? messageOf(issue);
    found.set(`${path} ${message}`, { path, message });
  }
  return found.size === 0 ? [{ path: "", message: "invalid value" }] : [...found.values()];
}

/** The refusal of a value that could not be validated. */
export function unvalidated(cause: unknown): Validation<never> {
  const message = cause instanceof RangeError ? "nested too deeply to be validated" : "the value could not be validated";
  return { ok: false, issues: [{ path: "", message }], cause };
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
  if (issue.code !== "invalid_union" || !Array.isArray(issue.errors) || issue.errors.length === 0) return [issue];
  const ofRightKind = issue.errors.filter((errors) => !errors.some(isWrongKind));
  if (ofRightKind.length === 0) return [wrongKinds(issue)];
  const nearest = ofRightKind.reduce((best, errors) => (errors.length < best.length ? errors : best));
  return nearest.map((inner) => ({ ...inner, path: [...(issue.path ?? []), ...(inner.path ?? [])] })).flatMap(innerIssues);
}

/** Another type than the alternative's, or another constant than the one that tells alternatives apart. */
function isWrongKind({ code, path }: LibraryIssue): boolean {
  return (code === "invalid_type" && (path ?? []).length === 0) || (code === "invalid_value" && (path ?? []).length <= 1);
}

function wrongKinds(issue: LibraryIssue): LibraryIssue {
  const inner = (issue.errors ?? []).flat();
  const messages = new Set(inner.map(({ path, message }) => (path?.length ? `${toIssuePath(path)}: ${message}` : message)));
  return { ...issue, errors: [], message: [...messages].join(" or ") || issue.message };
}

function messageOf(issue: LibraryIssue): string {
  return typeof issue.problem === "string" ? issue.problem : issue.message;
}

/** Where a date or bigint belongs and something was written that does not read as one. */
function nativeMessage(issue: LibraryIssue, revival: Revival | undefined): string | undefined {
  if (revival === undefined || !/string|number/.test(issue.message)) return undefined;
  const kind = revival.kindAt((issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment)));
  return kind && nativeExpected[kind];
}
