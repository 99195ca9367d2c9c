// A mutant: one guarantee, the smallest break of it, and the tests that must notice.
// Paths are relative to the package: `src/std/text.ts`, `test/stories/approval.test.ts`. A test of the built package notices
// nothing: it sees the build of the whole code.
export interface Mutant {
  /** What no longer holds once the replacement is made, in one sentence. */
  readonly guarantee: string;
  readonly file: string;
  /** Must occur in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /**
   * One test file or several; one failing is enough. Where a file takes long, the tests that must notice are named by a
   * text of theirs: `test/cli/program.test.ts > standard output holds`.
   */
  readonly test: string | readonly string[];
}

export type Verdict =
  | { readonly outcome: "killed" }
  | { readonly outcome: "survived" | "stale" | "unfit"; readonly why: string };
