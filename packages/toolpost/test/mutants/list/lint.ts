// Breaks of the lint rule: what it takes for a native, for a flow and for the work of a step, and what it leaves alone.
import type { Mutant } from "../lib/mutant.ts";

const test = "test/lint/replayable-flows.test.ts";
const natives = "lint/replayable-flows.js";
const flows = "lint/flow-functions.js";

export const lint: readonly Mutant[] = [
  {
    guarantee: "a native race in a flow is reported",
    file: natives,
    find: '  "Promise.race": [(run) => `${run}.next`, oneWait],\n',
    replace: "",
    test,
  },
  {
    guarantee: "the time of a date made of nothing is reported, that of another is not",
    file: natives,
    find: "parent.arguments.length === 0",
    replace: "parent.arguments.length >= 0",
    test,
  },
  {
    guarantee: "a native by way of globalThis is reported",
    file: natives,
    find: 'name === "globalThis" ? "" : name',
    replace: "name",
    test,
  },
  {
    guarantee: "a native out of a module of Node is reported",
    file: natives,
    find: "if (!Object.hasOwn(modules, module)) return undefined;",
    replace: "return undefined;",
    test,
  },
  {
    guarantee: "a name of the file's own is no native",
    file: natives,
    find: 'if (definition.type !== "ImportBinding") return undefined;',
    replace: 'if (definition.type !== "ImportBinding") return name;',
    test,
  },
  {
    guarantee: "a type that speaks of a native is no use of it",
    file: natives,
    find: 'identifier.parent.type !== "TSTypeQuery"',
    replace: "identifier.parent !== undefined",
    test,
  },
  {
    guarantee: "outside of flows natives are nobody's business",
    file: natives,
    find: "if (run === undefined) continue;",
    replace: "",
    test,
  },
  {
    guarantee: "the work of a step may do anything",
    file: flows,
    find: "if (uses.length > 0 && uses.every(isStepWork)) return undefined;",
    replace: "",
    test,
  },
  {
    guarantee: "a function that the flow calls too is more than a step's work",
    file: flows,
    find: "uses.every(isStepWork)",
    replace: "uses.some(isStepWork)",
    test,
  },
  {
    guarantee: "only what is done once and journaled is a step's work",
    file: flows,
    find: '["perform", "write"].includes(keyOf(parent)) && ',
    replace: "",
    test,
  },
  {
    guarantee: "a branch is a flow without any types",
    file: flows,
    find: 'if (isArgument(use, 1, ["branch"])) return true;',
    replace: "",
    test,
  },
  {
    guarantee: "only the `run` of a workflow's definition is a flow",
    file: flows,
    find: ' || keyOf(parent) !== "run"',
    replace: "",
    test,
  },
  {
    guarantee: "a function of type Flow is a flow",
    file: flows,
    find: 'typeName(type.typeName) === "Flow"',
    replace: "type.typeName === undefined",
    test,
  },
  {
    guarantee: "another package's Run is another thing",
    file: flows,
    find: "  if (isForeign) return undefined;\n",
    replace: "",
    test,
  },
  {
    guarantee: "a Run that was given another name is one",
    file: flows,
    find: "name: imported?.name ?? local.name",
    replace: "name: local.name",
    test,
  },
  {
    guarantee: "`recommended` switches the rule on",
    file: "lint/eslint.js",
    find: '"toolpost/replayable-flows": "error"',
    replace: '"toolpost/replayable-flows": "off"',
    test: "test/lint/plugin.test.ts",
  },
];
