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

/** How a test file does on the whole code. */
interface Baseline {
  readonly passed: boolean;
  readonly output: string;
  readonly ms: number;
}

export async function runMutants(mutants: readonly Mutant[], options: RunMutantsOptions): Promise<Verdict[]> {
  const { packageRoot, workers = 2, limitMs = 60_000, onVerdict } = options;
  const worktrees = Array.from({ length: Math.min(workers, mutants.length) }, () => createWorktree(packageRoot));
  const verdicts: Verdict[] = [];
  try {
    const baselines = new Map<string, Baseline>();
    await eachOnce([...new Set(mutants.flatMap(testsOf))], worktrees, async (test, worktree) => {
      const start = performance.now();
      const finished = await worktree.test(test, limitMs);
      baselines.set(test, { ...finished, ms: performance.now() - start });
    });
    await eachOnce([...mutants.entries()], worktrees, async ([index, mutant], worktree) => {
      const verdict = await judge(mutant, worktree, { baselines, limitMs });
      verdicts[index] = verdict;
      onVerdict?.(mutant, verdict);
    });
  } finally {
    for (const worktree of worktrees) worktree.remove();
  }
  return verdicts;
}

interface Measure {
  readonly baselines: ReadonlyMap<string, Baseline>;
  readonly limitMs: number;
}

async function judge(mutant: Mutant, worktree: Worktree, measure: Measure): Promise<Verdict> {
  const tests = testsOf(mutant);
  const red = tests.find((test) => measure.baselines.get(test)?.passed !== true);
  if (red) return { outcome: "unfit", why: `${red} fails on the whole code:\n${measure.baselines.get(red)?.output}` };

  const original = readOrUndefined(worktree, mutant.file);
  if (original === undefined) return { outcome: "stale", why: `${mutant.file} is gone` };
  const [before = "", after, ...more] = original.split(mutant.find);
  if (after === undefined) return { outcome: "stale", why: `${mutant.file} no longer holds the text to replace` };
  if (more.length > 0) {
    return { outcome: "stale", why: `${mutant.file} holds the text to replace ${more.length + 1} times` };
  }
  const mutated = before + mutant.replace + after;
  if (!(await parses(mutant.file, mutated))) return { outcome: "stale", why: "the replacement does not parse" };

  worktree.write(mutant.file, mutated);
  const passed = await passesAll(tests, worktree, measure);
  worktree.write(mutant.file, original);
  return passed ? { outcome: "survived", why: `${tests.join(", ")} passed all the same` } : { outcome: "killed" };
}

async function passesAll(tests: readonly string[], worktree: Worktree, measure: Measure): Promise<boolean> {
  for (const test of tests) {
    const { passed } = await worktree.test(test, hangLimit(test, measure));
    if (!passed) return false;
  }
  return true;
}

/** Many breaks make a test wait forever: what takes far longer than on the whole code will not come back. */
function hangLimit(test: string, { baselines, limitMs }: Measure): number {
  return Math.min(limitMs, 2_000 + 3 * (baselines.get(test)?.ms ?? limitMs));
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
