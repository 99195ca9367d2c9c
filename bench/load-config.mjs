// What loading a configuration of 50 decorated files costs: the command on it, against esbuild's own `transformSync` of the same
// 50 files and nothing else. Each in a fresh process, by turns, CPU (of all its processes) and wall time as medians and spread.
// Run with `npm run load-config --workspace toolpost-bench`; `-- --json` for programs, `-- --rounds 30` for more.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

const LIMIT = 3;
const FILES = 50;

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, rounds: { type: "string", default: "15" } },
});
const require = createRequire(import.meta.url);
const command = join(dirname(require.resolve("toolpost/package.json")), "bin/toolpost.js");
const esbuild = require.resolve("esbuild");

const decorators = `export const notes = new Map<object, string[]>();
export const Field = (words: string) => (target: object, key: string) =>
  void notes.set(target, [...(notes.get(target) ?? []), key + ": " + words]);
export const Named = (name: string) => (target: Function) => void notes.set(target, [name]);
export interface Told { tell(words: string): string }
export const toolOf = (told: Told) => ({
  name: notes.get(told.constructor)?.[0] ?? "",
  description: (notes.get(Object.getPrototypeOf(told)) ?? []).join(", "),
  source: "custom" as const,
  inputSchema: { type: "object" },
  execute: () => told.tell("done"),
});
`;

const toolFile = (number) => `import { Field, Named, type Told } from "./decorators.ts";

enum Kind { Plain = "plain", Urgent = "urgent" }

/** The orders of one customer, as the shop keeps them. */
export interface Order${number} {
  readonly id: string;
  readonly lines: readonly { readonly article: string; readonly count: number; readonly cents: number }[];
}

@Named("tool_${number}")
export class Tool${number} implements Told {
  @Field("what kind of order it is") kind: Kind = Kind.Plain;
  @Field("how many are read at once") limit = ${number};

  constructor(private readonly orders = new Map<string, Order${number}>(), readonly prefix: string = "order") {}

  tell(words: string): string {
    const total = [...this.orders.values()].flatMap(({ lines }) => lines).reduce((sum, { count, cents }) => sum + count * cents, 0);
    return this.kind === Kind.Urgent ? \`${"${words}"}!\` : \`${"${this.prefix}"} ${"${words}"}: ${"${total}"} of ${"${this.limit}"}\`;
  }

  async find(id: string): Promise<Order${number} | undefined> {
    for (const [key, order] of this.orders) if (key === id || order.id === id) return order;
    return undefined;
  }
}
`;

// What a process cost, written as it ends, with the processes it has started then: esbuild's service lives as long as it.
const meter = `import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
const read = (path) => { try { return readFileSync(path, "utf8"); } catch { return ""; } };
const tasks = (pid) => (existsSync("/proc/" + pid + "/task") ? readdirSync("/proc/" + pid + "/task") : []);
process.on("exit", () => {
  const children = tasks(process.pid).flatMap((task) => read("/proc/" + process.pid + "/task/" + task + "/children").split(" ").filter(Boolean));
  const nanoseconds = children.flatMap((pid) => tasks(pid).map((task) => Number(read("/proc/" + pid + "/task/" + task + "/schedstat").split(" ")[0])));
  const { user, system } = process.cpuUsage();
  const cpu = (user + system) / 1000 + nanoseconds.reduce((sum, next) => sum + next, 0) / 1e6;
  writeFileSync(new URL("./cpu", import.meta.url), String(cpu));
});
`;

const project = mkdtempSync(join(tmpdir(), "toolpost-bench-"));
try {
  writeProject();
  report(measure());
} finally {
  rmSync(project, { recursive: true, force: true });
}

function writeProject() {
  const numbers = Array.from({ length: FILES }, (_, index) => index);
  const write = (name, text) => {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  };
  write("package.json", '{ "private": true, "type": "module" }');
  const compilerOptions = { target: "es2022", module: "nodenext", strict: true, experimentalDecorators: true };
  write("tsconfig.json", JSON.stringify({ compilerOptions }));
  write("meter.mjs", meter);
  write("src/decorators.ts", decorators);
  for (const number of numbers) write(`src/tool-${number}.ts`, toolFile(number));
  const imports = numbers.map((number) => `import { Tool${number} } from "./src/tool-${number}.ts";`);
  const tools = numbers.map((number) => `toolOf(new Tool${number}())`);
  write(
    "toolpost.config.ts",
    `import { toolOf } from "./src/decorators.ts";\n${imports.join("\n")}\nexport default { tools: [${tools.join(", ")}] };\n`,
  );
  const paths = numbers.map((number) => join(project, `src/tool-${number}.ts`));
  write(
    "transform.cjs",
    `const { readFileSync } = require("node:fs");
const { transformSync } = require(${JSON.stringify(esbuild)});
const tsconfigRaw = ${JSON.stringify({ compilerOptions })};
for (const path of ${JSON.stringify(paths)})
  transformSync(readFileSync(path, "utf8"), { loader: "ts", format: "esm", target: "node" + process.versions.node, tsconfigRaw });
`,
  );
}

function measure() {
  const transform = { args: [join(project, "transform.cjs")], cpu: [], wall: [] };
  const load = { args: [command, "list", "--json"], cpu: [], wall: [] };
  for (let round = 0; round < Number(values.rounds) + 2; round++) {
    for (const way of [transform, load]) {
      const { cpu, wall } = run(way.args);
      // The first ones warm the caches of the file system.
      if (round < 2) continue;
      way.cpu.push(cpu);
      way.wall.push(wall);
    }
  }
  return { transform, load };
}

/** In milliseconds. */
function run(args) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", join(project, "meter.mjs"), ...args], {
    cwd: project,
    encoding: "utf8",
  });
  const wall = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}:\n${stderr}`);
  if (args.includes("list") && JSON.parse(stdout).length !== FILES) throw new Error(`not ${FILES} tools:\n${stdout}`);
  return { wall, cpu: Number(readFileSync(join(project, "cpu"), "utf8")) };
}

function report({ transform, load }) {
  const ways = { transformSync: summary(transform), load: summary(load) };
  const ratio = {
    cpu: ways.load.cpu.median / ways.transformSync.cpu.median,
    wall: ways.load.wall.median / ways.transformSync.wall.median,
  };
  const isWithin = ratio.cpu < LIMIT && ratio.wall < LIMIT;
  if (values.json) console.log(JSON.stringify({ files: FILES, limit: LIMIT, ...ways, ratio, isWithin }));
  else {
    for (const [name, { cpu, wall }] of Object.entries(ways))
      console.log(`${name.padEnd(14)} CPU ${shown(cpu)}   wall ${shown(wall)}`);
    console.log(`${"ratio".padEnd(14)} CPU ${ratio.cpu.toFixed(2)}   wall ${ratio.wall.toFixed(2)}   (under ${LIMIT})`);
  }
  if (!isWithin) process.exitCode = 1;
}

function summary({ cpu, wall }) {
  return { cpu: spread(cpu), wall: spread(wall) };
}

function spread(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)], least: sorted[0], most: sorted.at(-1) };
}

function shown({ median, least, most }) {
  return `${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)})`;
}
