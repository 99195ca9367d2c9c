// What the pages show works: each `ts` block of README.md and docs/ is compiled against the built package and run.
// A block fenced as `ts no-run` is only compiled. What runs is what esbuild makes of it, as Node knows no decorators.
import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { transformSync } from "esbuild";
import { runNode, runTsc, workspace } from "../lib/run-command.ts";
import { temporaryFolder } from "../lib/temporary-tree.ts";
import { asSourceFile, type CodeBlock, codeBlocksOf, readCodeBlocks } from "./code-blocks.ts";

const pages = globSync(["README.md", "docs/**/*.md"], { cwd: workspace }).sort();
const blocks = pages.flatMap((page) => readCodeBlocks(workspace, page));
const project = temporaryFolder();

symlinkSync(join(workspace, "node_modules"), join(project, "node_modules"));
writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
for (const block of blocks) writeFileSync(join(project, fileOf(block)), asSourceFile(block));

test("there is a README with a block", () => {
  assert.ok(existsSync(join(workspace, "README.md")));
  assert.ok(blocks.some(({ page }) => page === "README.md"));
});

test("every block compiles", async () => {
  const compilerOptions = {
    target: "es2024",
    lib: ["es2024", "esnext.disposable"],
    module: "nodenext",
    moduleDetection: "force",
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: blocks.map(fileOf) }));
  const { code, stdout } = await runTsc("tsconfig.json", project);
  assert.equal(code, 0, `file names are page.line, line numbers are those of the page:\n${stdout}`);
});

describe("every block runs", { concurrency: 2 }, () => {
  for (const block of blocks.filter(({ flags }) => !flags.includes("no-run"))) {
    test(`${block.page}:${block.line}`, async () => {
      const folder = join(project, `${fileOf(block)}.d`);
      mkdirSync(folder);
      const { code, stderr } = await runNode(["--enable-source-maps", transpile(block)], folder);
      assert.equal(code, 0, stderr);
    });
  }
});

test("a fence says `ts` or `ts no-run`", () => {
  const odd = blocks.filter(({ flags }) => flags.some((flag) => flag !== "no-run"));
  assert.deepEqual(
    odd.map(({ page, line, flags }) => `${page}:${line}: ${flags.join(" ")}`),
    [],
  );
});

test("blocks are read with their lines, flags and fences", () => {
  const page = [
    "# A",
    "```ts",
    "a;",
    "",
    "b;",
    "```",
    "```json",
    "{}",
    "```",
    "- item",
    "  ```ts no-run",
    "  c;",
    "  ```",
  ];
  const nested = ["````md", "```ts", "not code", "```", "````", "~~~ts", "d;", "~~~"];
  const found = codeBlocksOf("a.md", [...page, ...nested].join("\n"));
  assert.deepEqual(found, [
    { page: "a.md", line: 2, flags: [], code: "a;\n\nb;\n" },
    { page: "a.md", line: 11, flags: ["no-run"], code: "c;\n" },
    { page: "a.md", line: 19, flags: [], code: "d;\n" },
  ]);
  assert.equal(asSourceFile({ page: "a.md", line: 2, flags: [], code: "a;\n" }), "\n\na;\n");
});

/** The block as a file that Node runs, its decorators those of the standard; beside the source, which errors point to. */
function transpile(block: CodeBlock): string {
  const { code } = transformSync(asSourceFile(block), {
    loader: "ts",
    target: "node22.18",
    sourcefile: fileOf(block),
    sourcemap: "inline",
  });
  const file = join(project, fileOf(block).replace(/ts$/, "mjs"));
  writeFileSync(file, code);
  return file;
}

function fileOf({ page, line }: CodeBlock): string {
  return `${page.replaceAll("/", "-")}.${line}.ts`;
}
