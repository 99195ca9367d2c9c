// Runs a program to its end and hands back what it printed; a hang is ended and counts as a failure.
import { execFile } from "node:child_process";
import { delimiter, dirname, join } from "node:path";

export interface Finished {
  /** `null` when the process was ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  /** The Node that its scripts run on. */
  readonly node?: string;
  readonly NODE_OPTIONS?: string;
}

export const packageRoot: string = join(import.meta.dirname, "../..");
export const workspace: string = join(packageRoot, "../..");

/** `more` are variables of its environment. */
export function runCommand(
  file: string,
  args: readonly string[],
  cwd: string,
  { node = userNode, ...more }: CommandOptions = {},
): Promise<Finished> {
  const { NODE_TEST_CONTEXT: _, PATH, ...inherited } = process.env;
  const env = { ...inherited, ...more, PATH: `${dirname(node)}${delimiter}${PATH}` };
  const options = { cwd, env, timeout: 60_000, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => {
    const child = execFile(file, args, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
    child.once("error", (error) => resolve({ code: null, stdout: "", stderr: String(error) }));
  });
}

/** The running Node: what a user has. */
const userNode: string = process.execPath;

/** The Nodes that the packed package is tried on: the oldest that it supports, which the workspace brings along, and this one. */
export const userNodes: readonly { readonly version: string; readonly node: string }[] = [
  { version: "22.18.0", node: join(workspace, "packages/oldest-node/node_modules/node/bin/node") },
  { version: process.versions.node, node: userNode },
];

export function runNode(args: readonly string[], cwd: string, node: string = userNode): Promise<Finished> {
  return runCommand(node, args, cwd, { node });
}

/** The compiler of the workspace, on the `tsconfig.json` given. */
export function runTsc(config: string, cwd: string): Promise<Finished> {
  const tsc = join(workspace, "node_modules/typescript/bin/tsc");
  return runCommand(process.execPath, [tsc, "-p", config, "--pretty", "false"], cwd);
}
