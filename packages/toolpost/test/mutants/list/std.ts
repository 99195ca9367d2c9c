// Breaks of the ground floor: text, time, identifiers.
import type { Mutant } from "../lib/mutant.ts";

export const mutants: readonly Mutant[] = [];
