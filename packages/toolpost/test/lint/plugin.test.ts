// The plugin as a project has it: in a flat configuration, for JavaScript as it is and for TypeScript with its parser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ESLint, Linter } from "eslint";
import { defineConfig } from "eslint/config";
import toolpost from "../../lint/eslint.js";
import { typescriptParser } from "../lib/typescript-parser.ts";

const workflow = "export const triage = defineWorkflow({ async run(flow) { return flow.at ?? Date.now(); } });\n";

test("`recommended` alone switches the rule on, as an error", async () => {
  const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: defineConfig(toolpost.configs.recommended) });
  const [result] = await eslint.lintText(workflow, { filePath: "triage.js" });
  assert.deepEqual(
    result?.messages.map(({ ruleId, severity, message, line, column }) => ({
      ruleId,
      severity,
      message,
      line,
      column,
    })),
    [
      {
        ruleId: "toolpost/replayable-flows",
        severity: 2,
        message: "use flow.now(key), not Date.now: each replay would read another time",
        line: 1,
        column: 76,
      },
    ],
  );
});

test("beside a TypeScript parser the rule reads annotations", () => {
  const config = defineConfig({
    files: ["src/**/*.ts"],
    extends: [toolpost.configs.recommended],
    languageOptions: { parser: typescriptParser },
  });
  const flow = "export async function triage(run: Run): Promise<number> { return Math.random(); }";
  const found = (file: string) => new Linter().verify(flow, config, file).map(({ ruleId }) => ruleId);
  assert.deepEqual(found("src/triage.ts"), ["toolpost/replayable-flows"]);
});

test("a project may turn the rule down or off", () => {
  const severities = (severity: "off" | "warn") => {
    const config = [toolpost.configs.recommended, { rules: { "toolpost/replayable-flows": severity } }] as const;
    return new Linter().verify(workflow, [...config]).map((message) => message.severity);
  };
  assert.deepEqual([severities("warn"), severities("off")], [[1], []]);
});

test("the plugin says which it is, as ESLint keeps results by that", () => {
  assert.deepEqual(toolpost.meta, { name: "toolpost", namespace: "toolpost" });
  assert.equal(toolpost.configs.recommended.plugins.toolpost, toolpost);
});
