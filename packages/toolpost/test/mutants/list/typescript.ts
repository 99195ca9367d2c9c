// Breaks of how a configuration in TypeScript is loaded: by which options, in which format, from where, as how many copies, and
// what is said at which line when it cannot be.
import type { Mutant } from "../lib/mutant.ts";

const folder = "src/cli/typescript";
const loading = "test/cli/config-loading.test.ts";
const esbuild = "test/cli/config-esbuild.test.ts";
const config = "test/cli/config.test.ts";

export const typescript: readonly Mutant[] = [
  {
    guarantee: "each TypeScript file is compiled by its own nearest tsconfig.json",
    file: `${folder}/find-tsconfig.ts`,
    find: "library.getTsconfig(dirname(path), ",
    replace: "library.getTsconfig(process.cwd(), ",
    test: loading,
  },
  {
    guarantee: "a tsconfig.json that only refers to others stands for the one that includes the file",
    file: `${folder}/find-tsconfig.ts`,
    find: "referenced(nearest, path, library) ?? nearest",
    replace: "nearest",
    test: loading,
  },
  {
    guarantee: "what Node finds is taken before any alias",
    file: `${folder}/register-hooks.ts`,
    find: "return attributed(next(specifier, context));",
    replace: "return attributed(next(findTsconfig(parent).aliasTargets(specifier)[0] ?? specifier, context));",
    test: loading,
  },
  {
    guarantee: "packages are left to Node",
    file: `${folder}/register-hooks.ts`,
    find: 'ending.test(file) && !file.includes("/node_modules/")',
    replace: "ending.test(file)",
    test: loading,
  },
  {
    guarantee: "JSON is imported without an attribute, as bundlers do",
    file: `${folder}/register-hooks.ts`,
    find: 'type: "json" } }',
    replace: "} }",
    test: loading,
  },
  {
    guarantee: "an import finds the TypeScript that a name in .js stands for",
    file: `${folder}/find-source.ts`,
    find: '".js": [".ts", ".tsx"],',
    replace: '".js": [],',
    test: loading,
  },
  {
    guarantee: "an import finds the index of a folder",
    file: `${folder}/find-source.ts`,
    find: "resolve(path, `index${ending}`)",
    replace: "path",
    test: loading,
  },
  {
    guarantee: "an error of compiled code is shown at the user's own line",
    file: `${folder}/register-hooks.ts`,
    find: "if (!getSourceMapsSupport().enabled) setSourceMapsSupport(",
    replace: "if (getSourceMapsSupport().enabled) setSourceMapsSupport(",
    test: loading,
  },
  {
    guarantee: "the text that is not well-formed is shown",
    file: `${folder}/typescript-error.ts`,
    find: "${place}:${line}:${column}`, ...excerpt]",
    replace: "${place}:${line}:${column}`]",
    test: loading,
  },
  {
    guarantee: "a .ts file is CommonJS where its package does not say otherwise",
    file: `${folder}/module-format.ts`,
    find: '=== "module" ? "module" : "either"',
    replace: '=== "module" ? "module" : "module"',
    test: loading,
  },
  {
    guarantee: "a .ts file that asks for import.meta is an ES module",
    file: `${folder}/compile-module.ts`,
    find: '({ id }) => id === "empty-import-meta"',
    replace: "() => false",
    test: loading,
  },
  {
    guarantee: "a CommonJS file that is imported and required runs once",
    file: `${folder}/register-hooks.ts`,
    find: 'if (module.format === "module" || !hasCondition(context, "import"))',
    replace: 'if (module.format !== "module" || !hasCondition(context, "import"))',
    test: loading,
  },
  {
    guarantee: "an ES module gets the default export of a CommonJS file as it is written",
    file: `${folder}/commonjs-facade.ts`,
    find: 'isPlainCommonjs ? "exports" :',
    replace: '!isPlainCommonjs ? "exports" :',
    test: loading,
  },
  {
    guarantee: "an ES module gets the names that a CommonJS file passes on",
    file: `${folder}/commonjs-facade.ts`,
    find: "...stars.map((specifier) => `export * from ${specifier};`),",
    replace: "...stars.slice(stars.length),",
    test: loading,
  },
  {
    guarantee: "classes keep their names when they are compiled",
    file: `${folder}/compile-module.ts`,
    find: "keepNames: true",
    replace: "keepNames: false",
    test: loading,
  },
  {
    guarantee: "JSX that a tsconfig.json leaves to others is compiled",
    file: `${folder}/compile-module.ts`,
    find: 'jsx: isKept ? "react-jsx" : jsx',
    replace: "jsx",
    test: loading,
  },
  {
    guarantee: "esbuild of the project counts before any other",
    file: `${folder}/find-esbuild.ts`,
    find: "requireEsbuild(from) ?? requireEsbuild(import.meta.url)",
    replace: "requireEsbuild(import.meta.url) ?? requireEsbuild(from)",
    test: `${esbuild} > esbuild of the project counts before any other`,
  },
  {
    guarantee: "esbuild that cannot be loaded is told of, not passed over",
    file: `${folder}/find-esbuild.ts`,
    find: 'code === "MODULE_NOT_FOUND" && message.includes("\'esbuild\'")',
    replace: 'code !== "" && message !== ""',
    test: `${esbuild} > esbuild that is installed and cannot be loaded is told of`,
  },
  {
    guarantee: "where esbuild is missing, what Node cannot strip names the package to install",
    file: "src/cli/config-failure.ts",
    find: "!typescript.canCompile() ? { hint: compileHint } : {}",
    replace: "typescript.canCompile() ? { hint: compileHint } : {}",
    test: `${esbuild} > without esbuild`,
  },
  {
    guarantee: "a syntax error in JavaScript is shown with its file and line, in imported files too",
    file: `${folder}/register-hooks.ts`,
    find: "if (script !== undefined) parsed.add(script);",
    replace: "",
    test: config,
  },
  {
    guarantee: "a package that CommonJS cannot find is named with the command that installs it",
    file: "src/cli/config-failure.ts",
    find: 'if (code !== "MODULE_NOT_FOUND") return undefined;',
    replace: 'if (code !== "") return undefined;',
    test: loading,
  },
];
