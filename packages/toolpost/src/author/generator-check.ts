// A generator as a handler: what it yields would go nowhere, and the model would read `{}`.
// One place for the rule, as functions and methods are checked apart.

export function isGenerator(value: unknown): boolean {
  return typeof value === "function" && /^(?:Async)?GeneratorFunction$/.test(value.constructor.name);
}

export const generatorMend =
  "is a generator, and a tool gives one value: return it, and tell of what comes before by `ctx.progress(…)`";
