// Tools of several origins in one list.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isLegalName } from "../core/name.ts";
import type { AnyTool } from "../core/tool.ts";
import { createCatalog } from "./create-catalog.ts";
import type { ToolOrigin } from "./merge-tools.ts";
import { mergeTools } from "./merge-tools.ts";

function tool(name: string): AnyTool {
  return { name, description: "d", source: "mcp", inputSchema: { type: "object" }, execute: () => name };
}

function written(place: string, ...names: string[]): ToolOrigin {
  return { place, tools: names.map(tool) };
}

function source(sourceName: string, ...names: string[]): ToolOrigin {
  return { place: `MCP server "${sourceName}"`, sourceName, tools: names.map(tool) };
}

const names = (origins: ToolOrigin[]): string[] => mergeTools(origins).tools.map(({ name }) => name);

test("tools that do not collide keep their names and are the same objects", () => {
  const origins = [written('agent "a"', "x"), source("s", "y", "admin.tools/list")];
  const merged = mergeTools(origins);
  assert.deepEqual(merged.tools, [...origins[0]!.tools, ...origins[1]!.tools]);
  assert.ok(merged.tools.every((one, index) => one === origins.flatMap(({ tools }) => tools)[index]));
  assert.deepEqual([merged.problems, merged.skipped], [[], []]);
});

test("two that were written in the project are a problem with both places", () => {
  const { problems, tools } = mergeTools([
    written('agent "a"', "x", "y"),
    written("the builtins", "x"),
    written("lib", "z", "z"),
  ]);
  assert.deepEqual(problems, [
    { code: "tool.duplicate-name", message: '"x" is in agent "a" and in the builtins: rename one of them' },
    { code: "tool.duplicate-name", message: '"z" is twice in lib: rename one of them' },
  ]);
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["x", "y", "z"],
  );
});

test("the same tool in two places is one tool", () => {
  const shared = tool("x");
  const first = { place: "a", tools: [shared, shared] };
  const merged = mergeTools([first, { place: "b", tools: [shared] }]);
  assert.deepEqual(merged, { tools: [shared], problems: [], skipped: [], origins: new Map([[shared, first]]) });
});

test("each tool is told with where it comes from, under its new name too", () => {
  const origins = [written("agent `a`", "list"), source("git", "list", "log")];
  const merged = mergeTools(origins);
  assert.deepEqual(
    merged.tools.map((tool) => [tool.name, merged.origins.get(tool)?.place]),
    [
      ["list", "agent `a`"],
      ["git_list", origins[1]?.place],
      ["log", origins[1]?.place],
    ],
  );
});

test("a source gives way to what was written; of two sources both do", () => {
  assert.deepEqual(names([written("a", "list"), source("git", "list", "log")]), ["list", "git_list", "log"]);
  assert.deepEqual(names([source("git", "list"), source("fs", "list")]), ["git_list", "fs_list"]);
  assert.deepEqual(names([source("fs", "list"), source("git", "list")]), ["fs_list", "git_list"]);
});

test("a renamed tool runs as the original", async () => {
  const [, renamed] = mergeTools([written("a", "list"), source("git", "list")]).tools;
  assert.equal(renamed?.name, "git_list");
  assert.equal(await renamed?.execute(undefined as never), "list");
});

test("where the new name is taken or wished for twice, a hash tells them apart, in any order", () => {
  const taken = names([written("a", "list", "git_list"), source("git", "list")]);
  assert.match(taken[2] ?? "", /^git_list_[0-9a-f]{8}$/);
  const origins = [written("a", "z", "y_z"), source("x", "y_z"), source("x_y", "z")];
  const found = names(origins);
  assert.equal(new Set(found).size, 4);
  assert.deepEqual(names(origins.toReversed()).sort(), found.toSorted());
});

test("a source that brings a name twice: the first counts", () => {
  const { tools, skipped } = mergeTools([source("s", "x", "x")]);
  assert.equal(tools.length, 1);
  assert.deepEqual(skipped, [{ name: "x", reason: 'MCP server "s" has two tools of this name' }]);
});

test("awkward names of servers and tools are all offered under stable legal names, and found again", () => {
  const long = "x".repeat(90);
  const origins = [source("a b", "list", long, "admin.tools/list"), source("a_b", "list", long, "admin.tools/list")];
  const catalog = createCatalog({ tools: mergeTools(origins).tools });
  const wire = catalog.wire("openai").map(({ name }) => name);
  assert.equal(wire.length, 6);
  assert.equal(new Set(wire).size, 6);
  assert.ok(wire.every(isLegalName), wire.join());
  for (const name of wire) assert.notEqual(catalog.find(catalog.fromWire(name)), undefined);
  const again = createCatalog({ tools: mergeTools(origins.toReversed()).tools })
    .wire("openai")
    .map(({ name }) => name);
  assert.deepEqual(again.sort(), wire.sort());
});
