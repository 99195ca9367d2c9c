// What is measured, by letter: what each scenario does, its gate and its aim. How it is done stands in `measure/`.

/** `seams`: which ways to ask the model it is measured on. `gate` and `aim` are the most a figure may be. */
export const scenarios = {
  a: { what: "a run of one call, then text", seams: ["generate", "stream"], gate: 2, aim: 1.5 },
  b: { what: "a run of 20 turns with a call each", seams: ["generate", "stream"], gate: 2, aim: 1.4 },
  c: { what: "a run of 32 calls side by side", seams: ["generate", "stream"], gate: 2, aim: 1.5 },
  d: { what: "runs of 500 to 8,000 turns: exponent of the cost", seams: ["generate"], gate: 1.2, aim: 1.1 },
  e: { what: "2,000 runs at once, a model that takes 50 ms", seams: ["generate"], gate: 2, aim: 1.5 },
  f: { what: "one direct call", seams: ["generate"], gate: 2, aim: 1.4 },
  g: { what: "import, and first run, above an empty process (ms)", seams: ["generate"], gate: 25, aim: 15 },
  h: { what: "a run among 1,000 tools against one among one tool", seams: ["generate"], gate: 1.3, aim: 1.1 },
  i: { what: "cutting 50 MB, beyond measuring it (ms)", seams: ["generate"], gate: 1, aim: 1 },
  s: { what: "streaming 1,000 parts", seams: ["stream"], gate: 2, aim: 1.5 },
  observed: { what: "observed against unobserved runs of 20 turns", seams: ["generate"], gate: 1.5, aim: 1.5 },
  age: { what: "run 10,000 against run 2,000, in time", seams: ["generate"], gate: 1.1, aim: 1.05 },
  heap: { what: "run 10,000 against run 2,000, in heap after collection", seams: ["generate"], gate: 1.05, aim: 1.05 },
};

/** Which scenarios are ratios to the hand-written loop, with the work one round repeats. */
export const againstTheLimit = {
  a: { model: { turns: 1 }, times: 400 },
  b: { model: { turns: 20 }, times: 30 },
  c: { model: { turns: 1, parallel: 32 }, times: 20 },
  s: { model: { turns: 0, chunks: 1_000 }, times: 10 },
};
