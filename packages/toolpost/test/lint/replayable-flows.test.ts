// The rule `toolpost/replayable-flows` on ESLint's own tester: which natives it knows, what it takes for a flow and what for
// the work of a step, and that it leaves everything else alone.
import { describe, it } from "node:test";
import { RuleTester } from "eslint";
import toolpost from "../../lint/eslint.js";
import { typescriptParser } from "../lib/typescript-parser.ts";

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.itOnly = it.only;

const rule = toolpost.rules["replayable-flows"];
const typescript = new RuleTester({ languageOptions: { parser: typescriptParser } });
const javascript = new RuleTester();

const inFlow = (code: string) => `async function triage(run: Run) { ${code} }`;
const oneWait = "a branch waits for one thing at a time, or no replay can tell which came first";
const noTimer = "a run that waits is given up, and its timers with it";
const sameTime = "each replay would read another time";
const sameValue = "each replay would draw another value";
const clock = `use run.now(key), not Date.now: ${sameTime}`;

const reported: ReadonlyArray<[code: string, message: string]> = [
  ["await Promise.all([a, b]);", `use run.all, not Promise.all: ${oneWait}`],
  ["await Promise.allSettled([a]);", `use run.all over branches that catch, not Promise.allSettled: ${oneWait}`],
  ["await Promise.any([a, b]);", `use run.next, not Promise.any: ${oneWait}`],
  ["await Promise.race([a, b]);", `use run.next, not Promise.race: ${oneWait}`],
  ["setTimeout(done, 10);", `use run.sleep(key, { ms }), not setTimeout: ${noTimer}`],
  ["setInterval(done, 10);", `use run.sleep(key, { ms }) in a loop, not setInterval: ${noTimer}`],
  ["setImmediate(done);", `use run.sleep(key, { ms: 0 }), not setImmediate: ${noTimer}`],
  ["Date.now();", clock],
  ["new Date();", `use new Date(await run.now(key)), not new Date(): ${sameTime}`],
  ["new Date;", `use new Date(await run.now(key)), not new Date(): ${sameTime}`],
  ["Date();", `use run.now(key), not Date(): ${sameTime}`],
  ["performance.now();", `use run.now(key), not performance.now: ${sameTime}`],
  ["Math.random();", `use run.random(key), not Math.random: ${sameValue}`],
  ["crypto.randomUUID();", `use run.step(key, () => crypto.randomUUID()), not crypto.randomUUID: ${sameValue}`],
  ["crypto.getRandomValues(bytes);", `use run.step(key, () => …), not crypto.getRandomValues: ${sameValue}`],
  ["tasks.map(Date.now);", clock],
  ["globalThis.Date.now();", clock],
  ['Date["now"]();', clock],
  [
    "globalThis.crypto?.randomUUID();",
    `use run.step(key, () => crypto.randomUUID()), not crypto.randomUUID: ${sameValue}`,
  ],
  ["const later = () => Date.now();", clock],
  ["for (const each of all) if (each) await each.then(() => Date.now());", clock],
];

typescript.run("what is another on each replay is reported in a flow, with what to use", rule, {
  valid: [],
  invalid: reported.map(([code, message]) => ({ name: code, code: inFlow(code), errors: [{ message }] })),
});

typescript.run("natives that come from a module of Node are reported", rule, {
  valid: [
    { name: "another export of it", code: `import { createHash } from "node:crypto"; ${inFlow('createHash("md5");')}` },
    { name: "the name from elsewhere", code: `import { setTimeout } from "./timers.ts"; ${inFlow("setTimeout(1);")}` },
  ],
  invalid: [
    ['import { randomUUID } from "node:crypto";', "randomUUID();", "crypto.randomUUID"],
    ['import { randomUUID as id } from "crypto";', "id();", "crypto.randomUUID"],
    ['import crypto from "node:crypto";', "crypto.randomInt(6);", "crypto.randomInt"],
    ['import * as crypto from "node:crypto";', "crypto.randomBytes(6);", "crypto.randomBytes"],
    ['import { setTimeout as wait } from "node:timers/promises";', "await wait(10);", "setTimeout"],
    ['import timers from "node:timers";', "timers.setInterval(done, 10);", "setInterval"],
    ['import { performance as p } from "node:perf_hooks";', "p.now();", "performance.now"],
  ].map(([imported = "", code = "", native = ""]) => ({
    name: imported,
    code: `${imported} ${inFlow(code)}`,
    errors: [{ message: new RegExp(`, not ${native.replace(".", "\\.")}: `) }],
  })),
});

typescript.run("what every replay gives again is not reported in a flow", rule, {
  valid: [
    "await run.all([a, b]); await run.next([a]);",
    "new Date(await run.now('now')); new Date(0); Date.parse('2026'); Date.UTC(2026);",
    "Promise.resolve(1); Promise.reject(e); new Promise(() => undefined);",
    "Math.max(1, 2); crypto.subtle; performance.mark('a');",
    "clearTimeout(timer); order.setTimeout(10); clock.Date.now();",
    "const Date = clock; Date.now();",
    "const crypto = ids; crypto.randomUUID();",
    "let timer: ReturnType<typeof setTimeout>; type A = typeof Date.now;",
    "const now = { setTimeout: 1 }; now.setTimeout;",
  ].map((code) => ({ name: code, code: inFlow(code) })),
  invalid: [],
});

const held = "{ Date.now(); }";

typescript.run("a flow is a function over a Run, and whatever stands in it", rule, {
  valid: [
    ["a function over something else", `function f(walk: Walk) ${held}`],
    ["a function over what makes runs", `function f(flow: Flow, begin: (run: Run) => void) ${held}`],
    ["a type of that name from another package", `import type { Run } from "openai"; function f(run: Run) ${held}`],
    ["one from a scoped package", `import { type Run } from "@langchain/core"; function f(run: Run) ${held}`],
    ["one of another package by its namespace", `import type * as o from "openai"; function f(run: o.Run) ${held}`],
    ["a variable of another type", `const f: Walk = async (run) => ${held}`],
    ["what stands beside a flow", `const flow: Flow = async () => null; const f = () => ${held}`],
    ["what a flow is made by", `function make(): Flow { Date.now(); return flow; }`],
    ["a member beside a flow", `const all: { flow: Flow; end: () => void } = { flow, end: () => ${held} }`],
    ["a function at the top", held],
  ].map(([name = "", code = ""]) => ({ name, code })),
  invalid: [
    ["a function", `async function f(run: Run) ${held}`],
    ["an arrow", `const f = async (run: Run) => ${held}`],
    ["an arrow without a block", "const f = (run: Run) => Date.now();"],
    ["the default of a parameter", "const f = (run: Run, at = Date.now()) => at;"],
    ["a method", `class Desk { async f(order: Order, run: Run) ${held} }`],
    ["a constructor", `class Desk { constructor(private readonly run: Run) ${held} }`],
    ["a default export", `export default async function (run: Run) ${held}`],
    ["a run that may be missing", `function f(run?: Run) ${held}`],
    ["a run that may be undefined", `function f(run: Run | undefined) ${held}`],
    ["a run by default", `function f(run: Run = other) ${held}`],
    ["a part of a run", `function f(run: Pick<Run, "step" | "now">) ${held}`],
    ["a run of Toolpost", `import type { Run } from "toolpost"; function f(run: Run) ${held}`],
    ["a run under another name", `import type { Run as R } from "toolpost"; function f(run: R) ${held}`],
    ["a run by its namespace", `import type * as toolpost from "toolpost"; function f(run: toolpost.Run) ${held}`],
    ["a run of a file of the project", `import type { Run } from "@/core/run"; function f(run: Run) ${held}`],
    ["a function in a flow", `function f(run: Run) { function g() ${held} }`],
    ["a variable of type Flow", `const f: Flow = async (run) => ${held}`],
    ["a variable over a Run", `const f: (run: Run) => Promise<void> = async (run) => ${held}`],
    ["a table of flows", `const all: Readonly<Record<string, Flow>> = { f: async (run) => ${held} }`],
    ["a list of flows", `const all: readonly Flow[] = [async (run) => ${held}]`],
    ["what satisfies Flow", `serve({ f: (async (run) => ${held}) satisfies Flow })`],
    ["what is said to be a Flow", `serve((async (run) => ${held}) as Flow)`],
    ["a property of type Flow", `class Desk { readonly f: Flow = async (run) => ${held} }`],
    ["a returned flow", `function make(): Flow { return async (run) => ${held} }`],
    ["a flow that an arrow gives", `const make = (): Flow => async (run) => ${held}`],
  ].map(([name = "", code = ""]) => ({ name, code, errors: [{ message: clock }] })),
});

javascript.run("workflows and branches are flows without any types", rule, {
  valid: [
    ["another definition", `defineTool({ run(flow) ${held} })`],
    ["another method of the definition", `defineWorkflow({ state() ${held}, async run(flow) {} })`],
    ["a second argument of the definition", `defineWorkflow(definition, { run(flow) ${held} })`],
    ["another method", `tree.leaf("a", (run) => ${held})`],
    ["the first argument of a branch", `tree.branch((run) => ${held})`],
  ].map(([name = "", code = ""]) => ({ name, code })),
  invalid: [
    ["a method", `defineWorkflow({ name: "a", async run(run) ${held} })`],
    ["a property", `defineWorkflow({ run: async (run) => ${held} })`],
    ["a quoted property", `defineWorkflow({ "run": async (run) => ${held} })`],
    ["a function by its name", `async function triage(run) ${held} defineWorkflow({ run: triage })`],
    ["an arrow by its name", `const run = async (run) => ${held}; defineWorkflow({ run })`],
    ["by a namespace", `toolpost.defineWorkflow({ async run(run) ${held} })`],
    ["a branch", `run.branch("a", async (run) => ${held})`],
    ["a branch by its name", `async function one(run) ${held} run.branch("a", one)`],
    ["a run that is taken apart", `defineWorkflow({ async run({ step }) ${held} })`],
    ["a run that is not taken", `run.branch("a", () => ${held})`],
  ].map(([name = "", code = ""]) => ({ name, code, errors: [{ message: clock }] })),
});

javascript.run("messages call the run as the flow does", rule, {
  valid: [],
  invalid: [
    {
      name: "the flow of a workflow, and a branch of it",
      code: "defineWorkflow({ run(flow) { Math.random(); flow.branch('a', (b) => Promise.all([])); } })",
      errors: [
        { message: `use flow.random(key), not Math.random: ${sameValue}`, line: 1, column: 30, endColumn: 41 },
        { message: `use b.all, not Promise.all: ${oneWait}`, line: 1, column: 69, endColumn: 80 },
      ],
    },
  ],
});

typescript.run("in the work of a step everything is allowed, and only there", rule, {
  valid: [
    ["a step", `run.step("a", () => ${held});`],
    [
      "a step of many waits",
      `run.step("a", async ({ signal }) => { await Promise.all([a, b].map(() => Date.now())); });`,
    ],
    ["a step's work with its type", `run.step("a", (() => ${held}) as Work);`],
    ["a step's work by its name", `const work = () => ${held}; await run.step("a", work); await run.step("b", work);`],
    ["a declared one", `await run.step("a", work); function work() ${held}`],
    ["what stands for an interrupted step", `run.step("a", work, { interrupted: () => ${held} });`],
    ["performed work", `run.perform("a", (about) => ${held}, about);`],
    ["work in an object", `run.perform("a", { perform: () => ${held}, write() ${held} }, about);`],
  ].map(([name = "", code = ""]) => ({ name, code: inFlow(code) })),
  invalid: [
    ["a step's key", "run.step(`a${Date.now()}`, work);"],
    ["what is handed to work", `run.perform("a", work, { at: Date.now() });`],
    [
      "what performed work says of interruptions",
      'run.perform("a", { perform, interrupted: () => Date.now() }, about);',
    ],
    ["what reads a journal", `run.perform("a", { perform, read: () => ${held} }, about);`],
    ["work that the flow calls too", `const work = () => ${held}; run.step("a", work); work();`],
    ["a function that nobody uses", `const work = () => ${held};`],
    ["a flow in a step", `run.step("a", () => { const f = async (run: Run) => ${held}; });`],
  ].map(([name = "", code = ""]) => ({ name, code: inFlow(code), errors: [{ message: clock }] })),
});
