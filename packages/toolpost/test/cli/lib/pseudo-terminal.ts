// The command at a real terminal: a pseudo terminal of `script`, as util-linux has it.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";

/** Why a test that needs one must be left out here; false where it can run. */
export const noTerminal: string | false = hasScript() ? false : "there is no `script` of util-linux here";

/** What is typed once the screen, since what was typed last, ends as the text says or matches the pattern. */
export type Keystrokes = readonly (readonly [after: string | RegExp, keys: string])[];

/** Runs the command, `more` in its environment, and types; resolves with its exit code and all that the terminal was sent. */
export function typeAt(
  argv: readonly string[],
  cwd: string,
  keystrokes: Keystrokes,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly screen: string }> {
  const entry = join(import.meta.dirname, "../../../src/cli/main.ts");
  // In place of the shell: one that stays between would end by the same Ctrl-C, with a code of its own.
  const command = `exec ${[process.execPath, entry, ...argv].map((word) => `'${word}'`).join(" ")}`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd,
    env: { ...env, ...more, SHELL: "/bin/sh", TERM: "xterm", NO_COLOR: "1" },
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  const left = [...keystrokes];
  let screen = "";
  let seen = 0;
  child.stdin.on("error", () => undefined);
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    screen += chunk;
    const [next] = left;
    if (next === undefined) return;
    const [after, keys] = next;
    const recent = screen.slice(seen);
    if (typeof after === "string" ? !recent.endsWith(after) : !after.test(recent)) return;
    left.shift();
    seen = screen.length;
    child.stdin.write(keys);
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, screen })));
}

function hasScript(): boolean {
  if (process.platform !== "linux") return false;
  return spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") === true;
}
