// Breaks of the dialects of JSON Schema: what providers are told of a tool, and what they are not.
import type { Mutant } from "../lib/mutant.ts";

export const mutants: readonly Mutant[] = [
  {
    guarantee: "alternatives at the root are offered as one object",
    file: "src/catalog/wire-schema.ts",
    find: "const root = asOneObject(shown, noteLoss);",
    replace: "const root = shown;",
    test: "test/wire/schemas.test.ts",
  },
  {
    guarantee: "a field of alternatives is required only where all require it",
    file: "src/catalog/dialects/one-object.ts",
    find: "if (alternatives.every(({ required }) => required.has(name))) own.required.add(name);",
    replace: "own.required.add(name);",
    test: "src/catalog/wire-schema.test.ts",
  },
  {
    guarantee: "under OpenAI's strict every field is required",
    file: "src/catalog/dialects/strict.ts",
    find: "filter((name) => all || required.has(name))",
    replace: "filter((name) => required.has(name))",
    test: "test/wire/schemas.test.ts",
  },
  {
    guarantee: "under OpenAI's strict a field that may be left out takes null",
    file: "src/catalog/dialects/strict.ts",
    find: "? strict : orNull(strict)",
    replace: "? strict : strict",
    test: "src/catalog/wire-schema.test.ts",
  },
  {
    guarantee: "what has no strict form makes a plain tool with a reason",
    file: "src/catalog/wire-schema.ts",
    find: "    noteLoss(error.path, ",
    replace: "    void (error.path, ",
    test: "src/catalog/wire-schema.test.ts",
  },
  {
    guarantee: "an open map is never sent as strict",
    file: "src/catalog/dialects/strict.ts",
    find: "if (additionalProperties !== false || schema.patternProperties !== undefined)",
    replace: "if (schema.patternProperties !== undefined)",
    test: "test/wire/schemas.test.ts",
  },
  {
    guarantee: "a null that the schema takes stays",
    file: "src/catalog/dialects/left-out.ts",
    find: "!required.has(name) && !acceptsNull(root, property)",
    replace: "!required.has(name)",
    test: "src/catalog/dialects/left-out.test.ts",
  },
  {
    guarantee: "for Gemini several types are alternatives",
    file: "src/catalog/dialects/gemini.ts",
    find: "return types.length > 1 ? types.map(",
    replace: "return types.length > 9 ? types.map(",
    test: "src/catalog/wire-schema.test.ts",
  },
  {
    guarantee: "for Gemini numbers to choose from are no texts",
    file: "src/catalog/dialects/gemini.ts",
    find: 'if (values.every((value) => typeof value === "string")) {',
    replace: "if (values.length > 0) {",
    test: "src/catalog/wire-schema.test.ts",
  },
  {
    guarantee: "for Gemini a schema that contains itself is written out to a depth only",
    file: "src/catalog/dialects/gemini.ts",
    find: "const mostSchemas = 2_000;",
    replace: "const mostSchemas = 2_000_000;",
    test: "src/catalog/wire-schema.test.ts",
  },
  {
    guarantee: "losses of a schema are told to operators",
    file: "src/catalog/create-catalog.ts",
    find: "this.#onLoss({ tool: tool.name, dialect, path, what });",
    replace: "void [path, what];",
    test: "test/wire/schemas.test.ts",
  },
];
