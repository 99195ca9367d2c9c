// Breaks of authoring and catalogue: what a handler gets, what a model is told, which tools it sees under which names.
import type { Mutant } from "../lib/mutant.ts";

const compile = "src/author/compile-schema.test.ts";
const raw = "src/author/validate-json-schema.test.ts";
const surely = "src/author/json-schema/surely-valid.test.ts";
const checks = "src/author/tool-checks.test.ts";
const define = "src/author/define-tool.test.ts";
const toTool = "src/author/to-tool.test.ts";
const catalog = "src/catalog/create-catalog.test.ts";
const alias = "src/catalog/alias.test.ts";
const merge = "src/catalog/merge-tools.test.ts";

export const author: readonly Mutant[] = [
  {
    guarantee: "a text longer than a JSON Schema allows is not matched",
    file: "src/author/json-schema/prepare-schema.ts",
    find: "  matchBounded(copy);\n",
    replace: "",
    test: raw,
  },
  {
    guarantee: "a validator that throws refuses the value",
    file: "src/author/compile-schema.ts",
    find: "return unvalidated(error);",
    replace: "return { ok: true, value };",
    test: compile,
  },
  {
    guarantee: "what a validator threw is never told to the model",
    file: "src/author/schema-issues.ts",
    find: ': "the value could not be validated";',
    replace: ": String(cause);",
    test: compile,
  },
  {
    guarantee: "a rejecting refinement of zod does not end the process, nor run twice",
    file: "src/author/compile-schema.ts",
    find: "const ownCode = zodValidate(schema);",
    replace: "const ownCode = undefined as ReturnType<typeof zodValidate>;",
    test: compile,
  },
  {
    guarantee: "arguments that are no object are never handed to the schema",
    file: "src/author/tool-input.ts",
    find: "if (isRecord(value)) return validate(value);",
    replace: "if (value !== null) return validate(value);",
    test: [define, toTool],
  },
  {
    guarantee: "a day that does not exist is no date",
    file: "src/author/native-values.ts",
    find: "return day <= 28 ||",
    replace: "return day <= 31 ||",
    test: compile,
  },
  {
    guarantee: "of alternatives the first that takes the value is converted",
    file: "src/author/revive-natives.ts",
    find: "choice.find((part) => takes(part, revived, 0))",
    replace: "choice.findLast((part) => takes(part, revived, 0))",
    test: compile,
  },
  {
    guarantee: "dates are text with a format on the wire",
    file: "src/author/native-values.ts",
    find: '{ type: "string", format: "date-time" }',
    replace: '{ type: "string" }',
    test: compile,
  },
  {
    guarantee: "a keyword of raw JSON Schema that cannot be followed refuses every value",
    file: "src/author/lazy-validate.ts",
    find: "return unvalidated(error);",
    replace: "return { ok: true, value: value as never };",
    test: raw,
  },
  {
    guarantee: "a value is said to be valid without the library only where every keyword of its schema was followed",
    file: "src/author/json-schema/surely-valid.ts",
    find: "Object.hasOwn(plain, keyword) && plain[keyword]!(value, seen)",
    replace: "plain[keyword]?.(value, seen) ?? true",
    test: surely,
  },
  {
    guarantee: "what JSON has not is never said to be valid without the library",
    file: "src/author/json-schema/surely-valid.ts",
    find: "if (kind === undefined) return false;",
    replace: "if (kind === undefined) return true;",
    test: surely,
  },
  {
    guarantee: "a field that must be there is asked for without the library too",
    file: "src/author/json-schema/surely-valid.ts",
    find: "for (const name of required) if (!Object.hasOwn(value, name)) return false;",
    replace: "for (const name of required) if (!(name in value)) return false;",
    test: surely,
  },
  {
    guarantee: "a value that is plainly valid needs no library",
    file: "src/author/validate-json-schema.ts",
    find: "if (isPlain && isPlainlyValid(prepared, value)) return { ok: true, value };",
    replace: "",
    test: raw,
  },
  {
    guarantee: "references out of a schema are not followed",
    file: "src/author/json-schema/prepare-schema.ts",
    find: "if (target === undefined)",
    replace: "if (target === null)",
    test: raw,
  },
  {
    guarantee: "a reference that leads back to itself is told, not followed",
    file: "src/author/json-schema/bound-cost.ts",
    find: "Number.isNaN(cost) ||",
    replace: "",
    test: raw,
  },
  {
    guarantee: "a schema that multiplies alternatives is refused before it is run",
    file: "src/author/json-schema/bound-cost.ts",
    find: "if (sum > mostSteps)",
    replace: "if (sum < 0)",
    test: raw,
  },
  {
    guarantee: "of alternatives that fail the issue is of the one that was meant",
    file: "src/author/json-schema/choose-alternative.ts",
    find: "if (meant.length > 0) return fewest(meant);",
    replace: "if (meant.length > 0) return fewest(possible);",
    test: raw,
  },
  {
    guarantee: "an input schema whose root is no object fails assembly",
    file: "src/author/tool-input.ts",
    find: 'return [schema.type].flat().includes("object");',
    replace: "return true;",
    test: checks,
  },
  {
    guarantee: "a bare number is no timeout, also where no compiler looked",
    file: "src/author/setting-checks.ts",
    find: 'value.kind === "duration" &&',
    replace: "",
    test: checks,
  },
  {
    guarantee: "an illegal name is told with the name to use",
    file: "src/core/name.ts",
    find: '"_")',
    replace: '"-")',
    test: checks,
  },
  {
    guarantee: "a condition that says anything but true hides the tool",
    file: "src/catalog/create-catalog.ts",
    find: "return answer === true;",
    replace: "return Boolean(answer);",
    test: catalog,
  },
  {
    guarantee: "a condition that throws hides the tool",
    file: "src/catalog/create-catalog.ts",
    find: "        return false;\n      }\n    });",
    replace: "        return true;\n      }\n    });",
    test: catalog,
  },
  {
    guarantee: "a hidden tool is not found",
    file: "src/catalog/create-catalog.ts",
    find: "this.#byName = new Map(tools.map((tool) => [tool.name, tool]));",
    replace: "this.#byName = stock.byName;",
    test: catalog,
  },
  {
    guarantee: "all required calls must have succeeded",
    file: "src/catalog/create-catalog.ts",
    find: "!needed.every(",
    replace: "!needed.some(",
    test: catalog,
  },
  {
    guarantee: "the wire stays the same while nothing changes",
    file: "src/catalog/create-catalog.ts",
    find: "views.set(key, view);",
    replace: "",
    test: catalog,
  },
  {
    guarantee: "an alias depends on the names, not on their order",
    file: "src/catalog/alias.ts",
    find: "&& wishes.get(wish) === 1",
    replace: "",
    test: alias,
  },
  {
    guarantee: "two tools of the project with one name are a problem with both places",
    file: "src/catalog/merge-tools.ts",
    find: "if (entry.origin.sourceName !== undefined) continue;",
    replace: "if (entry.origin.sourceName === undefined) continue;",
    test: merge,
  },
];
