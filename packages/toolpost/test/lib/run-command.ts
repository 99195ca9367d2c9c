// Runs a program to its end and hands back what it printed; a hang is ended and counts as a failure.
import { execFile } from "node:child_process";
import { delimiter, dirname, join } from "node:path";

export interface Finished {
  /** `null` when the process was ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const packageRoot: string = join(import.meta.dirname, "../..");
export const workspace: string = join(packageRoot, "../..");

export function runCommand(file: string, args: readonly string[], cwd: string): Promise<Finished> {
  const { NODE_TEST_CONTEXT: _, PATH, ...inherited } = process.env;
  const env = { ...inherited, PATH: `${dirname(userNode)}${delimiter}${PATH}` };
  const options = { cwd, env, timeout: 60_000, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => {
    const child = execFile(file, args, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
    child.once("error", (error) => resolve({ code: null, stdout: "", stderr: String(error) }));
  });
}

/** The Node that a user has: `TOOLPOST_NODE`, by which the packed package is tested on the oldest one, or the running one. */
export const userNode: string = process.env.TOOLPOST_NODE ?? process.execPath;

export function runNode(args: readonly string[], cwd: string): Promise<Finished> {
  return runCommand(userNode, args, cwd);
}

/** The compiler of the workspace, on the `tsconfig.json` given. */
export function runTsc(config: string, cwd: string): Promise<Finished> {
  const tsc = join(workspace, "node_modules/typescript/bin/tsc");
  return runCommand(process.execPath, [tsc, "-p", config, "--pretty", "false"], cwd);
}
