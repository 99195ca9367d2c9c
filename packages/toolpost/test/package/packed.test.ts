// The package as a user gets it: packed, unpacked into a new project beside its own dependencies and nothing else.
// The optional peers are not there, so whatever loads one before it is needed fails here.
import assert from "node:assert/strict";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { transform } from "esbuild";
import { runCommand, runNode, runTsc, userNodes, workspace } from "../lib/run-command.ts";
import { staticForeignImports } from "../pins/lib/static-graph.ts";
import { readCodeBlocks } from "./code-blocks.ts";
import { createProject, manifestOf } from "./lib/packed-package.ts";

const project = await createProject();
const installed = join(project, "node_modules/toolpost");
const manifest = manifestOf(installed);
writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');

test("the oldest supported Node is there, and the running one is another", async () => {
  for (const { version, node } of userNodes) {
    const { stdout, stderr } = await runNode(["--version"], project, node);
    assert.equal(stdout.trim(), `v${version}`, `${stderr}\n\`npm install\` in the root of the repository brings it.`);
  }
  assert.equal(JSON.parse(readFileSync(join(installed, "package.json"), "utf8")).engines.node, ">=22.18");
  assert.match(process.versions.node, /^24\./);
});

test("holds the build, the command, the license and the page, and no source", () => {
  for (const name of ["bin/toolpost.js", "dist/cli.js", "dist/index.js", "LICENSE", "README.md"]) {
    assert.ok(existsSync(join(installed, name)), `${name} is not in the package`);
  }
  for (const name of ["src", "test", "build.ts", "dist/types/doors/index.test.d.ts"]) {
    assert.ok(!existsSync(join(installed, name)), `${name} is in the package`);
  }
});

const doors = Object.keys(manifest.exports).filter((door) => door !== "./package.json");

test("every door has its declarations", () => {
  assert.ok(doors.includes("."));
  for (const door of doors) {
    assert.ok(existsSync(join(installed, manifest.exports[door]?.types ?? "")), `${door} has no declarations`);
  }
});

for (const { version, node } of userNodes) {
  test(`every door opens, with only the package's own dependencies there, on Node ${version}`, async () => {
    for (const door of doors) {
      const specifier = door.replace(/^\./, "toolpost");
      const args = ["--input-type=module", "--eval", `await import("${specifier}")`];
      const { code, stderr } = await runNode(args, project, node);
      assert.equal(code, 0, `${specifier} does not load:\n${stderr}`);
    }
  });

  test(`the first tool of the README runs on Node ${version}`, async () => {
    writeFirstTool();
    const { code, stdout, stderr } = await runNode(["first-tool.ts"], project, node);
    assert.equal(code, 0, stderr);
    assert.notEqual(stdout.trim(), "", "the first tool prints what it returned");
  });

  test(`the command says its version on Node ${version}`, async () => {
    const command = join(project, "node_modules/.bin/toolpost");
    const { code, stdout, stderr } = await runCommand(command, ["--version"], project, { node });
    assert.equal(code, 0, stderr);
    assert.ok(stdout.includes(manifest.version), stdout);
  });
}

test("the root door loads no Node module", async () => {
  const foreign = await staticForeignImports(installed, "dist/index.js");
  assert.deepEqual(
    foreign.filter(({ specifier }) => specifier.startsWith("node:")),
    [],
  );
});

for (const [module, moduleResolution] of [
  ["node16", "node16"],
  ["esnext", "bundler"],
]) {
  test(`the first tool of the README compiles with moduleResolution ${moduleResolution}`, async () => {
    writeFirstTool();
    const config = `tsconfig.${moduleResolution}.json`;
    const compilerOptions = {
      module,
      moduleResolution,
      target: "es2022",
      strict: true,
      noEmit: true,
      types: ["node"],
      skipLibCheck: false,
    };
    writeFileSync(join(project, config), JSON.stringify({ compilerOptions, files: ["first-tool.ts"] }));
    const { code, stdout } = await runTsc(config, project);
    assert.equal(code, 0, stdout);
  });
}

test("the command refuses an old Node before it loads anything", async () => {
  const old = 'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "22.17.1" } })';
  const { code, stdout, stderr } = await runNode(
    ["--import", old, "node_modules/toolpost/bin/toolpost.js", "--version"],
    project,
  );
  assert.deepEqual({ code, stdout }, { code: 3, stdout: "" });
  assert.match(
    stderr,
    /^toolpost needs Node 22\.18 or newer, and this is Node 22\.17\.1\.\n.*npm install --save-dev node@24/,
  );
});

test("the command is written in syntax that Node 12 parses", async () => {
  const text = readFileSync(join(installed, "bin/toolpost.js"), "utf8");
  assert.doesNotMatch(text, /^\s*import\s*[\w{*"']/m);
  const [lowered, kept] = await Promise.all(["node12.20", "esnext"].map((target) => transform(text, { target })));
  assert.equal(lowered?.code, kept?.code);
});

test("the command says how to make a missing build", async () => {
  const command = join(installed, "dist/cli.js");
  renameSync(command, `${command}.away`);
  try {
    const { code, stderr } = await runNode(["node_modules/toolpost/bin/toolpost.js", "--version"], project);
    assert.equal(code, 3);
    assert.match(stderr, /^toolpost is not built: .*`npm run build`/);
  } finally {
    renameSync(`${command}.away`, command);
  }
});

function writeFirstTool(): void {
  const [block] = readCodeBlocks(workspace, "README.md");
  assert.ok(block, "README.md has no `ts` block");
  writeFileSync(join(project, "first-tool.ts"), block.code);
}
