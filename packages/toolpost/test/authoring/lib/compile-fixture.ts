// Compiles a fixture with esbuild, which lowers both kinds of decorators, by the `tsconfig.json` beside it, and imports
// the result. What it imports of `src/` and of the suite stays one copy.
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { temporaryFolder } from "../../lib/temporary-tree.ts";

/** @param path of the fixture, relative to `test/authoring/` */
export async function importCompiled<Module>(path: string): Promise<Module> {
  const entry = join(import.meta.dirname, "..", path);
  const outfile = join(compiled, `${basename(dirname(entry))}-${basename(path, ".ts")}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22.18",
    sourcemap: "inline",
    plugins: [
      {
        name: "one-copy",
        setup: ({ onResolve }) =>
          onResolve({ filter: /.*/ }, ({ path: specifier, resolveDir, kind }) => {
            if (kind === "entry-point") return undefined;
            const path = specifier.startsWith(".") ? resolve(resolveDir, specifier) : import.meta.resolve(specifier);
            return { path: path.startsWith("/") ? pathToFileURL(path).href : path, external: true };
          }),
      },
    ],
  });
  return (await import(pathToFileURL(outfile).href)) as Module;
}

const compiled = temporaryFolder();
