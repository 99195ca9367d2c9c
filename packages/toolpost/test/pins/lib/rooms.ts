// One foreign library, one room: which file or folder of `src/` may name which package. Tests may import any.
// A library that is not in the table has no room yet; give it one on purpose.
import type { SourceTree } from "./source-tree.ts";
import { isNodeBuiltin } from "./static-graph.ts";

/** Package, or scope with `*`, to the files and folders that may import it. `(computed)` is an `import(…)` of a variable. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  "strip-json-comments": ["std/config-text.ts"],
  "@standard-schema/spec": ["core", "author"],
  "@cfworker/json-schema": ["core", "author"],
  "@valibot/to-json-schema": ["core", "author"],
  "@ai-sdk/*": ["models"],
  yaml: ["models"],
  "@modelcontextprotocol/client": ["sources/mcp"],
  esbuild: ["cli/typescript"],
  "get-tsconfig": ["cli/typescript"],
  "(computed)": ["models", "cli"],
};

/** What a door may load at once; any other library waits until it is first used. */
export const eagerLibraries: readonly string[] = ["strip-json-comments"];

export function roomViolations(tree: SourceTree): string[] {
  return tree.files
    .filter((file) => !file.isTest)
    .flatMap((file) =>
      file.imports.flatMap(({ specifier, line }) => {
        if (specifier?.startsWith(".") || (specifier !== undefined && isNodeBuiltin(specifier))) return [];
        const name = specifier === undefined ? "(computed)" : packageOf(specifier);
        const allowed = rooms[name] ?? rooms[name.replace(/\/.*/, "/*")];
        if (allowed?.some((room) => file.path === room || file.path.startsWith(`${room}/`))) return [];
        return [
          `${file.path}:${line} imports ${name}: ${allowed ? `its room is ${allowed.join(", ")}` : "it has no room"}`,
        ];
      }),
    );
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
