// The governed work and the same by hand, side by side over one model object and one schema.

import { createGoverned, createGovernedCalls, probeTool } from "./governed.mjs";
import { createHandLoop } from "./hand-written-loop.mjs";
import { argumentsText, createModel, execute, schema } from "./workload.mjs";

export function handTools(names = ["probe"]) {
  return names.map((name) => {
    const { description, inputSchema } = probeTool(name);
    return { name, description, schema, jsonSchema: inputSchema, execute };
  });
}

/** `ours` and `theirs`, functions that do one run each. Throws where they do not come to the same answer. */
export async function pairOfRuns({ model: settings, isStreaming = false, isObserved = true }) {
  const model = createModel(settings);
  const governed = createGoverned({ model, isStreaming, isObserved });
  const hand = createHandLoop({ model, tools: handTools(), isStreaming });
  return same({ ours: () => governed.run("go"), theirs: () => hand.run("go") });
}

export async function pairOfCalls() {
  const governed = await createGovernedCalls();
  const hand = createHandLoop({ model: createModel(), tools: handTools(), isStreaming: false });
  return same({ ours: () => governed(argumentsText), theirs: () => hand.call("probe", argumentsText) });
}

async function same(pair) {
  const [{ text: ours }, theirs] = [await pair.ours(), await pair.theirs()];
  if (ours !== theirs) throw new Error(`the two do not do the same: \`${ours}\` and \`${theirs}\``);
  return pair;
}
