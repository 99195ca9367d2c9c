// The reference servers that the MCP project publishes, over stdio, as they are.
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryTree } from "../../../test/lib/temporary-tree.ts";
import type { FilePart } from "../../core/message.ts";
import type { ToolSource } from "../../core/source.ts";
import { call } from "./fixtures/tiny-source.ts";
import { type McpSourceOptions, mcpSource } from "./mcp-source.ts";

function serverOf(t: TestContext, name: string, args: string[], options: Partial<McpSourceOptions> = {}): ToolSource {
  const program = fileURLToPath(import.meta.resolve(`@modelcontextprotocol/${name}/dist/index.js`));
  const source = mcpSource({ name, command: "node", args: [program, ...args], ...options });
  t.after(() => source.close());
  return source;
}

test("the filesystem server: its tools, a read, a refusal, trusted hints", async (t) => {
  const root = temporaryTree(t, { "notes.md": "# Notes\n" });
  const source = serverOf(t, "server-filesystem", [root], { trust: true });
  const tools = new Map((await source.list()).map((tool) => [tool.name, tool]));
  assert.ok(tools.size >= 10);
  assert.deepEqual(source.status().skipped, []);
  assert.equal(tools.get("read_text_file")?.annotations?.readOnly, true);
  assert.equal(tools.get("write_file")?.annotations?.destructive, true);
  const read = await call(source, "read_text_file", { path: join(root, "notes.md") });
  assert.equal(read.content, "# Notes\n");
  assert.deepEqual(read.data, { content: "# Notes\n" });
  const refused = await call(source, "read_text_file", { path: "/etc/passwd" });
  assert.equal(refused.isError, true);
  assert.match(String(refused.content), /denied/i);
});

test("the everything server: text, image, structured content, links, progress, nothing loosened", async (t) => {
  const source = serverOf(t, "server-everything", ["stdio"]);
  const tools = await source.list();
  assert.ok(
    tools.every(({ annotations }) => annotations?.readOnly === undefined && annotations?.idempotent === undefined),
  );
  assert.equal((await call(source, "echo", { message: "hi" })).content, "Echo: hi");
  const image = (await call(source, "get-tiny-image")).content as readonly FilePart[];
  assert.deepEqual(
    image.map((part) => part.type),
    ["text", "file", "text"],
  );
  assert.equal(image[1]?.mediaType, "image/png");
  const weather = await call(source, "get-structured-content", { location: "Chicago" });
  assert.deepEqual(Object.keys(weather.data as object).sort(), ["conditions", "humidity", "temperature"]);
  const links = await call(source, "get-resource-links", { count: 2 });
  assert.match(JSON.stringify(links.content), /Resource link demo:/);
  const seen: unknown[] = [];
  await call(
    source,
    "trigger-long-running-operation",
    { duration: 0.2, steps: 2 },
    { progress: (data) => seen.push(data) },
  );
  assert.equal(seen.length, 2);
  assert.equal((await call(source, "get-sum", { a: "one" })).isError, true);
});
