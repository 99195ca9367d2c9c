// All mutants, area by area. Each guarantee of the package has one here at least.
import type { Mutant } from "./lib/mutant.ts";
import { mutants as policy } from "./list/policy.ts";
import { mutants as std } from "./list/std.ts";
import { mutants as threads } from "./list/threads.ts";

export const mutants: readonly Mutant[] = [...std, ...policy, ...threads];
