// What an entry file loads before its first line runs, read from esbuild's own graph: static imports, no types, no `import(…)`.
import { builtinModules } from "node:module";
import { build, type Metafile } from "esbuild";

export interface ForeignImport {
  readonly specifier: string;
  /** The files from the entry to the one that imports it. */
  readonly chain: readonly string[];
}

/** Each package and built-in module in the static graph, once, with the shortest chain to it. */
export async function staticForeignImports(root: string, entry: string): Promise<ForeignImport[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    packages: "external",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    logLevel: "silent",
  });
  return walk(metafile, entry);
}

export function isNodeBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || builtinModules.includes(specifier);
}

function walk(metafile: Metafile, entry: string): ForeignImport[] {
  const found = new Map<string, ForeignImport>();
  const seen = new Set([entry]);
  const queue = [[entry]];
  for (const chain of queue) {
    for (const { path, kind, external } of metafile.inputs[chain.at(-1) ?? entry]?.imports ?? []) {
      if (kind !== "import-statement" && kind !== "require-call") continue;
      if (external && !found.has(path)) found.set(path, { specifier: path, chain });
      if (external || seen.has(path)) continue;
      seen.add(path);
      queue.push([...chain, path]);
    }
  }
  return [...found.values()];
}
