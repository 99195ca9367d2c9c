import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { test } from "node:test";
import { randomId, sha256Hex, shortHash } from "./id.ts";

test("a random id is its prefix and 22 URL-safe characters", () => {
  for (let index = 0; index < 1_000; index++) assert.match(randomId("run_"), /^run_[A-Za-z0-9_-]{22}$/);
});

test("random ids do not repeat, over many fills of the pool", () => {
  const ids = new Set(Array.from({ length: 20_000 }, () => randomId("")));
  assert.equal(ids.size, 20_000);
});

test("random ids use every character at nearly every place", () => {
  const seen = Array.from({ length: 22 }, () => new Set<string>());
  for (let index = 0; index < 5_000; index++) {
    for (const [place, character] of [...randomId("")].entries()) seen[place]!.add(character);
  }
  assert.deepEqual(
    seen.map((characters) => characters.size),
    new Array(22).fill(64),
  );
});

/** The file as a process that has just started has it. */
function fresh(): Promise<typeof import("./id.ts")> {
  return import(`./id.ts?${fresh.count++}`);
}
fresh.count = 0;

test("the first ids come from the system's device where there is one, later ones from node:crypto, many at once", async (t) => {
  const own = await fresh();
  const open = t.mock.method(fs, "openSync");
  const draw = t.mock.method(crypto, "getRandomValues");
  const hasDevice = fs.existsSync("/dev/urandom");
  for (let index = 0; index < 100; index++) own.randomId("");
  assert.deepEqual([open.mock.callCount(), draw.mock.callCount()], [1, hasDevice ? 0 : 1]);
  for (let index = 0; index < 10_000; index++) own.randomId("");
  assert.equal(open.mock.callCount(), 1);
  assert.ok(draw.mock.callCount() > 0 && draw.mock.callCount() <= 20);
});

for (const [what, broken] of Object.entries({
  "cannot be opened": { openSync: () => assert.fail("no such file") },
  "is no device": { fstatSync: () => ({ isCharacterDevice: () => false }) },
  "gives too little": { readSync: () => 1 },
})) {
  test(`a device that ${what} is not trusted: randomness comes from node:crypto`, async (t) => {
    const own = await fresh();
    for (const [name, method] of Object.entries(broken)) t.mock.method(fs, name as "openSync", method as never);
    const draw = t.mock.method(crypto, "getRandomValues");
    const ids = new Set(Array.from({ length: 100 }, () => own.randomId("")));
    assert.equal(ids.size, 100);
    assert.equal(draw.mock.callCount(), 1);
  });
}

test("SHA-256 is that of the UTF-8 text", () => {
  assert.equal(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert.equal(sha256Hex("日本😀"), createHash("sha256").update("日本😀", "utf8").digest("hex"));
});

test("a short hash is 8 hex digits and stays what it is", () => {
  assert.equal(shortHash(""), "ab3e7c0b");
  assert.equal(shortHash("admin.tools/list"), "5b46156e");
  assert.equal(shortHash("日本"), "d0123169");
});

test("short hashes of names that differ little differ", () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `server.tool_${index}`);
  assert.ok(new Set(names.map(shortHash)).size >= names.length - 2);
  assert.ok(names.every((name) => /^[0-9a-f]{8}$/.test(shortHash(name))));
});

test("every unit of the text counts, high byte and low byte, and their order", () => {
  assert.equal(new Set(["ab", "ba", "a\u0162", "a", "a\u0000", "\u0061\u0001"].map(shortHash)).size, 6);
});
