// `toolpost completion`: what bash offers by the script, read from COMPREPLY of a real bash; the others are parsed by
// their own shells where those are.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryTree } from "../lib/temporary-tree.ts";
import { runMain } from "./lib/run-main.ts";

const missing = (shell: string): string | false =>
  spawnSync(shell, ["--version"]).status === 0 ? false : `there is no ${shell} here`;

async function scriptOf(shell: string): Promise<string> {
  const ended = await runMain(["completion", shell], { cwd: import.meta.dirname });
  assert.deepEqual([ended.code, ended.stderr], [0, ""]);
  return ended.stdout;
}

/** What is offered for the last of the words, as bash splits them. */
async function offered(t: TestContext, words: readonly string[]): Promise<string[]> {
  const files = { "alpha one.json": "", "beta.ts": "", "folder/x": "" };
  const cwd = temporaryTree(t, { ...files, completion: await scriptOf("bash") });
  const probe = `source ./completion; rm completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _toolpost; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", probe, "bash", "toolpost", ...words], {
    cwd,
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .sort();
}

const globals = ["--config", "--help", "--json", "--mcp", "--no-color", "--version"];

const cases: ReadonlyArray<[words: string[], offered: string[]]> = [
  [[""], ["approvals", "call", "chat", "check", "completion", "describe", "help", "list", "run", "runs"]],
  [["de"], ["describe"]],
  [["--"], globals],
  [
    ["list", "--"],
    ["--agent", ...globals],
  ],
  [["run", "hello", "--th"], ["--thread"]],
  [["list", "--model"], []],
  [
    ["completion", ""],
    ["bash", "fish", "zsh"],
  ],
  [["completion", "bash", ""], []],
  [
    ["help", "ch"],
    ["chat", "check"],
  ],
  [
    ["--config", ""],
    ["alpha one.json", "beta.ts", "folder"],
  ],
  [["list", "--mcp", "al"], ["alpha one.json"]],
  [
    ["list", "--mcp", "="],
    ["alpha one.json", "beta.ts", "folder"],
  ],
  [["list", "--config", "=", "be"], ["beta.ts"]],
  [["--config", "=", "beta.ts", "li"], ["list"]],
  [["--config", "list", "de"], ["describe"]],
  [["call", "--agent", ""], []],
  [
    ["runs", ""],
    ["cancel", "list", "prune", "resume", "show"],
  ],
  [["approvals", "--json", "de"], ["decline"]],
  [["runs", "--"], globals],
  [
    ["runs", "list", "--"],
    ["--agent", "--limit", "--state", ...globals],
  ],
  [
    ["approvals", "list", "--"],
    ["--all", ...globals],
  ],
  [["runs", "--config", "=", "beta.ts", "sh"], ["show"]],
  [["runs", "show", ""], []],
  [["runs", "list", "--limit", ""], []],
  [["runs", "shw", "--"], []],
  [["call", ""], []],
  [["nope", ""], []],
];

for (const [words, expected] of cases) {
  test(`bash completes \`toolpost ${words.join(" ")}\``, { skip: missing("bash") }, async (t) => {
    assert.deepEqual(await offered(t, words), [...expected].sort());
  });
}

test("zsh can read its script", { skip: missing("zsh") }, async () => {
  const { status, stderr } = spawnSync("zsh", ["-n"], { input: await scriptOf("zsh"), encoding: "utf8" });
  assert.deepEqual([status, stderr], [0, ""]);
});

test("fish completes commands, options, files and shells", { skip: missing("fish") }, async (t) => {
  const cwd = temporaryTree(t, { "alpha one.json": "", "beta.ts": "", completion: await scriptOf("fish") });
  const complete = (line: string): string[] => {
    const probe = `source completion; complete -C ${JSON.stringify(line)}`;
    const { stdout } = spawnSync("fish", ["--no-config", "-c", probe], {
      cwd,
      encoding: "utf8",
      env: { ...process.env, HOME: cwd },
    });
    return stdout
      .split("\n")
      .flatMap((row) => row.split("\t")[0] || [])
      .sort();
  };
  assert.deepEqual(complete("toolpost de"), ["describe"]);
  assert.deepEqual(complete("toolpost list --"), ["--agent", ...globals].sort());
  assert.deepEqual(complete("toolpost --config be"), ["beta.ts"]);
  assert.deepEqual(complete("toolpost completion "), ["bash", "fish", "zsh"]);
  assert.deepEqual(complete("toolpost call "), []);
  assert.deepEqual(complete("toolpost runs "), ["cancel", "list", "prune", "resume", "show"]);
  assert.deepEqual(complete("toolpost runs list --"), ["--agent", "--limit", "--state", ...globals].sort());
  assert.deepEqual(complete("toolpost approvals list --"), ["--all", ...globals].sort());
  assert.deepEqual(complete("toolpost approvals approve --e"), ["--edit"]);
  assert.deepEqual(complete("toolpost runs show "), []);
});

test("every command, option and summary stands in each script", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const script = await scriptOf(shell);
    for (const name of [
      "list",
      "call",
      "run",
      "chat",
      "describe",
      "check",
      "completion",
      "runs",
      "approvals",
      "older-than",
      "thread",
      "agent",
      "mcp",
    ])
      assert.ok(script.includes(name), `${shell} ${name}`);
  }
  assert.ok(
    (await scriptOf("zsh")).includes(
      "'chat:talks with an agent; elsewhere than at a terminal, each line is a message'",
    ),
  );
  assert.ok(
    (await scriptOf("fish")).includes("-l model -x -d 'in place of the agent\\'s own, for example openai:gpt-5.2'"),
  );
});

test("its help has the line that installs it", async () => {
  const { stdout } = await runMain(["completion", "--help"], { cwd: join(import.meta.dirname) });
  assert.match(stdout, /^ {2}bash {2}echo 'eval "\$\(toolpost completion bash\)"' >> ~\/\.bashrc$/m);
});
