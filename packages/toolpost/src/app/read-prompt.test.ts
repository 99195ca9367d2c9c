import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { Agent, AgentPrompt } from "../agent/define-agent.ts";
import { readPrompt } from "./read-prompt.ts";

describe("readPrompt", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "toolpost-prompt-"));
    await writeFile(join(folder, "role.md"), "\uFEFF# Role\nBe kind.\n\n");
    await writeFile(join(folder, "rules.md"), "Never lie.\n");
  });

  after(() => rm(folder, { recursive: true }));

  const agent = (prompt?: AgentPrompt): Agent => ({
    name: "desk",
    description: "d",
    model: "m:x",
    tools: [],
    definedIn: pathToFileURL(`${folder}/`).href,
    ...(prompt === undefined ? {} : { prompt }),
  });

  it("gives text as it is, and nothing where there is none", () => {
    assert.equal(readPrompt(agent("Be kind.\n")), "Be kind.\n");
    assert.equal(readPrompt(agent()), undefined);
  });

  it("joins files, relative to where the agent is defined or by URL, without marks and blank ends", () => {
    const files = ["./role.md", pathToFileURL(join(folder, "rules.md"))];
    assert.equal(readPrompt(agent({ files })), "# Role\nBe kind.\n\nNever lie.");
  });

  it("names the agent and the file that cannot be read", () => {
    assert.throws(() => readPrompt(agent({ files: ["./gone.md"] })), {
      code: "config.not-found",
      message: /^agent `desk`: the prompt file `file:.*gone\.md` cannot be read$/,
    });
  });
});
