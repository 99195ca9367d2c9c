// Tools of real MCP servers under the same governance as tools of the project.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { createToolkit } from "../../src/app/create-toolkit.ts";
import type { Toolkit } from "../../src/app/toolkit.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { Tool } from "../../src/core/tool.ts";
import { desk } from "./support.ts";

const server = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"));
const SIZE = 5 * 1024 * 1024;

describe("tools of a filesystem server", () => {
  let root: string;
  let toolkit: Toolkit;
  const log: unknown[] = [];
  const readLocal = defineTool({
    name: "read_local",
    description: "Reads",
    input: z.object({}),
    execute: () => "word ".repeat(SIZE / 5),
  }) as Tool;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "toolpost-mcp-"));
    await writeFile(join(root, "long.txt"), "word ".repeat(SIZE / 5));
    await writeFile(join(root, "note.txt"), "db at pg://shop:hunter22@db.internal/orders");
    await writeFile(
      join(root, "mcp.json"),
      `{ // comments and trailing commas are fine
        "mcpServers": {
          "files": { "command": ["node", ${JSON.stringify(server)}, ${JSON.stringify(root)}], },
          "broken": { "command": "node", "args": ["-e", "console.error('no licence'); process.exit(3)"], },
        },
      }`,
    );
    toolkit = await createToolkit({
      tools: [readLocal],
      mcp: join(root, "mcp.json"),
      log: ({ level, message }) => {
        if (level === "error") log.push(message);
      },
      approvals: { names: ["write_file"] },
      rules: [
        ({ definition }) =>
          definition.name === "move_file" ? { verdict: "deny", reason: "nothing moves here" } : undefined,
      ],
    });
  });

  after(async () => {
    await toolkit.close();
    await rm(root, { recursive: true });
  });

  it("stand beside those of the project, and a server that fails harms nobody else", () => {
    const sources = new Map(toolkit.tools().map((tool) => [tool.name, tool.source]));
    assert.deepEqual([sources.get("read_local"), sources.get("read_text_file")], ["native", "mcp"]);
    const status = Object.fromEntries(
      toolkit.status().map(({ name, state, problem }) => [name, [state, problem?.includes("no licence") ?? false]]),
    );
    assert.deepEqual(status, { files: ["ready", false], broken: ["failed", true] });
    assert.deepEqual(log, ["the source `broken` gave no tools; the others go on"]);
  });

  it("have long results cut the same way as any other tool", async () => {
    const local = await toolkit.call("read_local", {});
    const remote = await toolkit.call("read_text_file", { path: join(root, "long.txt") });
    assert.deepEqual([remote.status, remote.size.isTruncated, remote.size.total], ["ok", true, SIZE]);
    assert.deepEqual(remote.size, local.size);
    assert.equal(remote.text, local.text);
  });

  it("have secrets masked, input validated, and errors read as errors", async () => {
    assert.equal(
      (await toolkit.call("read_text_file", { path: join(root, "note.txt") })).text.includes("hunter22"),
      false,
    );
    const invalid = await toolkit.call("read_text_file", {});
    assert.deepEqual(
      [invalid.errorCode, invalid.text.startsWith("Tool error: invalid input: path: ")],
      ["tool.invalid-input", true],
    );
    const outside = await toolkit.call("read_text_file", { path: "/etc/passwd" });
    assert.deepEqual([outside.status, outside.errorCode], ["failed", "tool.reported"]);
  });

  it("pass rules and floor", async () => {
    const denied = await toolkit.call("move_file", { source: join(root, "a"), destination: join(root, "b") });
    assert.deepEqual([denied.status, denied.text], ["denied", "Tool error: nothing moves here"]);
    assert.equal((await toolkit.call("write_file", { path: join(root, "x"), content: "x" })).status, "waiting");
  });

  it("are offered to an agent whole", async () => {
    const { app, agent, model } = desk([{ calls: [{ name: "list_directory", input: { path: root } }] }, "done"], [], {
      app: { mcp: join(root, "mcp.json") },
    });
    const result = await app.run(agent, "what is there?");
    assert.match(result.calls[0]?.text ?? "", /\[FILE\] note\.txt/);
    assert.equal(
      model.requests[0]?.tools.some((tool) => tool.name === "read_text_file"),
      true,
    );
    await app.close();
  });
});
