// Builds the package: each door and the command into `dist/` as few ESM chunks, declarations into `dist/types/`.
// Dependencies stay imports, so what the source loads lazily is loaded lazily by the user too.
// The result is made beside `dist/` and swapped in whole: a process that reads `dist/` never meets half a build.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, glob, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { build } from "esbuild";

const root = import.meta.dirname;
const workspace = join(root, "../..");
const target = join(root, "dist");
const next = join(root, `.dist-${process.pid}`);
const previous = join(root, `.dist-${process.pid}-previous`);

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
  await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: next,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.18",
    packages: "external",
    chunkNames: "chunk-[hash]",
    legalComments: "none",
    logLevel: "warning",
  });
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
