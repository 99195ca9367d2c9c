// Finds a provider package where the user installed it, and imports it.
// Only a model string gets here: a program that passes a model object has imported its provider itself.

import { ModelError } from "../core/run-errors.ts";
import { oneLine } from "../std/text.ts";

/** What a provider package exports, by name. */
export type ProviderExports = Readonly<Record<string, unknown>>;

/**
 * The package's ES module as installed for `directory`, or else for Toolpost itself.
 * Rejects with ModelError `model.missing-package`, naming the `npm install` to run.
 */
export async function importProvider(name: string, directory: string): Promise<ProviderExports> {
  const entry = await installedEntry(name, directory);
  try {
    return (await import(entry ?? name)) as ProviderExports;
  } catch (error) {
    throw missing(name, entry, error);
  }
}

/** The file URL of the package's ES module, looked for from `directory` upward; `undefined` when there is none. */
async function installedEntry(name: string, directory: string): Promise<string | undefined> {
  const { findPackageJSON } = await import("node:module");
  const { readFile } = await import("node:fs/promises");
  const { join } = await import("node:path");
  const { pathToFileURL } = await import("node:url");
  try {
    const manifest = findPackageJSON(name, pathToFileURL(join(directory, "package.json")));
    if (manifest === undefined) return undefined;
    const { exports, module, main } = JSON.parse(await readFile(manifest, "utf8"));
    const target = importTarget(exports?.["."] ?? exports) ?? module ?? main ?? "index.js";
    return new URL(target, pathToFileURL(manifest)).href;
  } catch {
    // Not installed there. What is installed but broken fails when it is imported, and is told then.
    return undefined;
  }
}

/** The target of an `import`. `require.resolve` does not do: it fails for a package that has no other condition. */
function importTarget(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (typeof target !== "object" || target === null) return undefined;
  for (const [condition, next] of Object.entries(target)) {
    const found = conditions.has(condition) ? importTarget(next) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const conditions: ReadonlySet<string> = new Set(["node", "import", "module-sync", "default"]);

function missing(name: string, entry: string | undefined, error: unknown): ModelError {
  const why = error instanceof Error ? oneLine(error.message) : String(error);
  const what = entry === undefined ? `\`${name}\` is not installed` : `\`${name}\` could not be loaded: ${why}`;
  return new ModelError("model.missing-package", `${what}; run \`npm install ${name}\``, { cause: error });
}
