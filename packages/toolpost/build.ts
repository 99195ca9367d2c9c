// Builds the package: each door and the command into `dist/` as few ESM files, declarations into `dist/types/`.
// Each file costs time to link and each kilobyte time to parse, so files follow what is needed together: all that the root
// door loads is one file, what a run adds is another. Dependencies stay imports.
// The result is made beside `dist/` and swapped in whole: a process that reads `dist/` never meets half a build.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, glob, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isAbsolute, join, parse } from "node:path";
import { transform } from "esbuild";
import type { GetManualChunk, Plugin } from "rollup";
import { rollup } from "rollup";

const root = import.meta.dirname;
const workspace = join(root, "../..");
const target = join(root, "dist");
const next = join(root, `.dist-${process.pid}`);
const previous = join(root, `.dist-${process.pid}-previous`);

/** What is loaded together lies together: files by what loads them, the first that does. */
const chunkOf: GetManualChunk = (id, { getModuleInfo }) => {
  const needs = (file: string): ReadonlySet<string> => {
    const found = new Set([join(root, "src", file)]);
    for (const module of found) for (const imported of getModuleInfo(module)?.importedIds ?? []) found.add(imported);
    return found;
  };
  if (needs("doors/index.ts").has(id)) return "core";
  if (needs("app/prepare-agent.ts").has(id) || needs("app/schema-losses.ts").has(id))
    return needs("app/open-toolkit.ts").has(id) ? "calls" : "runs";
  return undefined;
};

const typescript: Plugin = {
  name: "typescript",
  async transform(code, id) {
    if (!id.endsWith(".ts")) return null;
    const { code: script, map } = await transform(code, {
      loader: "ts",
      target: "node22.18",
      sourcefile: id,
      sourcemap: true,
    });
    return { code: script, map };
  },
};

try {
  await Promise.all([bundle(), declare()]);
  await swap();
} finally {
  await Promise.all([next, previous].map((folder) => rm(folder, { recursive: true, force: true })));
}

async function bundle(): Promise<void> {
  const entries: Record<string, string> = { cli: join(root, "src/cli/main.ts") };
  for await (const file of glob("src/doors/*.ts", { cwd: root })) {
    if (!file.includes(".test")) entries[parse(file).name] = join(root, file);
  }
  const bundled = await rollup({
    input: entries,
    plugins: [typescript],
    external: (id) => !id.startsWith(".") && !isAbsolute(id),
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message);
    },
  });
  await bundled.write({
    dir: next,
    format: "es",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    manualChunks: chunkOf,
    hoistTransitiveImports: false,
  });
  await bundled.close();
}

/** `tsc` leaves the `.ts` of relative imports in declarations; with `.js` every compiler version finds the file. */
async function declare(): Promise<void> {
  const types = join(next, "types");
  const tsc = join(workspace, "node_modules/typescript/bin/tsc");
  const child = spawn(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", types], {
    cwd: root,
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`tsc could not write the declarations (exit ${code})`);
  for await (const file of glob("**/*.d.ts", { cwd: types })) {
    const text = await readFile(join(types, file), "utf8");
    const rewritten = text.replace(/(\bfrom |\bimport\()"(\.[^"]*)\.ts"/g, '$1"$2.js"');
    if (rewritten !== text) await writeFile(join(types, file), rewritten);
  }
}

async function swap(): Promise<void> {
  for (const name of ["LICENSE", "README.md"]) await cp(join(workspace, name), join(root, name)).catch(ignoreMissing);
  await mkdir(target, { recursive: true });
  await rename(target, previous);
  await rename(next, target);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
