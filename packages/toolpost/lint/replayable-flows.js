// The rule `replayable-flows`: what would be another on each replay, or a second wait, stands in a step or nowhere.
// It reports natives in the code of a flow; which functions are flows and which are steps, flow-functions.js says.

import { createFlowFinder } from "./flow-functions.js";

const oneWait = "a branch waits for one thing at a time, or no replay can tell which came first";
const noTimer = "a run that waits is given up, and its timers with it";
const sameTime = "each replay would read another time";
const sameValue = "each replay would draw another value";

const inStep = (native) => (run) => `${run}.step(key, () => ${native})`;

/** Native to what is used in its place, and why. */
const natives = {
  "Promise.all": [(run) => `${run}.all`, oneWait],
  "Promise.allSettled": [(run) => `${run}.all over branches that catch`, oneWait],
  "Promise.any": [(run) => `${run}.next`, oneWait],
  "Promise.race": [(run) => `${run}.next`, oneWait],
  setTimeout: [(run) => `${run}.sleep(key, { ms })`, noTimer],
  setInterval: [(run) => `${run}.sleep(key, { ms }) in a loop`, noTimer],
  setImmediate: [(run) => `${run}.sleep(key, { ms: 0 })`, noTimer],
  "Date.now": [(run) => `${run}.now(key)`, sameTime],
  "Date()": [(run) => `${run}.now(key)`, sameTime],
  "new Date()": [(run) => `new Date(await ${run}.now(key))`, sameTime],
  "performance.now": [(run) => `${run}.now(key)`, sameTime],
  "Math.random": [(run) => `${run}.random(key)`, sameValue],
  "crypto.randomUUID": [inStep("crypto.randomUUID()"), sameValue],
  "crypto.getRandomValues": [inStep("…"), sameValue],
  "crypto.randomBytes": [inStep("…"), sameValue],
  "crypto.randomInt": [inStep("…"), sameValue],
};

/** Modules of Node that give the same out: what their exports are called above, a namespace first. */
const modules = { crypto: "crypto", perf_hooks: "", timers: "", "timers/promises": "" };

export const replayableFlows = {
  meta: {
    type: "problem",
    docs: { description: "Code of a flow takes the same path on every replay" },
    messages: { native: "use {{fix}}, not {{native}}: {{why}}" },
    schema: [],
  },
  create(context) {
    const { sourceCode } = context;
    return {
      "Program:exit"() {
        const flows = createFlowFinder(sourceCode);
        for (const { node, native } of nativesOf(sourceCode)) {
          const run = flows.runAround(node);
          if (run === undefined) continue;
          const [fix, why] = natives[native];
          context.report({ node, messageId: "native", data: { fix: fix(run), native, why } });
        }
      },
    };
  },
};

/** Every place that speaks of a native, however it came by it: as a global, of `globalThis`, or from a module of Node. */
function nativesOf(sourceCode) {
  const references = sourceCode.scopeManager.scopes.flatMap((scope) => scope.references);
  return references
    .filter(({ identifier }) => identifier.parent.type !== "TSTypeQuery")
    .flatMap((reference) => nativeAt(reference))
    .sort((a, b) => a.node.range[0] - b.node.range[0]);
}

function nativeAt({ identifier, resolved }) {
  let name = outerName(identifier.name, resolved?.defs[0]);
  let node = identifier;
  for (;;) {
    const { parent } = node;
    if (name === undefined) return [];
    if (Object.hasOwn(natives, name)) return [{ node, native: name }];
    if (name === "Date" && parent.callee === node) {
      if (parent.type === "CallExpression") return [{ node: parent, native: "Date()" }];
      return parent.arguments.length === 0 ? [{ node: parent, native: "new Date()" }] : [];
    }
    if (parent.type !== "MemberExpression" || parent.object !== node) return [];
    name = join(name, propertyName(parent));
    node = parent;
  }
}

/** What a name stands for outside of the file: empty for what holds natives under their own names. */
function outerName(name, definition) {
  if (definition === undefined) return name === "globalThis" ? "" : name;
  if (definition.type !== "ImportBinding") return undefined;
  const module = String(definition.parent.source?.value).replace(/^node:/, "");
  if (!Object.hasOwn(modules, module)) return undefined;
  const { imported } = definition.node;
  return imported === undefined ? modules[module] : join(modules[module], imported.name ?? imported.value);
}

function join(path, name) {
  return path === "" || name === undefined ? name : `${path}.${name}`;
}

function propertyName({ property, computed }) {
  if (!computed) return property.name;
  return typeof property.value === "string" ? property.value : undefined;
}
