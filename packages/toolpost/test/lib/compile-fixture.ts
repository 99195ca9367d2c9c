// Compiles a fixture of decorated classes as users' compilers do and imports the result. Node strips types only.
// What it imports that needs no compiling, of `src/` and of the tests, stays one copy.
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { temporaryFolder } from "./temporary-tree.ts";

/** The decorator systems. Under the legacy one both kinds of class fields occur: defined, and only assigned. */
export const decoratorSystems = {
  standard: {},
  legacy: { experimentalDecorators: true },
  "legacy without class fields": { experimentalDecorators: true, useDefineForClassFields: false },
} as const;

export type DecoratorSystem = keyof typeof decoratorSystems;

/** @param path of the fixture, relative to `test/`; files of its folder and below are compiled with it */
export async function importCompiled<Module>(path: string, system: DecoratorSystem): Promise<Module> {
  const entry = join(import.meta.dirname, "..", path);
  const folder = join(entry, "..");
  const outfile = join(compiled, `${path.replaceAll("/", "-")}-${system.replaceAll(" ", "-")}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22.18",
    sourcemap: "inline",
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: true, ...decoratorSystems[system] } },
    plugins: [
      {
        name: "one-copy",
        setup: ({ onResolve }) =>
          onResolve({ filter: /.*/ }, ({ path: specifier, resolveDir, kind }) => {
            if (kind === "entry-point") return undefined;
            const found = specifier.startsWith(".") ? resolve(resolveDir, specifier) : import.meta.resolve(specifier);
            if (!found.startsWith("/")) return { path: found, external: true };
            return relative(folder, found).startsWith("..")
              ? { path: pathToFileURL(found).href, external: true }
              : undefined;
          }),
      },
    ],
  });
  return (await import(pathToFileURL(outfile).href)) as Module;
}

const compiled = temporaryFolder();
