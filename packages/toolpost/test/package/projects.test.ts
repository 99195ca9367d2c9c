// The packed package in projects as users have them, on the oldest supported Node and on this one: both decorator systems, both
// module formats, bundled into one file, and what compilers say of its types.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { runCommand, runNode, runTsc, userNodes, workspace } from "../lib/run-command.ts";
import { temporaryFolder } from "../lib/temporary-tree.ts";
import { readCodeBlocks } from "./code-blocks.ts";
import { createProject } from "./lib/packed-package.ts";

const createdOf = (fixture: string) => createProject({ fixture, packages: ["esbuild"] });
const projects = {
  legacy: await createdOf("legacy"),
  standard: await createdOf("standard"),
  commonjs: await createdOf("commonjs"),
  esm: await createdOf("esm"),
};
type Fixture = keyof typeof projects;

const toolpost = (
  args: readonly string[],
  fixture: Fixture,
  options: { readonly node: string; readonly NODE_OPTIONS?: string },
) => runCommand(join(projects[fixture], "node_modules/.bin/toolpost"), args, projects[fixture], options);

for (const { version, node } of userNodes) {
  describe(`on Node ${version}`, () => {
    for (const fixture of ["legacy", "standard", "commonjs"] as const) {
      test(`the command works on a configuration with decorated classes: ${fixture}`, async () => {
        const listed = await toolpost(["list", "--json"], fixture, { node });
        assert.deepEqual({ code: listed.code, stderr: listed.stderr }, { code: 0, stderr: "" });
        assert.equal(JSON.parse(listed.stdout)[0].name, "lookup_order");
        const call = (id: string) =>
          toolpost(["call", "lookup_order", JSON.stringify({ orderId: id }), "--json", "--quiet"], fixture, { node });
        const called = await call("o-1");
        assert.deepEqual({ code: called.code, stderr: called.stderr }, { code: 0, stderr: "" });
        assert.deepEqual(JSON.parse(called.stdout).value, { orderId: "o-1", status: "paid", callId: "a call" });
        const invalid = JSON.parse((await call("o")).stdout);
        assert.equal(invalid.text, "Tool error: invalid input: orderId: expected at least 3 characters, got 1");
        const refused = await call("o-2");
        assert.equal(refused.code, 1);
        assert.equal(
          JSON.parse(refused.stdout).text,
          "Tool error: code: NO_ORDER, userMessage: There is no order o-2.",
        );
      });

      test(`the command and the configuration share one copy of the package: ${fixture}`, async () => {
        const seen = join(projects[fixture], `seen-${version}`);
        const { code, stderr } = await toolpost(["list"], fixture, { node, NODE_OPTIONS: noteModules(seen) });
        assert.equal(code, 0, stderr);
        const own = readFileSync(seen, "utf8")
          .trim()
          .split("\n")
          .filter((url) => url.includes("/toolpost/dist/"));
        const dist = pathToFileURL(join(projects[fixture], "node_modules/toolpost/dist/")).href;
        assert.ok(own.some((url) => url === `${dist}index.js`) && own.some((url) => url === `${dist}cli.js`));
        assert.deepEqual(
          own.filter((url) => !url.startsWith(dist)),
          [],
        );
        assert.equal(new Set(own).size, own.length, "a module was loaded twice");
      });
    }

    test("what the page on configurations shows of TypeScript works", async () => {
      const shown = readCodeBlocks(workspace, "docs/configuration.md").find(({ code }) => code.includes("enum "));
      assert.ok(shown);
      const project = await createProject({ packages: ["esbuild"] });
      writeFileSync(join(project, "toolpost.config.ts"), shown.code);
      const args = ["call", "weather_at", '{"place":"Oslo"}', "--quiet"];
      const { code, stdout, stderr } = await runCommand(join(project, "node_modules/.bin/toolpost"), args, project, {
        node,
      });
      assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: "21 °C in Oslo\n", stderr: "" });
    });

    test("without esbuild, decorators are told of with their line and the package to install", async () => {
      const project = await createProject({ fixture: "legacy" });
      const { code, stderr } = await runCommand(join(project, "node_modules/.bin/toolpost"), ["list"], project, {
        node,
      });
      assert.equal(code, 3);
      assert.match(stderr, /^error \[config\.syntax\]: .*, at src\/(?:tools|decorators)\.ts:\d+\n/);
      assert.match(stderr, /\nfix: .*`npm install --save-dev esbuild`\.\n/);
    });

    test("a program in CommonJS requires the package, the same one that it imports", async () => {
      const { code, stdout } = await runNode(["main.cjs"], projects.commonjs, node);
      assert.deepEqual({ code, stdout }, { code: 0, stdout: commonjsOutput });
    });

    test("a program in ES modules imports it", async () => {
      const { code, stdout } = await runNode(["main.mjs"], projects.esm, node);
      assert.deepEqual({ code, stdout }, { code: 0, stdout: esmOutput });
    });

    for (const [fixture, entry, format] of [
      ["esm", "main.mjs", "esm"],
      ["commonjs", "main.cjs", "cjs"],
    ] as const) {
      test(`bundled by esbuild into one file of format ${format}, it runs where nothing is installed`, async () => {
        const folder = temporaryFolder();
        const outfile = join(folder, `bundle.${format === "esm" ? "mjs" : "cjs"}`);
        const { warnings } = await build({
          absWorkingDir: projects[fixture],
          entryPoints: [entry],
          outfile,
          bundle: true,
          platform: "node",
          format,
          logLevel: "silent",
        });
        assert.deepEqual(warnings, []);
        const { code, stdout, stderr } = await runNode([outfile], folder, node);
        assert.equal(code, 0, stderr);
        assert.equal(stdout, format === "esm" ? esmOutput : commonjsOutput);
      });
    }
  });
}

const commonjsOutput = '{"cents":8900} Tool error: userMessage: There is no moon.\n';
const esmOutput = '{"cents":8900} Tool error: userMessage: There is no moon. It is {"cents":8900}.\n';

for (const fixture of ["legacy", "standard"] as const) {
  for (const [module, moduleResolution] of [
    ["node16", "node16"],
    ["esnext", "bundler"],
  ]) {
    test(`a project with ${fixture} decorators compiles with moduleResolution ${moduleResolution}`, async () => {
      await compiles(fixture, { module, moduleResolution });
    });
  }
}

test("a project in CommonJS compiles with module node20, the first that lets it require ES modules", async () => {
  await compiles("commonjs", { module: "node20" });
});

async function compiles(fixture: Fixture, compilerOptions: object): Promise<void> {
  const project = projects[fixture];
  const config = { extends: "./tsconfig.json", compilerOptions, include: ["toolpost.config.ts", "src"] };
  writeFileSync(join(project, "tsconfig.check.json"), JSON.stringify(config));
  const { code, stdout } = await runTsc("tsconfig.check.json", project);
  assert.equal(code, 0, stdout);
}

/** Writes the URL of each module into the file, as often as the module is loaded. */
function noteModules(file: string): string {
  rmSync(file, { force: true });
  const code = `
    import { appendFileSync } from "node:fs";
    import { registerHooks } from "node:module";
    registerHooks({ load(url, context, next) {
      appendFileSync(${JSON.stringify(file)}, url + "\\n");
      return next(url, context);
    } });`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}
