// What is written after `toolpost`: help, version, and command lines that cannot be understood.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runMain } from "./lib/run-main.ts";

const cwd = import.meta.dirname;

test("--version prints the package's version", async () => {
  const { version } = JSON.parse(readFileSync(join(cwd, "../../package.json"), "utf8"));
  for (const argv of [["--version"], ["-v"], ["list", "--version"]]) {
    assert.deepEqual(await runMain(argv, { cwd }), { code: 0, stdout: `${version}\n`, stderr: "" });
  }
});

test("--help prints what there is, on standard output", async () => {
  const general = await runMain(["--help"], { cwd });
  assert.equal(general.code, 0);
  assert.equal(general.stderr, "");
  for (const word of [
    "list",
    "call NAME",
    "run [AGENT]",
    "--config FILE",
    "--mcp FILE",
    "--no-color",
    "130  cancelled",
  ]) {
    assert.ok(general.stdout.includes(word), word);
  }
  const ofCall = await runMain(["call", "--help"], { cwd });
  assert.match(ofCall.stdout, /^Usage: toolpost call NAME \['JSON' \| -\] \[options\]\n/);
  assert.match(ofCall.stdout, /-q, --quiet/);
  assert.deepEqual(await runMain(["help", "call"], { cwd }), ofCall);
  assert.deepEqual(await runMain(["-h", "call"], { cwd }), ofCall);
  const ofRuns = await runMain(["runs", "--help"], { cwd });
  assert.match(
    ofRuns.stdout,
    /^Usage: toolpost runs list\|show\|cancel\|resume\|prune \[options\]\n[\s\S]+\nCommands\n {2}runs list /,
  );
  const ofShow = await runMain(["help", "runs", "show"], { cwd });
  assert.match(ofShow.stdout, /^Usage: toolpost runs show ID \[options\]\n[\s\S]+--journal/);
  assert.deepEqual(await runMain(["runs", "show", "--help"], { cwd }), ofShow);
});

const wrong: ReadonlyArray<[argv: string[], error: RegExp]> = [
  [[], /^error: no command is given\nUsage: toolpost COMMAND \[options\]\n {2}toolpost list\n/],
  [["lst"], /^error: unknown command `lst`; did you mean `list`\?\nUsage: toolpost COMMAND/],
  [["descrbe"], /^error: unknown command `descrbe`; did you mean `describe`\?\n/],
  [["chat", "--modle", "x"], /^error: unknown option `--modle` of `toolpost chat`; did you mean `--model`\?\n/],
  [["chat", "clerk", "hello"], /^error: `hello` is one word too many\n/],
  [["check", "x"], /^error: `x` is one word too many\nUsage: toolpost check/],
  [["describe", "x"], /^error: `x` is one word too many\nUsage: toolpost describe/],
  [["completion"], /^error: name the shell: `bash`, `zsh`, `fish`\n/],
  [["completion", "bsh"], /^error: there is no completion for `bsh`; did you mean `bash`\?\n/],
  [["completion", "bash", "x"], /^error: `x` is one word too many\n/],
  [
    ["frobnicate"],
    /^error: unknown command `frobnicate`; there are `list`, `call`, `run`, `chat`, `runs`, `approvals`, `describe`, `check`, `completion`\n/,
  ],
  [["constructor"], /^error: unknown command `constructor`/],
  [
    ["list", "--jsn"],
    /^error: unknown option `--jsn` of `toolpost list`; did you mean `--json`\?\nUsage: toolpost list \[/,
  ],
  [["list", "--toString"], /^error: unknown option `--toString` of `toolpost list`\n/],
  [["list", "--model", "x"], /^error: unknown option `--model` of `toolpost list`/],
  [["--jsn"], /^error: unknown option `--jsn`; did you mean `--json`\?\n/],
  [["list", "--config"], /^error: `--config` needs a value: `--config FILE`\n/],
  [["list", "--config", "--json"], /^error: `--config` needs a value/],
  [["list", "--config="], /^error: `--config` needs a value/],
  [["list", "--json=yes"], /^error: `--json` takes no value\n/],
  [["list", "-x"], /^error: unknown option `-x` of `toolpost list`/],
  [["list", "add"], /^error: `add` is one word too many\nUsage: toolpost list/],
  [
    ["runs"],
    /^error: say what to do: `toolpost runs list`, .*\nUsage: toolpost runs list\|show\|cancel\|resume\|prune \[options\]\nMore: toolpost runs --help\n$/,
  ],
  [["runs", "shw"], /^error: unknown command `runs shw`; did you mean `runs show`\?\nUsage: toolpost runs list\|/],
  [
    ["approvals", "x"],
    /^error: unknown command `approvals x`; there are `approvals list`, `approvals show`, `approvals approve`, `approvals decline`, `approvals reply`\n/,
  ],
  [
    ["runs", "list", "--reason", "x"],
    /^error: unknown option `--reason` of `toolpost runs list`; did you mean `--json`\?\nUsage: toolpost runs list \[/,
  ],
  [["runs", "--limit", "5"], /^error: unknown option `--limit` of `toolpost runs`/],
  [["runs", "list", "x"], /^error: `x` is one word too many\nUsage: toolpost runs list/],
  [["runs", "show", "run_abcdef", "x"], /^error: `x` is one word too many\n/],
  [["runs", "list", "--limit", "0"], /^error: `--limit` must be a whole number from 1, not `0`\n/],
  [["runs", "list", "--state", "waitng"], /^error: there is no state `waitng`; did you mean `waiting`\?\n/],
  [["runs", "prune"], /^error: `toolpost runs prune` needs to know how old: `--older-than 30d`\n/],
  [["approvals", "reply", "pause_abcdef"], /^error: `toolpost approvals reply` needs the answer/],
  [["approvals", "approve", "pause_abcdef", "--edit", "{a}"], /^error: `--edit` is not JSON: /],
  [["call"], /^error: `toolpost call` needs the name of a tool\nUsage: toolpost call NAME/],
  [["call", "add", "{a:", "1}"], /^error: `1}` is one word too many; put the JSON in single quotes\n/],
];

for (const [argv, error] of wrong) {
  test(`\`toolpost ${argv.join(" ")}\` is refused with the usage`, async () => {
    const ended = await runMain(argv, { cwd });
    assert.equal(ended.code, 2);
    assert.equal(ended.stdout, "");
    assert.match(ended.stderr, error);
  });
}
