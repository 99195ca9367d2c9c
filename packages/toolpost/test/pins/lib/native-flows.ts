// What the published rule `toolpost/replayable-flows` says of the package's own code over a `Run`. Nothing is judged here: the
// rule is the one that users switch on, run on every file that imports from `core/run.ts`; tests misuse runs on purpose.
import { Linter } from "eslint";
import toolpost from "../../../lint/eslint.js";
import { typescriptParser } from "../../lib/typescript-parser.ts";
import type { SourceFile, SourceTree } from "./source-tree.ts";

const config: Linter.Config[] = [
  {
    ...toolpost.configs.recommended,
    files: ["**/*.ts"],
    languageOptions: { parser: typescriptParser },
    // No comment may silence it. That one tries to is a warning.
    linterOptions: { noInlineConfig: true },
  },
];

/** Where natives stand in flows until these are written over: path to how often. */
export const nativesAllowed: Readonly<Record<string, number>> = {};

export function flowViolations(tree: SourceTree, allowed: Readonly<Record<string, number>> = nativesAllowed): string[] {
  const files = tree.files.filter(isOverRuns);
  const gone = Object.keys(allowed).filter((path) => !files.some((file) => file.path === path));
  return [
    ...files.flatMap((file) => {
      const found = new Linter().verify(file.text, config, file.path).filter(({ severity }) => severity === 2);
      const told = found.map(({ line, message }) => `${file.path}:${line}: ${message}`);
      const limit = allowed[file.path] ?? 0;
      if (limit === 0 || told.length > limit) return told;
      return told.length === limit ? [] : [`${file.path}: ${limit} natives are allowed, and ${told.length} are there`];
    }),
    ...gone.map((path) => `${path}: the allow list names it, and no such file is over runs`),
  ];
}

/** Contract suites misuse runs on purpose, as tests do. */
function isOverRuns({ path, isTest, imports }: SourceFile): boolean {
  return !isTest && !path.startsWith("testing/") && imports.some(({ target }) => target === "core/run.ts");
}
