// The package as npm packs it, unpacked into projects beside its own dependencies and nothing else but what is named.
// The optional peers are not there unless they are named, so whatever loads one before it is needed fails.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageRoot, runCommand, workspace } from "../../lib/run-command.ts";
import { temporaryFolder } from "../../lib/temporary-tree.ts";

const fixtures = join(import.meta.dirname, "../fixtures");
let packing: Promise<string> | undefined;

/** A new project with the package in it; `fixture` is copied into it, `packages` are linked. Gone after the test file. */
export async function createProject({ fixture, packages = [] }: ProjectOptions = {}): Promise<string> {
  const project = temporaryFolder();
  if (fixture !== undefined) cpSync(join(fixtures, fixture), project, { recursive: true });
  const installed = join(project, "node_modules/toolpost");
  cpSync(await (packing ??= unpacked()), installed, { recursive: true });
  const names = [...Object.keys(manifestOf(installed).dependencies), "zod", "@types/node", "undici-types", ...packages];
  for (const name of names) link(name, project);
  mkdirSync(join(project, "node_modules/.bin"));
  symlinkSync("../toolpost/bin/toolpost.js", join(project, "node_modules/.bin/toolpost"));
  return project;
}

export interface ProjectOptions {
  /** A folder of `fixtures/`. */
  readonly fixture?: string;
  readonly packages?: readonly string[];
}

export interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, { readonly types: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Packed once, however many projects there are. */
async function unpacked(): Promise<string> {
  const folder = temporaryFolder();
  const packed = await runCommand(
    "npm",
    ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder],
    packageRoot,
  );
  assert.equal(packed.code, 0, packed.stderr);
  const tarball = packed.stdout.trim().split("\n").at(-1) ?? "";
  const result = await runCommand("tar", ["-xzf", tarball], folder);
  assert.equal(result.code, 0, result.stderr);
  return join(folder, "package");
}

function link(name: string, project: string): void {
  const place = join(project, "node_modules", name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(workspace, "node_modules", name), place);
}
