// Breaks of who decides on a call: verdicts, rules, floors, redactors.
import type { Mutant } from "../lib/mutant.ts";

export const policy: readonly Mutant[] = [
  {
    guarantee: "a policy that gives no verdict refuses the call",
    file: "src/policy/normal-verdict.ts",
    find: "?? noVerdict;",
    replace: "?? allow;",
    test: "src/policy/normal-verdict.test.ts",
  },
  {
    guarantee: "a verdict that cannot be read refuses the call",
    file: "src/policy/normal-verdict.ts",
    find: "} catch {\n    return noVerdict;",
    replace: "} catch {\n    return allow;",
    test: "src/policy/normal-verdict.test.ts",
  },
  {
    guarantee: "a deny from anywhere wins over an approval",
    file: "src/policy/combine-verdicts.ts",
    find: '"needs-approval": 1, deny: 2',
    replace: '"needs-approval": 2, deny: 1',
    test: "src/policy/combine-verdicts.test.ts",
  },
  {
    guarantee: "of several denies the first reason counts",
    file: "src/policy/combine-verdicts.ts",
    find: "difference === 0 && textOf(first) === undefined",
    replace: "difference === 0",
    test: "src/policy/combine-verdicts.test.ts",
  },
  {
    guarantee: "a rule that throws denies",
    file: "src/policy/create-decide.ts",
    find: 'return "deny";',
    replace: "return undefined;",
    test: "src/policy/create-decide.test.ts",
  },
  {
    guarantee: "a predicate that answers nothing does not count as a tool without a policy",
    file: "src/policy/create-decide.ts",
    find: "toolVerdict === undefined && question.definition.policy === undefined",
    replace: "toolVerdict === undefined",
    test: "src/policy/create-decide.test.ts",
  },
  {
    guarantee: "floors lift what the tool's own policy allows",
    file: "src/policy/create-decide.ts",
    find: "...floors.map((floor) => floorVerdict(floor, question.definition)),",
    replace: "",
    test: "src/policy/create-decide.test.ts",
  },
  {
    guarantee: "a floor holds for tags as for names",
    file: "src/policy/approval-floor.ts",
    find: "return isNamed || isTagged ?",
    replace: "return isNamed ?",
    test: "src/policy/approval-floor.test.ts",
  },
  {
    guarantee: "every redactor sees the text, in order",
    file: "src/policy/combine-redactors.ts",
    find: "redact(masked, isComplete)",
    replace: "redact(text, isComplete)",
    test: "src/policy/combine-redactors.test.ts",
  },
  {
    guarantee: "a redactor that gives no text back refuses the result",
    file: "src/policy/combine-redactors.ts",
    find: 'if (typeof next !== "string") {',
    replace: 'if (typeof next !== "string") break;\n      if (typeof next !== "string") {',
    test: "src/policy/combine-redactors.test.ts",
  },
];
