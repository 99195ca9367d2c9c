// Breaks the package one line at a time, and reports each break that no test noticed.
// A mutant counts only when its tests pass on the whole code, its text is found exactly once, and the result still parses.
import { transform } from "esbuild";
import type { Mutant, Verdict } from "./mutant.ts";
import { createWorktree, type Worktree } from "./worktree.ts";

export interface RunMutantsOptions {
  readonly packageRoot: string;
  readonly workers?: number;
  /** Tests that take longer count as failed. */
  readonly limitMs?: number;
  readonly onVerdict?: (mutant: Mutant, verdict: Verdict) => void;
}

export async function runMutants(mutants: readonly Mutant[], options: RunMutantsOptions): Promise<Verdict[]> {
  const { packageRoot, workers = 2, limitMs = 60_000, onVerdict } = options;
  const worktrees = Array.from({ length: Math.min(workers, mutants.length) }, () =>
    createWorktree(packageRoot, limitMs),
  );
  const verdicts: Verdict[] = [];
  try {
    const failing = new Map<string, string>();
    await eachOnce([...new Set(mutants.flatMap(testsOf))], worktrees, async (test, worktree) => {
      const { passed, output } = await worktree.test(test);
      if (!passed) failing.set(test, output);
    });
    await eachOnce([...mutants.entries()], worktrees, async ([index, mutant], worktree) => {
      const verdict = await judge(mutant, worktree, failing);
      verdicts[index] = verdict;
      onVerdict?.(mutant, verdict);
    });
  } finally {
    for (const worktree of worktrees) worktree.remove();
  }
  return verdicts;
}

async function judge(mutant: Mutant, worktree: Worktree, failing: ReadonlyMap<string, string>): Promise<Verdict> {
  const tests = testsOf(mutant);
  const broken = tests.find((test) => failing.has(test));
  if (broken) return { outcome: "unfit", why: `${broken} fails on the whole code:\n${failing.get(broken)}` };

  const original = readOrUndefined(worktree, mutant.file);
  if (original === undefined) return { outcome: "stale", why: `${mutant.file} is gone` };
  const [before = "", after, ...more] = original.split(mutant.find);
  if (after === undefined) return { outcome: "stale", why: `${mutant.file} no longer holds the text to replace` };
  if (more.length > 0)
    return { outcome: "stale", why: `${mutant.file} holds the text to replace ${more.length + 1} times` };
  const mutated = before + mutant.replace + after;
  if (!(await parses(mutant.file, mutated))) return { outcome: "stale", why: "the replacement does not parse" };

  worktree.write(mutant.file, mutated);
  const passed = await passesAll(tests, worktree);
  worktree.write(mutant.file, original);
  return passed ? { outcome: "survived", why: `${tests.join(", ")} passed all the same` } : { outcome: "killed" };
}

async function passesAll(tests: readonly string[], worktree: Worktree): Promise<boolean> {
  for (const test of tests) {
    const { passed } = await worktree.test(test);
    if (!passed) return false;
  }
  return true;
}

/** Gives each item to the next worktree that is free. */
async function eachOnce<Item>(
  items: readonly Item[],
  worktrees: readonly Worktree[],
  act: (item: Item, worktree: Worktree) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    worktrees.map(async (worktree) => {
      for (const item of queue) await act(item, worktree);
    }),
  );
}

function testsOf({ test }: Mutant): readonly string[] {
  return typeof test === "string" ? [test] : test;
}

function readOrUndefined(worktree: Worktree, file: string): string | undefined {
  try {
    return worktree.read(file);
  } catch {
    return undefined;
  }
}

async function parses(file: string, text: string): Promise<boolean> {
  if (!/\.[cm]?[jt]s$/.test(file)) return true;
  const result = transform(text, { loader: "ts", logLevel: "silent" });
  return result.then(
    () => true,
    () => false,
  );
}
