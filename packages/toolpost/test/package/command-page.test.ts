// What docs/command.md shows of the command is what it prints: each `console` block is typed into a shell beside the
// page's first configuration, with the built package.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { workspace } from "../lib/run-command.ts";
import { temporaryFolder } from "../lib/temporary-tree.ts";
import { readCodeBlocks } from "./code-blocks.ts";

const page = "docs/command.md";
const folder = temporaryFolder();
symlinkSync(join(workspace, "node_modules"), join(folder, "node_modules"));
writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
writeFileSync(join(folder, "toolpost.config.ts"), readCodeBlocks(workspace, page)[0]?.code ?? "");

const sessions = [...readFileSync(join(workspace, page), "utf8").matchAll(/^```console\n(.*?)^```$/gms)]
  .flatMap(([, text = ""]) => text.split(/^\$ /m).slice(1))
  .map((session) => {
    const end = session.indexOf("\n");
    return { command: session.slice(0, end), output: session.slice(end + 1) };
  });

test("there is something to type", () => assert.ok(sessions.length > 5));

for (const { command, output } of sessions) {
  test(`$ ${command}`, { skip: process.platform === "win32" }, () => {
    const { NODE_TEST_CONTEXT: _, NOTES_FILE: __, ...env } = process.env;
    const path = [join(workspace, "node_modules/.bin"), env.PATH].join(delimiter);
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
      cwd: folder,
      env: { ...env, PATH: path },
      encoding: "utf8",
    });
    assert.equal(stdout, output);
    assert.deepEqual([status, stderr], [0, ""]);
  });
}
