// A project folder with a configuration in it, gone when its test ends.
import { join } from "node:path";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { temporaryTree } from "../../lib/temporary-tree.ts";

export const fixtures: string = join(import.meta.dirname, "../fixtures");

/** Where configurations import from, as text between quotes. */
export const source: string = pathToFileURL(join(import.meta.dirname, "../../../src")).href;

/** The fixture tools, and what configurations need to put them together. */
const prelude = `
import { tools } from "${pathToFileURL(join(fixtures, "tools.ts")).href}";
import { createApp } from "${source}/app/create-app.ts";
import { createToolkit } from "${source}/app/create-toolkit.ts";
import { defineAgent } from "${source}/agent/define-agent.ts";
import { scriptedModel } from "${source}/models/scripted-model.ts";
import { ToolError } from "${source}/core/errors.ts";
import { awaitReply, decided } from "${source}/core/approval.ts";
const named = (...names) => tools.filter((tool) => names.includes(tool.name));
`;

/** A folder whose configuration is the code, from line 2 on, after imports of all that the tests use. Returns its path. */
export function project(
  t: TestContext,
  code = "export default { tools };",
  files: Readonly<Record<string, string>> = {},
): string {
  return temporaryTree(t, {
    "package.json": '{ "type": "module" }',
    "toolpost.config.ts": `${prelude.trim().replaceAll("\n", " ")}\n${code}`,
    ...files,
  });
}
