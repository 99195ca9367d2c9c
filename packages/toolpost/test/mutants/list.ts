// All mutants, area by area. Each guarantee of the package has one here at least.
import type { Mutant } from "./lib/mutant.ts";
import { mutants as std } from "./list/std.ts";

export const mutants: readonly Mutant[] = [...std];
