// TypeScript as projects have it, in a configuration and in all it imports: both decorator systems, both module formats, the
// resolution of compilers and bundlers, and errors at the lines the user wrote.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ToolError } from "../../src/core/errors.ts";
import { temporaryTree } from "../lib/temporary-tree.ts";
import { source } from "./lib/project.ts";
import { runMain } from "./lib/run-main.ts";

const probe = ["call", "probe", "{}", "--quiet"];
const toolOf = (body: string) =>
  `{ name: "probe", description: "Tells", source: "custom", inputSchema: { type: "object" }, execute: async () => ${body} }`;
const configOf = (body: string) => `export default { tools: [${toolOf(body)}] };`;
const esm = { "package.json": '{ "type": "module" }' };
const options = (compilerOptions: object, more: object = {}) => JSON.stringify({ compilerOptions, ...more });

type Files = Readonly<Record<string, string>>;

/** What the tool `probe` of the project returns. */
async function probed(t: TestContext, files: Files): Promise<unknown> {
  const { code, stdout, stderr } = await runMain(probe, { cwd: temporaryTree(t, files) });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  return JSON.parse(stdout);
}

/** What is said of a project that cannot be loaded. */
async function refused(t: TestContext, files: Files): Promise<string> {
  const { code, stdout, stderr } = await runMain(["list"], { cwd: temporaryTree(t, files) });
  assert.deepEqual({ code, stdout }, { code: 3, stdout: "" });
  return stderr;
}

const legacyDecorators = `
const seen: string[] = [];
export const Named = (name: string) => (target: Function, ...rest: unknown[]) => void seen.push(name, String(rest.length));
export const Field = () => (target: object, key: string) => void seen.push("field " + key);
export const Param = () => (target: object, key: string | undefined, index: number) => void seen.push("parameter " + index);
export { seen };
`;

const legacyTool = `
import { Field, Named, Param, seen } from "./decorators.ts";
enum Kind { Loud = "loud", Quiet = "quiet" }
class Query { @Field() words!: string; }
@Named("query")
export class Probe {
  static readonly self = Probe;
  static readonly label = Probe.name;
  constructor(private readonly kind: Kind = Kind.Loud, readonly query = new Query()) {}
  tell(@Param() more: string) {
    return { seen, name: Probe.name, label: Probe.label, self: Probe.self === Probe, kind: this.kind, more, fields: Object.keys(this.query) };
  }
}
`;

const legacyResult = (fields: string[]) => ({
  seen: ["field words", "parameter 0", "query", "0"],
  name: "Probe",
  label: "Probe",
  self: true,
  kind: "loud",
  more: "more",
  fields,
});

const tc39Tool = `
const seen: string[] = [];
const Named = (name: string) => (target: Function, context: ClassDecoratorContext) => void seen.push(name, context.kind);
const Field = () => (_: undefined, context: ClassFieldDecoratorContext) => void seen.push("field " + String(context.name));
enum Kind { Loud = "loud" }
class Query { @Field() words!: string; accessor count = 2; }
@Named("query")
export class Probe {
  static readonly self = Probe;
  static readonly label = Probe.name;
  constructor(private readonly kind = Kind.Loud, readonly query = new Query()) {}
  tell(more: string) {
    return { seen, name: Probe.name, label: Probe.label, self: Probe.self === Probe, kind: this.kind, more, count: this.query.count };
  }
}
`;

const tc39Result = {
  seen: ["field words", "query", "class"],
  name: "Probe",
  label: "Probe",
  self: true,
  kind: "loud",
  more: "more",
  count: 2,
};

const classConfig = (specifier: string) =>
  `import { Probe } from "${specifier}";\n${configOf('new Probe().tell("more")')}`;

for (const [format, manifest] of [
  ["an ES module", '{ "type": "module" }'],
  ["CommonJS", "{}"],
] as const) {
  test(`legacy decorators on classes, fields and parameters, enums and parameter properties, in ${format}`, async (t) => {
    const files = {
      "package.json": manifest,
      "toolpost.config.ts": classConfig("./tools.ts"),
      "tools.ts": legacyTool,
      "decorators.ts": legacyDecorators,
    };
    const legacy = { experimentalDecorators: true };
    assert.deepEqual(
      await probed(t, { ...files, "tsconfig.json": options({ ...legacy, target: "es2021" }) }),
      legacyResult([]),
    );
    const byTarget = await probed(t, { ...files, "tsconfig.json": options({ ...legacy, target: "es2022" }) });
    assert.deepEqual(byTarget, legacyResult(["words"]));
  });

  test(`the decorators of the standard, enums and parameter properties, in ${format}`, async (t) => {
    const files = { "package.json": manifest, "toolpost.config.ts": classConfig("./tools.ts"), "tools.ts": tc39Tool };
    assert.deepEqual(await probed(t, files), tc39Result);
  });
}

test("each file is compiled by its own nearest tsconfig.json, with what that extends", async (t) => {
  const result = await probed(t, {
    ...esm,
    "toolpost.config.ts": `import { Probe as Old } from "./old/src/tools.ts";
      import { Probe as New } from "./new/tools.ts";
      ${configOf('[new Old().tell("more"), new New().tell("more")]')}`,
    "tsconfig.base.json": options({ experimentalDecorators: true, target: "es2020" }),
    "old/tsconfig.json": JSON.stringify({ extends: "../tsconfig.base.json" }),
    "old/src/tools.ts": legacyTool,
    "old/src/decorators.ts": legacyDecorators,
    "new/tsconfig.json": '{ // "experimentalDecorators" is off\n }',
    "new/tools.ts": tc39Tool,
  });
  assert.deepEqual(result, [legacyResult([]), tc39Result]);
});

test("a tsconfig.json that only refers to others stands for the one that includes the file", async (t) => {
  const result = await probed(t, {
    ...esm,
    "toolpost.config.ts": classConfig("./src/tools.ts"),
    "tsconfig.json": '{ "files": [], "references": [{ "path": "./tsconfig.node.json" }, { "path": "./src" }] }',
    "tsconfig.node.json": options({}, { include: ["*.config.ts"] }),
    "src/tsconfig.json": '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
    "src/tsconfig.app.json": options({ experimentalDecorators: true, target: "es2020" }, { include: ["."] }),
    "src/tools.ts": legacyTool,
    "src/decorators.ts": legacyDecorators,
  });
  assert.deepEqual(result, legacyResult([]));
});

for (const [format, manifest] of [
  ["an ES module", '{ "type": "module" }'],
  ["CommonJS", "{}"],
] as const) {
  test(`imports without endings, of folders, of .js for .ts, by alias and of JSON are found, from ${format}`, async (t) => {
    const result = await probed(t, {
      "package.json": manifest,
      "toolpost.config.ts": `
        import { bare } from "./lib/bare";
        import { emitted } from "./lib/emitted.js";
        import { module } from "./lib/module.mjs";
        import { folder } from "./lib";
        import { view } from "./lib/view";
        import { up } from "./lib/deep/up";
        import { alias } from "@/alias";
        import { exact } from "exact";
        import { hash } from "#/hash";
        import { sub } from "#sub/hash";
        import aliased from "@/data.json";
        import { based } from "lib/based";
        import data from "./lib/data.json";
        ${configOf("[bare, emitted, module, folder, view, up, alias, exact, based, hash, sub, data.value, aliased.value]")}`,
      "tsconfig.json": '{ "extends": "./config/paths.json" }',
      "config/paths.json": options({
        baseUrl: "..",
        paths: { "@/*": ["./no/*", "./lib/*"], exact: ["./lib/exact.ts"], "#/*": ["./lib/*"], "#sub/*": ["./lib/*"] },
      }),
      "lib/bare.ts": 'export const bare = "bare";',
      "lib/emitted.ts": 'export const emitted = "emitted";',
      "lib/module.mts": 'export const module = "module";',
      "lib/index.ts": 'export const folder = "folder";',
      "lib/view.tsx":
        "/** @jsxRuntime classic @jsx h */\nconst h = (name: string) => name;\nexport const view = <view />;",
      "lib/hash.ts": 'export const hash = "hash"; export const sub = "sub";',
      "lib/deep/up.ts": 'import { folder } from ".."; export const up = "up " + folder;',
      "lib/alias.ts": 'export const alias = "alias";',
      "lib/exact.ts": 'export const exact = "exact";',
      "lib/based.ts": 'export const based = "based";',
      "lib/data.json": '{ "value": "data" }',
    });
    const found = ["bare", "emitted", "module", "folder", "view", "up folder", "alias", "exact", "based"];
    assert.deepEqual(result, [...found, "hash", "sub", "data", "data"]);
  });
}

test("JSX is compiled, also where tsconfig.json leaves it to another compiler", async (t) => {
  const result = await probed(t, {
    ...esm,
    "toolpost.config.ts": `import { view } from "./view";\n${configOf("[view]")}`,
    "view.tsx": "export const view = <list of={2} />;",
    "tsconfig.json": options({ jsx: "preserve", jsxImportSource: "tiny" }),
    "node_modules/tiny/package.json": '{ "type": "module", "exports": { "./jsx-runtime": "./runtime.js" } }',
    "node_modules/tiny/runtime.js": "export const jsx = (type, { of }) => `${type} of ${of}`;",
  });
  assert.deepEqual(result, ["list of 2"]);
});

test("what Node finds is taken before any alias, so that a package stays one copy", async (t) => {
  const result = await probed(t, {
    ...esm,
    "toolpost.config.ts": `import { from } from "pack";\n${configOf("[from]")}`,
    "tsconfig.json": options({ paths: { pack: ["./other.ts"] } }),
    "other.ts": 'export const from = "alias";',
    "node_modules/pack/package.json": '{ "type": "module", "exports": "./index.js" }',
    "node_modules/pack/index.js": 'export const from = "package";',
  });
  assert.deepEqual(result, ["package"]);
});

test("packages are left to Node: TypeScript in them is not compiled, and they import as Node does", async (t) => {
  const packed = (index: string) => ({
    ...esm,
    "toolpost.config.ts": 'import "pack"; export default {};',
    "node_modules/pack/package.json": `{ "type": "module", "exports": "./${index}" }`,
    "node_modules/pack/index.ts": "export const a: number = 1;",
    "node_modules/pack/index.js": 'import "./index";',
  });
  assert.match(
    await refused(t, packed("index.ts")),
    /Stripping types is currently unsupported for files under node_modules/,
  );
  assert.match(await refused(t, packed("index.js")), /Cannot find module '.*node_modules\/pack\/index'/);
});

test("CommonJS has its variables, its exports, its circles and its `require`", async (t) => {
  const result = await probed(t, {
    "package.json": '{ "type": "commonjs" }',
    "toolpost.config.ts": `
      import path from "node:path";
      import assign = require("./assigned");
      import { first } from "./first";
      ${configOf('[path.basename(__filename), __dirname === path.dirname(__filename), assign.value, first(), require("./first").first === first]')}`,
    "assigned.ts": 'export = { value: "assigned" };',
    "first.ts": 'import { second } from "./second"; export const first = () => second(); export const word = "circle";',
    "second.ts": 'import { word } from "./first"; export const second = () => word;',
  });
  assert.deepEqual(result, ["toolpost.config.ts", true, "assigned", "circle", true]);
});

for (const [what, line] of [
  ["awaits at its top level", "const dir = await Promise.resolve(process.cwd());"],
  ["asks for import.meta", "const dir = import.meta.dirname;"],
] as const) {
  test(`a file that ${what} is an ES module wherever it stands, and imports the others as they are written`, async (t) => {
    const result = await probed(t, {
      "toolpost.config.ts": `
        import whole, { named, count } from "./other";
        ${line}
        ${configOf("[dir.length > 0, whole, named, count(), (await import('./other')).count(), (await import('./third')).viaRequire()]")}`,
      "other.ts": `
        let calls = 0;
        export const count = () => ++calls;
        export const named = typeof __filename;
        export * from "./barrel";
        export default "default";`,
      "barrel.ts": 'export { seen } from "./seen";',
      "seen.ts": 'export const seen = "seen";',
      "third.ts": 'import { count, seen } from "./other"; export const viaRequire = () => [count(), seen];',
    });
    assert.deepEqual(result, [true, "default", "string", 1, 2, [3, "seen"]]);
  });
}

test("names that a CommonJS file passes on from another are there for an ES module", async (t) => {
  const result = await probed(t, {
    "package.json": "{}",
    "toolpost.config.ts": `
      import { own, passed, "odd name" as odd } from "./barrel.ts";
      import plain from "./plain.cts";
      await null;
      ${configOf("[own, passed, odd, plain]")}`,
    "barrel.ts": 'export const own = "own"; export * from "./passed"; const odd = "odd"; export { odd as "odd name" };',
    "passed.ts": 'export const passed = "passed";',
    "plain.cts": 'export default "inner";',
  });
  assert.deepEqual(result, ["own", "passed", "odd", { default: "inner" }]);
});

test("an ES module that waits cannot be required, and the fix is said", async (t) => {
  const stderr = await refused(t, {
    "toolpost.config.ts": 'import { late } from "./late";\nexport default { tools: [late] };',
    "late.ts": "export const late = await Promise.resolve(1);",
  });
  assert.match(stderr, /^error \[config\.invalid\]: .*\nfix: .*`"type": "module"` in the `package\.json`\.\n$/);
});

for (const [format, files, specifier] of [
  ["an ES module", esm, source],
  ["CommonJS", {}, new URL(source).pathname],
] as const) {
  test(`the command and a configuration in ${format} share one copy of a module`, async (t) => {
    await probed(t, {
      ...files,
      "toolpost.config.ts": `import { ToolError } from "${specifier}/core/errors.ts";
        Object.assign(globalThis, { toolErrorSeen: ToolError });
        ${configOf("[]")}`,
    });
    assert.equal(Reflect.get(globalThis, "toolErrorSeen"), ToolError);
    Reflect.deleteProperty(globalThis, "toolErrorSeen");
  });
}

const thrower = `
interface Removed {
  readonly by: "the compiler";
}
enum Kind { A, B, C }

export function fail(): Removed {
  throw new TypeError("no key " + Kind.C);
}
`;

for (const [format, files] of [
  ["an ES module", esm],
  ["CommonJS", {}],
] as const) {
  test(`an error while the configuration loads is shown at the user's own line, in ${format}`, async (t) => {
    const stderr = await refused(t, {
      ...files,
      "toolpost.config.ts": 'import { fail } from "./lib/fail";\n\nexport default fail();',
      "lib/fail.ts": thrower,
    });
    assert.match(
      stderr,
      /^error \[config\.invalid\]: `toolpost\.config\.ts` threw TypeError: no key 2, at lib\/fail\.ts:8:9\n/,
    );
  });

  test(`an error inside of a call has the user's own lines in its stack, also from a file that is imported then, in ${format}`, async (t) => {
    const cwd = temporaryTree(t, {
      ...files,
      "toolpost.config.ts": `
        const log = ({ error }: { error?: Error }) => void Object.assign(globalThis, { stackSeen: error?.stack });
        export default { log, tools: [${toolOf('(await import("./lib/fail")).fail()')}] };`,
      "lib/fail.ts": thrower,
    });
    assert.equal((await runMain(probe, { cwd })).code, 1);
    assert.match(
      String(Reflect.get(globalThis, "stackSeen")),
      /^TypeError: no key 2\n +at (?:Module\.)?fail \(.*\/lib\/fail\.ts:8:9\)\n +at .*\/toolpost\.config\.ts:3:/,
    );
    Reflect.deleteProperty(globalThis, "stackSeen");
  });

  test(`what is not well-formed is shown with its line and a caret, in an imported file too, in ${format}`, async (t) => {
    const stderr = await refused(t, {
      ...files,
      "toolpost.config.ts": 'import "./lib/broken.ts";\nexport default {};',
      "lib/broken.ts": "type A = 1;\nexport const tools = [1 2];\n",
    });
    assert.equal(
      stderr,
      [
        'error [config.syntax]: `toolpost.config.ts`: Expected "]" but found "2", at lib/broken.ts:2:25',
        "  | export const tools = [1 2];",
        "  |                         ^",
        "fix: Correct the text at the line and column in the message.\n",
      ].join("\n"),
    );
  });

  test(`a package that is missing is named with its command, in ${format}`, async (t) => {
    const stderr = await refused(t, {
      ...files,
      "toolpost.config.ts": 'import { x } from "@nobody/nothing/deep";\nexport default { x };',
    });
    assert.match(
      stderr,
      /^error \[config\.invalid\]: `toolpost\.config\.ts`: Cannot find .*'@nobody\/nothing.*\nfix: Run `npm install @nobody\/nothing`\.\n$/,
    );
  });
}

test("a name that a module does not export is shown at the line of the import", async (t) => {
  const stderr = await refused(t, {
    ...esm,
    "toolpost.config.ts": '\ninterface Gone { a: 1 }\n\nimport { nothing } from "./lib";\nexport default { nothing };',
    "lib.ts": "export {};",
  });
  assert.match(
    stderr,
    /^error \[config\.syntax\]: .*export named 'nothing', at toolpost\.config\.ts:4\n {2}\| import \{ nothing \}/,
  );
});

test("import.meta in a file that is CommonJS by its name is refused at its place", async (t) => {
  const stderr = await refused(t, {
    "toolpost.config.ts": 'import "./plain.cts";\nexport default {};',
    "plain.cts": "\nexport const here = import.meta.dirname;",
  });
  assert.match(stderr, /^error \[config\.syntax\]: .*import\.meta.*, at plain\.cts:2:21\n {2}\| export const here/);
});

test("a tsconfig.json that cannot be read is an error of the configuration", async (t) => {
  const stderr = await refused(t, {
    "toolpost.config.ts": "export default {};",
    "tsconfig.json": '{ "extends": "@nobody/tsconfig" }',
  });
  assert.match(
    stderr,
    /^error \[config\.invalid\]: the `tsconfig\.json` cannot be read: .*@nobody\/tsconfig.*\nfix: Mend/,
  );
});

test("prompt files are relative to the file that defines the agent, compiled as it is", async (t) => {
  for (const manifest of ['{ "type": "module" }', "{}"]) {
    const cwd = temporaryTree(t, {
      "package.json": manifest,
      "toolpost.config.ts": 'import { desk } from "./agents/desk";\nexport default { agents: [desk] };',
      "agents/desk.ts": `import { defineAgent } from "${new URL(source).pathname}/agent/define-agent.ts";
        import { scriptedModel } from "${new URL(source).pathname}/models/scripted-model.ts";
        enum Name { Desk = "desk" }
        const model = scriptedModel([({ system }) => String(system)]);
        export const desk = defineAgent({ name: Name.Desk, description: "Answers", model, prompt: { files: ["./desk.md"] }, tools: [] });`,
      "agents/desk.md": "Be brief.",
    });
    const { code, stdout, stderr } = await runMain(["run", "desk", "Hello", "--quiet"], { cwd });
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: "Be brief.\n", stderr: "" });
  }
});
