// What README shows of the command in `examples/support-desk` does what it says there: typed as it stands, at a terminal and
// elsewhere, with the scripted model.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { noTerminal, typeAt } from "../cli/lib/pseudo-terminal.ts";
import { runCommand } from "../cli/lib/run-main.ts";
import { workspace } from "../lib/run-command.ts";

const [, message = ""] =
  /^npx toolpost run support-desk "(.+?)" +# asks you to approve at a terminal$/m.exec(
    readFileSync(join(workspace, "README.md"), "utf8"),
  ) ?? [];
const argv = ["run", "support-desk", message];
const cwd = join(workspace, "examples/support-desk");
/** As npm does: where the MCP server's program is. No key: then the model is the scripted one. */
const PATH = [join(workspace, "node_modules/.bin"), process.env.PATH].join(delimiter);
const env = { PATH, OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" };

test("at a terminal the run asks to approve the refund, and goes on with the answer", {
  skip: noTerminal,
}, async () => {
  const { code, screen } = await typeAt(argv, cwd, [["[e]dit: ", "y\r"]], env);
  assert.match(screen, /Approval needed: refund_card\r\n/);
  assert.match(screen, /"cents": 8900/);
  assert.match(screen, /I refunded €89\.00 \(re-5001\)/);
  assert.equal(code, 0, screen);
});

test("elsewhere it says that the refund waits for a person, and ends with 4", async () => {
  const { code, stderr } = await runCommand(argv, { cwd, env });
  assert.match(stderr, /^`refund_card` waits for a person, .*\. Run it at a terminal to be asked, or give /m);
  assert.equal(code, 4, stderr);
});
