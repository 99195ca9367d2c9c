// Configurations as sources, each on its own.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { temporaryTree } from "../../../test/lib/temporary-tree.ts";
import { call, tinyServer } from "./fixtures/tiny-source.ts";
import { type McpSourcesOptions, mcpSources } from "./mcp-sources.ts";

async function open(t: TestContext, config: Parameters<typeof mcpSources>[0], options: McpSourcesOptions = {}) {
  const sources = await mcpSources(config, options);
  t.after(() => Promise.all(sources.map((source) => source.close())));
  return sources;
}

test("both forms of a command start, with a script named relative to the file", async (t) => {
  const mcpServers = { string: { command: "node", args: ["server.mjs"] }, list: { command: ["node", "server.mjs"] } };
  const directory = temporaryTree(t, {
    "mcp.json": JSON.stringify({ mcpServers }),
    "server.mjs": readFileSync(tinyServer, "utf8"),
  });
  const sources = await open(t, "mcp.json", { directory });
  assert.deepEqual(
    sources.map(({ name }) => name),
    ["string", "list"],
  );
  for (const source of sources)
    assert.equal((await call(source, "answer", { result: { content: [{ type: "text", text: "hi" }] } })).content, "hi");
});

test("one server's fault is its own", async (t) => {
  const good = { command: "node", args: [tinyServer], allow: ["look", "touch"], drop: ["touch"] };
  const config = {
    mcpServers: {
      remote: { url: "https://example.com/mcp" },
      keyless: { ...good, env: { KEY: "${NO_SUCH_KEY}" } },
      off: { ...good, disabled: true },
      broken: { command: "node", args: [tinyServer, '{"crash":7}'] },
      good,
    },
  };
  const sources = await open(t, config, { env: {} });
  const listings = await Promise.allSettled(sources.map((source) => source.list()));
  assert.deepEqual(
    sources.map((source) => [source.name, source.status().state, source.status().toolCount]),
    [
      ["remote", "failed", 0],
      ["keyless", "failed", 0],
      ["broken", "failed", 0],
      ["good", "ready", 1],
    ],
  );
  assert.deepEqual(
    listings.map((listing) =>
      listing.status === "rejected" ? listing.reason.message : listing.value.map(({ name }) => name),
    ),
    [
      "MCP server `remote`: servers with a `url` are not supported yet; only ones with a `command` are",
      "MCP server `keyless`: mcpServers.keyless.env.KEY needs the environment variable `NO_SUCH_KEY`, which is not set",
      "MCP server `broken`: it ended with exit code 7 before it answered",
      ["look"],
    ],
  );
  assert.match(sources[1]?.status().problem ?? "", /`NO_SUCH_KEY`/);
  await sources[1]?.close();
  assert.deepEqual(sources[1]?.status(), { name: "keyless", kind: "mcp", state: "closed", toolCount: 0, skipped: [] });
});

test("a wrong configuration gives no source at all", async () => {
  await assert.rejects(mcpSources({ mcpServers: { a: { command: "x" }, b: null } }), {
    code: "config.invalid",
    message: "MCP configuration: mcpServers.b: expected an object, got null",
  });
  await assert.rejects(mcpSources("no-such.json", { directory: import.meta.dirname }), { code: "config.not-found" });
});
