// Compiles a fixture of decorated classes as users' compilers do, once for each decorator system, and imports it.
// Class fields that are defined and such that are only assigned both occur under the legacy system.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transformSync } from "esbuild";

export const systems = {
  "TC39 decorators": {},
  "legacy decorators": { experimentalDecorators: true, useDefineForClassFields: true },
  "legacy decorators without class fields": { experimentalDecorators: true, useDefineForClassFields: false },
} as const;

export type DecoratorSystem = keyof typeof systems;

const source = new URL("../../src/", import.meta.url).href;

/** @param name of a file in `fixtures/`; it imports from `../../../src/` */
export async function importFixture<Module>(name: string, system: DecoratorSystem, folder: string): Promise<Module> {
  const text = readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");
  const { code } = transformSync(text, {
    loader: "ts",
    target: "node22",
    tsconfigRaw: { compilerOptions: systems[system] },
  });
  const file = join(folder, `${name}-${Object.keys(systems).indexOf(system)}.mjs`);
  writeFileSync(file, code.replaceAll("../../../src/", source));
  return import(pathToFileURL(file).href);
}
