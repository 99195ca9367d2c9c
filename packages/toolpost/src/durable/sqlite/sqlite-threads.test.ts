import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { asTexts, openThreads, said } from "../../../test/lib/open-threads.ts";
import { temporaryFolder } from "../../../test/lib/temporary-tree.ts";
import type { Message } from "../../core/message.ts";
import { threadStoreContract } from "../../testing/thread-store-contract.ts";
import type { SqliteThreadsOptions } from "./sqlite-threads.ts";

const key = { threadId: "t", ownerId: "ada" };
/** Nobody could read it by accident. */
const turned: SqliteThreadsOptions["codec"] = {
  encode: (text) => Buffer.from(text).map((byte) => byte ^ 0xff),
  decode: (stored) => Buffer.from(Buffer.from(stored as Uint8Array).map((byte) => byte ^ 0xff)).toString(),
};

for (const [name, codec] of [
  ["texts", asTexts],
  ["bytes", turned],
] as const) {
  threadStoreContract(`threads in SQLite, stored as ${name}`, (context) => {
    const { db, store } = openThreads(":memory:", codec);
    context.after(() => db.close());
    return store;
  });
}

test("what is stored went through the codec, summaries too", async () => {
  const { db, store } = openThreads(":memory:", turned);
  await store.append(key, [said("a secret")]);
  await store.keepSummary(key, 0, "a secret");
  for (const table of ["thread_messages", "thread_summaries"]) {
    const { payload } = db.prepare(`select payload from ${table}`).get() as { payload: Uint8Array };
    assert.ok(payload instanceof Uint8Array);
    assert.ok(!Buffer.from(payload).includes("secret"));
  }
});

test("a codec that throws rejects the append and stores nothing", async () => {
  let failures = 1;
  const encode = (text: string): string => {
    if (text.includes("second") && failures-- > 0) throw new Error("no key");
    return text;
  };
  const { store } = openThreads(":memory:", { ...asTexts, encode });
  await assert.rejects(store.append(key, [said("first"), said("second")], "r-1"), { message: "no key" });
  assert.deepEqual(await store.read(key), []);
  await store.append(key, [said("first"), said("second")], "r-1");
  assert.deepEqual(await store.read(key), [said("first"), said("second")]);
});

test("a payload that is no message any more rejects the read and names the thread", async () => {
  const { db, store } = openThreads(":memory:");
  await store.append(key, [said("hello")]);
  db.exec("update thread_messages set payload = '{'");
  await assert.rejects(store.read(key), { message: "what thread `t` holds is not what was stored" });
});

test("a message as deep as a model can write it comes back", async () => {
  const { store } = openThreads(":memory:");
  const input = JSON.parse(`${"[".repeat(1_000)}${"]".repeat(1_000)}`);
  const deep: Message = {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: { input } }],
  };
  await store.append(key, [deep]);
  assert.equal(JSON.stringify(await store.read(key)), JSON.stringify([deep]));
});

test("an append that fails halfway leaves nothing, and others of its transaction are committed", async () => {
  const { db, store } = openThreads(":memory:");
  db.exec(
    "create trigger full before insert on thread_messages when new.payload like '%second%' begin select raise(abort, 'full'); end",
  );
  const [failed, other] = await Promise.allSettled([
    store.append(key, [said("first"), said("second")], "r-1"),
    store.append({ threadId: "u", ownerId: "ada" }, [said("other")]),
  ]);
  assert.equal(failed.status === "rejected" && failed.reason.message, "full");
  assert.equal(other.status, "fulfilled");
  assert.deepEqual(await store.read(key), []);
  await store.append({ threadId: "t", ownerId: "eve" }, [said("not even the thread was there")]);
});

test("a store that cannot be reached rejects", async () => {
  const { db, store } = openThreads(":memory:");
  db.close();
  await assert.rejects(store.read(key));
  await assert.rejects(store.append(key, [said("hello")]));
  await assert.rejects(store.summaries(key));
  await assert.rejects(store.keepSummary(key, 0, "hello"));
});

test("a read is one statement, and nothing goes through all threads", async () => {
  const { db, store } = openThreads(":memory:");
  const prepare = db.prepare.bind(db);
  const asked: string[] = [];
  db.prepare = (sql) => {
    asked.push(sql);
    return prepare(sql);
  };
  await store.read(key);
  assert.equal(asked.length, 1);
  await store.append(key, [said("hello")], "r-1");
  await store.summaries(key);
  const looks = asked.filter((sql) => sql.startsWith("select"));
  assert.equal(looks.length, 5);
  const steps = looks.flatMap((sql) =>
    prepare(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => String(detail)),
  );
  assert.deepEqual(
    steps.filter((step) => /^SCAN (?!CONSTANT)|TEMP B-TREE/.test(step)),
    [],
  );
});

test("processes on one file lose nothing of each other's and make a run's append once", async () => {
  const file = join(temporaryFolder(), "threads.db");
  const { db, store } = openThreads(file);
  const library = new URL("../../../test/lib/open-threads.ts", import.meta.url).href;
  const code = `
    import { openThreads, said } from ${JSON.stringify(library)};
    const { db, store } = openThreads(process.argv[1]);
    const key = { threadId: "t", ownerId: "ada" };
    for (let index = 0; index < 20; index++) {
      const name = process.argv[2] + index;
      await store.append(key, [said("question " + name), said("answer " + name)], name);
      await store.append(key, [said("question " + index), said("answer " + index)], "shared " + index);
    }
    db.close();`;
  const run = (name: string) => promisify(execFile)(process.execPath, ["--input-type=module", "-e", code, file, name]);
  await Promise.all([run("a"), run("b")]);
  const texts = (await store.read(key)).map((message) => (message.content[0] as { text: string }).text);
  const questions = texts.filter((text) => text.startsWith("question "));
  assert.deepEqual(
    texts,
    questions.flatMap((text) => [text, text.replace("question", "answer")]),
  );
  const names = Array.from({ length: 20 }, (_, index) => [`a${index}`, `b${index}`, `${index}`]).flat();
  assert.deepEqual(questions.map((text) => text.slice("question ".length)).sort(), names.sort());
  db.close();
});
