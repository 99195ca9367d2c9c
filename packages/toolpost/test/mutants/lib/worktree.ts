// A copy of the package in a temporary folder, where files can be broken without anyone else seeing it.
// Dependencies, docs and the build are links: they are read and never changed.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const copied = ["src", "test", "bin", "lint", "build.ts", "package.json", "tsconfig.json", "tsconfig.build.json"];
const linked = ["dist", "node_modules"];
const workspaceLinked = [
  "node_modules",
  "packages/oldest-node",
  "packages/typescript-parser",
  "docs",
  "examples",
  "README.md",
  "package.json",
  "tsconfig.base.json",
];

export interface Worktree {
  read(file: string): string;
  write(file: string, text: string): void;
  /** Runs a test file, or those of its tests that are named; `passed` is false when one fails or the time is over. */
  test(test: string, limitMs: number): Promise<{ passed: boolean; output: string }>;
  remove(): void;
}

export function createWorktree(packageRoot: string): Worktree {
  const root = mkdtempSync(join(tmpdir(), "toolpost-mutants-"));
  const home = join(root, "packages/toolpost");
  mkdirSync(home, { recursive: true });
  for (const name of copied) copyIfThere(join(packageRoot, name), join(home, name));
  for (const name of linked) linkIfThere(join(packageRoot, name), join(home, name));
  for (const name of workspaceLinked) linkIfThere(join(packageRoot, "../..", name), join(root, name));
  return {
    read: (file) => readFileSync(join(home, file), "utf8"),
    write: (file, text) => writeFileSync(join(home, file), text),
    test: (test, limitMs) => runTest(home, test, limitMs),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

const reporter = pathToFileURL(join(import.meta.dirname, "stop-at-failure.ts")).href;

/** Without isolation the tests run in the process that is started here, which halves what a mutant costs. */
function runTest(cwd: string, test: string, limitMs: number): Promise<{ passed: boolean; output: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const [file = "", named = ""] = test.split(" > ");
  const args = ["--test", "--test-isolation=none", `--test-reporter=${reporter}`];
  if (named !== "") args.push(`--test-name-pattern=${named.replace(/[^\w ]/g, "\\$&")}`);
  const child = spawn(process.execPath, [...args, file], {
    cwd,
    env,
    detached: true,
  });
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  const timer = setTimeout(() => killGroup(child.pid), limitMs);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => killGroup(child.pid));
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ passed: code === 0, output: Buffer.concat(output).toString() });
    });
  });
}

/** A test may have started processes of its own; they all go. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // the whole group has ended by itself
  }
}

function copyIfThere(from: string, to: string): void {
  if (existsSync(from)) cpSync(from, to, { recursive: true });
}

function linkIfThere(from: string, to: string): void {
  if (existsSync(from)) symlinkSync(from, to);
}
