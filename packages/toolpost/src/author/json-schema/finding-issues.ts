// Findings as the issues that callers get: each once, with its path and words.
// It must give at least one, as a refusal without a reason helps nobody.

import type { SchemaIssue } from "../../core/schema.ts";
import { toIssuePath } from "../issue-path.ts";
import type { Finding } from "./describe-error.ts";
import { wordsOf } from "./describe-error.ts";

/** In the order they were found. */
export function toSchemaIssues(findings: readonly Finding[]): readonly SchemaIssue[] {
  // The values that are allowed say the type as well.
  const valued = new Set(findings.filter(({ kind }) => kind === "value").map(({ path }) => toIssuePath(path)));
  const issues = new Map<string, SchemaIssue>();
  for (const finding of findings) {
    const issue = { path: toIssuePath(finding.path), message: wordsOf(finding) };
    if (finding.kind !== "type" || !valued.has(issue.path)) issues.set(`${issue.path} ${issue.message}`, issue);
  }
  return issues.size === 0 ? [{ path: "", message: "invalid value" }] : [...issues.values()];
}
