import assert from "node:assert/strict";
import { test } from "node:test";
import { isToolpostError } from "../core/errors.ts";
import type { Message } from "../core/message.ts";
import type { ThreadKey, ThreadStore } from "../core/thread.ts";
import { memoryThreads } from "./memory-threads.ts";

threadStoreContract(() => memoryThreads());

test("stored messages are frozen copies", async () => {
  const store = memoryThreads();
  const message = said("hello");
  await store.append(key("t"), [message]);
  const [read] = await store.read(key("t"));
  assert.notEqual(read, message);
  assert.ok(Object.isFrozen(read) && Object.isFrozen(read?.content) && Object.isFrozen(read?.content[0]));
});

test("reading a thread costs no copy of its messages", async () => {
  const store = memoryThreads();
  await store.append(key("t"), [said("hello")]);
  const [first, second] = [await store.read(key("t")), await store.read(key("t"))];
  assert.equal(first[0], second[0]);
});

/** What every store of threads must do. `create` gives an empty one. */
function threadStoreContract(create: () => ThreadStore | Promise<ThreadStore>): void {
  test("a thread nobody wrote to reads as empty", async () => {
    assert.deepEqual(await (await create()).read(key("t")), []);
  });

  test("messages come back as they were, in order", async () => {
    const store = await create();
    const messages: Message[] = [
      { role: "system", content: "Be brief" },
      said("hello"),
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: { a: [1, null, { b: "" }] } }],
      },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "c", toolName: "t", output: { type: "text", value: "ok" } }],
      },
    ];
    await store.append(key("t"), messages.slice(0, 1));
    await store.append(key("t"), []);
    await store.append(key("t"), messages.slice(1));
    assert.deepEqual(await store.read(key("t")), messages);
  });

  test("threads do not mix, whatever they are called", async () => {
    const store = await create();
    const ids = ["t", "t/1", "", "__proto__", "constructor"];
    for (const id of ids) await store.append(key(id), [said(id)]);
    for (const id of ids) assert.deepEqual(await store.read(key(id)), [said(id)]);
  });

  test("a thread of another owner reads as empty, and an append to it rejects and changes nothing", async () => {
    const store = await create();
    await store.append(key("t", "ada"), [said("mine")]);
    for (const ownerId of ["eve", "", null]) {
      assert.deepEqual(await store.read({ threadId: "t", ownerId: ownerId ?? undefined }), []);
      await assert.rejects(
        async () => store.append({ threadId: "t", ownerId: ownerId ?? undefined }, [said("intruder")]),
        (error) => isToolpostError(error) && error.code === "thread.foreign" && !error.message.includes("ada"),
      );
    }
    assert.deepEqual(await store.read(key("t", "ada")), [said("mine")]);
  });

  test("a thread without an owner belongs to no user", async () => {
    const store = await create();
    const open = { threadId: "t", ownerId: undefined };
    await store.append(open, [said("open")]);
    assert.deepEqual(await store.read(open), [said("open")]);
    assert.deepEqual(await store.read(key("t", "eve")), []);
    await assert.rejects(async () => store.append(key("t", "eve"), [said("intruder")]));
  });

  test("appending nothing takes no thread into possession", async () => {
    const store = await create();
    await store.append(key("t", "eve"), []);
    await store.append(key("t", "ada"), [said("mine")]);
    assert.deepEqual(await store.read(key("t", "ada")), [said("mine")]);
  });

  test("appends at once lose nothing and stay whole", async () => {
    const store = await create();
    const pairs = Array.from({ length: 50 }, (_, index) => [said(`question ${index}`), said(`answer ${index}`)]);
    await Promise.all(pairs.map((pair) => store.append(key("t"), pair)));
    const texts = (await store.read(key("t"))).map(textOf);
    assert.equal(texts.length, 100);
    for (let index = 0; index < texts.length; index += 2) {
      assert.equal(texts[index + 1], texts[index]?.replace("question", "answer"));
    }
  });

  test("an append that cannot store all its messages stores none", async () => {
    const store = await create();
    const broken = Object.defineProperty(said("third"), "content", {
      enumerable: true,
      get() {
        throw new Error("unreadable");
      },
    });
    await assert.rejects(async () => store.append(key("t"), [said("first"), said("second"), broken]));
    assert.deepEqual(await store.read(key("t")), []);
  });

  test("what callers do to messages and arrays afterwards changes nothing stored", async () => {
    const store = await create();
    const given = [said("hello")];
    await store.append(key("t"), given);
    (given[0] as { content: unknown }).content = [];
    given.push(said("more"));
    const read = (await store.read(key("t"))) as Message[];
    read.length = 0;
    assert.deepEqual(await store.read(key("t")), [said("hello")]);
    const [message] = await store.read(key("t"));
    attempt(() => {
      (message?.content[0] as { text: string }).text = "changed";
    });
    assert.deepEqual(await store.read(key("t")), [said("hello")]);
  });

  test("an array that was read does not grow with the thread", async () => {
    const store = await create();
    await store.append(key("t"), [said("one")]);
    const before = await store.read(key("t"));
    await store.append(key("t"), [said("two")]);
    assert.deepEqual(before, [said("one")]);
  });
}

function key(threadId: string, ownerId = "ada"): ThreadKey {
  return { threadId, ownerId };
}

function said(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

function textOf(message: Message): string | undefined {
  const part = typeof message.content === "string" ? undefined : message.content[0];
  return part?.type === "text" ? part.text : undefined;
}

/** Runs what a store may refuse, as frozen data does. */
function attempt(act: () => void): void {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof TypeError);
  }
}
