// Teaches this process to load the TypeScript of the user as compilers understand it: `registerHooks` of Node, esbuild, the
// nearest `tsconfig.json`. What comes from `node_modules` is left to Node, so that packages stay what they are and one copy.
// Without esbuild, Node's own stripping of types is what there is. Registered once, for good: tools may `import()` later.

import type { LoadHookSync, ResolveFnOutput, ResolveHookSync } from "node:module";
import { getSourceMapsSupport, registerHooks, setSourceMapsSupport } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { commonjsFacade } from "./commonjs-facade.ts";
import { type CompiledModule, compileModule } from "./compile-module.ts";
import { createEsbuildFinder, type EsbuildFinder } from "./find-esbuild.ts";
import { findSource } from "./find-source.ts";
import { createTsconfigFinder, type TsconfigFinder } from "./find-tsconfig.ts";

export interface TypescriptSupport {
  /** False where esbuild is not installed. Looks for it, which loads it. */
  canCompile(): boolean;
  /** The user's own files that Node parses as they are or stripped, the latest first. */
  loadedFiles(): readonly string[];
}

// Hooks belong to the process, and so does this.
let registered: TypescriptSupport | undefined;

/** `config` is the path of the configuration: esbuild is looked for from there first. Further calls change nothing. */
export function registerTypescript(config: string): TypescriptSupport {
  registered ??= register(config);
  return registered;
}

function register(config: string): TypescriptSupport {
  const parsed = new Set<string>();
  const findEsbuild = createEsbuildFinder(config);
  const tools: Tools = { parsed, findEsbuild, findTsconfig: createTsconfigFinder() };
  registerHooks({ resolve: resolveHook(tools), load: loadHook(tools) });
  return { canCompile: () => findEsbuild() !== undefined, loadedFiles: () => [...parsed].reverse() };
}

interface Tools {
  readonly parsed: Set<string>;
  readonly findEsbuild: EsbuildFinder;
  readonly findTsconfig: TsconfigFinder;
}

/** As Node does, and what compilers and bundlers find where Node finds nothing. */
function resolveHook({ findTsconfig }: Tools): ResolveHookSync {
  return (specifier, context, next) => {
    const parent = userSource(context.parentURL);
    if (parent === undefined) return next(specifier, context);
    const isImport = hasCondition(context, "import");
    // Bundlers ask for no attribute; Node does.
    const attributed = (found: ResolveFnOutput): ResolveFnOutput =>
      isImport && /^file:.*\.json$/.test(found.url)
        ? { ...found, importAttributes: { ...context.importAttributes, type: "json" } }
        : found;
    try {
      return attributed(next(specifier, context));
    } catch (error) {
      if (!notFoundCodes.has((error as NodeJS.ErrnoException).code)) throw error;
      const path = findSource(specifier, parent, (alias) => findTsconfig(parent).aliasTargets(alias));
      if (path === undefined) throw error;
      return attributed(next(isImport ? pathToFileURL(path).href : path, context));
    }
  };
}

/** The last ones are for aliases that look like something of a package's. */
const notFoundCodes: ReadonlySet<string | undefined> = new Set([
  "ERR_MODULE_NOT_FOUND",
  "MODULE_NOT_FOUND",
  "ERR_UNSUPPORTED_DIR_IMPORT",
  "ERR_INVALID_MODULE_SPECIFIER",
  "ERR_PACKAGE_IMPORT_NOT_DEFINED",
  "ERR_PACKAGE_PATH_NOT_EXPORTED",
]);

function loadHook({ parsed, findEsbuild, findTsconfig }: Tools): LoadHookSync {
  // From the facade that imports get to the module itself, which is asked for next.
  const compiled = new Map<string, CompiledModule>();
  return (url, context, next) => {
    const path = userSource(url);
    const esbuild = path === undefined ? undefined : findEsbuild();
    if (path === undefined || esbuild === undefined) {
      const script = userFile(url, /\.[mc]?[jt]s$/);
      if (script !== undefined) parsed.add(script);
      return next(url, context);
    }
    showUserLines();
    const module = compiled.get(path) ?? compileModule(path, { esbuild, compilerOptions: findTsconfig(path).options });
    compiled.delete(path);
    if (module.format === "module" || !hasCondition(context, "import"))
      return { format: module.format, source: module.code, shortCircuit: true };
    // Node's own way from an import to a CommonJS source of a hook has no `require` of ES modules before Node 24.
    compiled.set(path, module);
    return { format: "module", source: commonjsFacade(path, module), shortCircuit: true };
  };
}

/** The path of a TypeScript file that is the user's own, not a package's. */
function userSource(url: string | undefined): string | undefined {
  return userFile(url, /\.[mc]?tsx?$/);
}

function userFile(url: string | undefined, ending: RegExp): string | undefined {
  const [file = ""] = url?.split(/[?#]/, 1) ?? [];
  const isOwn = file.startsWith("file:") && ending.test(file) && !file.includes("/node_modules/");
  return isOwn ? fileURLToPath(file) : undefined;
}

/** A list by its type; a set in some versions of Node. */
function hasCondition({ conditions }: { readonly conditions: Iterable<string> }, name: string): boolean {
  return [...conditions].includes(name);
}

/** Stacks point into the text the user wrote. Packages are not asked for their maps. */
function showUserLines(): void {
  if (!getSourceMapsSupport().enabled) setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
}
