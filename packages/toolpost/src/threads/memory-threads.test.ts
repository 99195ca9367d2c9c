import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../core/message.ts";
import { threadStoreContract } from "../testing/thread-store-contract.ts";
import { memoryThreads } from "./memory-threads.ts";

threadStoreContract("threads in memory", () => memoryThreads());

const key = { threadId: "t", ownerId: "ada" };
const hello: Message = { role: "user", content: [{ type: "text", text: "hello" }] };

test("stored messages are frozen copies", async () => {
  const store = memoryThreads();
  await store.append(key, [hello]);
  const [read] = await store.read(key);
  assert.notEqual(read, hello);
  assert.ok(Object.isFrozen(read) && Object.isFrozen(read?.content) && Object.isFrozen(read?.content[0]));
});

test("reading a thread costs no copy of its messages", async () => {
  const store = memoryThreads();
  await store.append(key, [hello]);
  const [first, second] = [await store.read(key), await store.read(key)];
  assert.equal(first[0], second[0]);
});
