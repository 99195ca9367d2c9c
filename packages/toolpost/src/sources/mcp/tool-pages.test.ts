// Reading a list of tools page by page, from servers that do not say where it ends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readToolPages } from "./tool-pages.ts";

test("pages are read in order, each with the cursor of the one before", async () => {
  const cursors: unknown[] = [];
  const pages = [{ tools: [1, 2], nextCursor: "a" }, { tools: [], nextCursor: "b" }, { tools: [3] }];
  const entries = await readToolPages(async (cursor) => pages[cursors.push(cursor) - 1]);
  assert.deepEqual(entries, [1, 2, 3]);
  assert.deepEqual(cursors, [undefined, "a", "b"]);
});

test("a page without a usable cursor is the last one", async () => {
  for (const nextCursor of [undefined, null, "", 5]) {
    assert.deepEqual(await readToolPages(async () => ({ tools: [1], nextCursor })), [1]);
  }
});

test("a cursor that does not move, or comes again, is an error", async () => {
  const twice = /does not end: tools\/list gave the same cursor twice/;
  await assert.rejects(
    readToolPages(async () => ({ tools: [], nextCursor: "same" })),
    twice,
  );
  await assert.rejects(
    readToolPages(async (cursor) => ({ tools: [], nextCursor: cursor === "a" ? "b" : "a" })),
    twice,
  );
});

test("a list of ever new cursors is given up", async () => {
  let page = 0;
  const endless = readToolPages(async () => ({ tools: [], nextCursor: String(page++) }));
  await assert.rejects(endless, /does not end: tools\/list gave more than 1000 pages/);
  assert.equal(page, 1_000);
});

test("a page that is no list is an error", async () => {
  for (const page of [undefined, null, {}, { tools: {} }, { tools: null }, 5]) {
    await assert.rejects(
      readToolPages(async () => page),
      /its answer to tools\/list has no list `tools`/,
    );
  }
});
