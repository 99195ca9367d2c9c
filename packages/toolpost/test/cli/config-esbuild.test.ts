// With and without esbuild, each a process of its own: which esbuild is taken, and what is left where there is none.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryTree } from "../lib/temporary-tree.ts";
import { runCommand } from "./lib/run-main.ts";

const probe = ["call", "probe", "{}", "--quiet"];
const esm = { "package.json": '{ "type": "module" }' };
const configOf = (body: string) =>
  `export default { tools: [{ name: "probe", description: "Tells", source: "custom", inputSchema: { type: "object" }, execute: () => ${body} }] };`;

const noEsbuild = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({ resolve(specifier, context, next) {
    if (specifier !== "esbuild") return next(specifier, context);
    throw Object.assign(new Error("Cannot find module 'esbuild'"), { code: "MODULE_NOT_FOUND" });
  } });`)}`;

/** As a process of its own, which finds no esbuild. */
async function withoutEsbuild(t: TestContext, files: Readonly<Record<string, string>>) {
  const cwd = temporaryTree(t, files);
  return runCommand(probe, { cwd, env: { NODE_OPTIONS: noEsbuild } });
}

test("without esbuild types are stripped, and aliases and names without endings are found all the same", async (t) => {
  const { code, stdout, stderr } = await withoutEsbuild(t, {
    ...esm,
    "toolpost.config.ts": `import { bare } from "./lib/bare";\nimport { alias } from "@/alias";\n${configOf("[bare, alias]")}`,
    "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "@/*": ["./lib/*"] } } }),
    "lib/bare.ts": 'export const bare: string = "bare";',
    "lib/alias.ts": 'export const alias: string = "alias";',
  });
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '["bare","alias"]\n', stderr: "" });
});

for (const [what, code, message] of [
  ["enums", "enum Kind { A }", "enum"],
  ["parameter properties", "class A { constructor(readonly a = 1) {} }", "parameter property"],
  ["decorators", "const d = () => {};\n@d\nclass A {}", "Invalid or unexpected token"],
] as const) {
  test(`without esbuild, ${what} give the file, the line, and the package to install`, async (t) => {
    for (const manifest of ['{ "type": "module" }', "{}"]) {
      const { code: exit, stderr } = await withoutEsbuild(t, {
        "package.json": manifest,
        "toolpost.config.ts": 'import "./lib/tools.ts";\nexport default {};',
        "lib/tools.ts": `type Removed = 1;\n${code}`,
      });
      assert.equal(exit, 3);
      const line = what === "decorators" ? 3 : 2;
      assert.match(stderr, new RegExp(`^error \\[config\\.syntax\\]: .*${message}.*, at lib/tools\\.ts:${line}\\n`));
      assert.match(stderr, /\nfix: .*`npm install --save-dev esbuild`\.\n/);
    }
  });
}

test("esbuild of the project counts before any other", async (t) => {
  const cwd = temporaryTree(t, {
    ...esm,
    "toolpost.config.ts": configOf("['real']"),
    "node_modules/esbuild/package.json": '{ "main": "main.js" }',
    // From here on our own source passes through it too, as far as it is loaded when first used.
    "node_modules/esbuild/main.js": `const { transformSync } = require(${JSON.stringify(fileURLToPath(import.meta.resolve("esbuild")))});
      exports.transformSync = (text, options) => transformSync(text.replace("['real']", "['by the project']"), options);`,
  });
  const { code, stdout, stderr } = await runCommand(probe, { cwd });
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '["by the project"]\n', stderr: "" });
});

test("esbuild that is installed and cannot be loaded is told of, not passed over", async (t) => {
  const cwd = temporaryTree(t, {
    ...esm,
    "toolpost.config.ts": configOf("1"),
    "node_modules/esbuild/package.json": '{ "main": "main.js" }',
    "node_modules/esbuild/main.js": 'throw new Error("another platform");',
  });
  const { code, stderr } = await runCommand(probe, { cwd });
  assert.equal(code, 3);
  assert.match(
    stderr,
    /^error \[config\.invalid\]: `esbuild` could not be loaded: another platform\nfix: Run `npm install/,
  );
});
