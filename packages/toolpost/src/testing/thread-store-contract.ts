// What every store of threads must do, as tests: a store of one's own is held against them in a test file of its own.
// It must not know any store, nor load the test runner before it is asked for tests: other runners load this door too.

import assert from "node:assert/strict";
import { isToolpostError } from "../core/errors.ts";
import type { Message } from "../core/message.ts";
import type { ThreadKey, ThreadStore } from "../core/thread.ts";

/** Makes an empty store: one for each test, and one before, to see which tests there are. `after` takes what is to be done then. */
export type CreateThreadStore = (test: {
  after(done: () => void | Promise<void>): void;
}) => ThreadStore | Promise<ThreadStore>;

/**
 * Registers a suite of `node:test`, with tests of summaries where the store keeps any.
 * @example threadStoreContract("my threads", () => myThreads());
 */
export function threadStoreContract(name: string, create: CreateThreadStore): void {
  const { after, describe, test } = process.getBuiltinModule("node:test");
  describe(name, async () => {
    for (const [title, check] of Object.entries({ ...ofMessages, ...ofOwners, ...ofRuns })) {
      test(title, async (context) => check(await create(context)));
    }
    // One that cannot be made has failed each test: some runners take no notice of a suite that fails.
    const store = await Promise.resolve({ after })
      .then(create)
      .catch(() => undefined);
    if (store?.summaries === undefined && store?.keepSummary === undefined) return;
    for (const [title, check] of Object.entries(ofSummaries)) {
      test(title, async (context) => {
        const { summaries, keepSummary, ...store } = bound(await create(context));
        assert.ok(summaries && keepSummary, "a store has both of `summaries` and `keepSummary`, or neither");
        await check({ ...store, summaries, keepSummary });
      });
    }
  });
}

type Check = (store: ThreadStore) => Promise<void>;

const ofMessages: Readonly<Record<string, Check>> = {
  async "a thread nobody wrote to reads as empty"(store) {
    assert.deepEqual(await store.read(key("t")), []);
  },

  async "messages come back as they were, in order"(store) {
    const messages: Message[] = [
      { role: "system", content: "Be brief" },
      said("hello\0 \ud83e\uddea \u2028"),
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "", providerOptions: { acme: { signature: "s" } } },
          { type: "tool-call", toolCallId: "c", toolName: "t", input: { a: [1, null, { b: "" }] } },
        ],
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
  },

  async "long messages come back whole"(store) {
    const long = said("é".repeat(300_000));
    await store.append(key("t"), [long]);
    assert.deepEqual(await store.read(key("t")), [long]);
  },

  async "appends at once lose nothing and stay whole"(store) {
    const pairs = Array.from({ length: 50 }, (_, index) => [said(`question ${index}`), said(`answer ${index}`)]);
    await Promise.all(pairs.map((pair) => store.append(key("t"), pair)));
    const texts = (await store.read(key("t"))).map(textOf);
    assert.equal(texts.length, 100);
    for (let index = 0; index < texts.length; index += 2) {
      assert.equal(texts[index + 1], texts[index]?.replace("question", "answer"));
    }
  },

  async "an append that cannot store all its messages stores none"(store) {
    await assert.rejects(async () => store.append(key("t"), [said("first"), said("second"), unreadable()]));
    assert.deepEqual(await store.read(key("t")), []);
  },

  async "what callers do to messages and arrays afterwards changes nothing stored"(store) {
    const given = [said("hello")];
    const appended = store.append(key("t"), given);
    (given[0] as { content: unknown }).content = [];
    given.push(said("more"));
    await appended;
    const read = (await store.read(key("t"))) as Message[];
    read.length = 0;
    assert.deepEqual(await store.read(key("t")), [said("hello")]);
    const [message] = await store.read(key("t"));
    attempt(() => {
      (message?.content[0] as { text: string }).text = "changed";
    });
    assert.deepEqual(await store.read(key("t")), [said("hello")]);
  },

  async "an array that was read does not grow with the thread"(store) {
    await store.append(key("t"), [said("one")]);
    const before = await store.read(key("t"));
    await store.append(key("t"), [said("two")]);
    assert.deepEqual(before, [said("one")]);
  },
};

const ofOwners: Readonly<Record<string, Check>> = {
  async "threads do not mix, whatever they are called"(store) {
    const ids = ["t", "T", "t/1", "", " ", "__proto__", "constructor", "t\0", "t\0u", "é", "e\u0301", "%", ...halves];
    for (const id of ids) await store.append(key(id), [said(JSON.stringify(id))]);
    for (const id of ids) assert.deepEqual(await store.read(key(id)), [said(JSON.stringify(id))]);
  },

  async "a thread of another owner reads as empty, and an append to it rejects and changes nothing"(store) {
    for (const [threadId, ownerId] of [
      ["t", "ada"],
      ["u", halves[0]],
    ]) {
      await store.append(key(threadId!, ownerId), [said("mine")]);
      for (const other of ["eve", "", "Ada", "ada ", halves[1], undefined]) {
        assert.deepEqual(await store.read({ threadId: threadId!, ownerId: other }), []);
        await assert.rejects(
          async () => store.append({ threadId: threadId!, ownerId: other }, [said("intruder")]),
          isForeign,
        );
      }
      assert.deepEqual(await store.read(key(threadId!, ownerId)), [said("mine")]);
    }
  },

  async "an append of nothing to a thread of another owner rejects too"(store) {
    await store.append(key("t", "ada"), [said("mine")]);
    await assert.rejects(async () => store.append(key("t", "eve"), []), isForeign);
  },

  async "a thread without an owner belongs to no user"(store) {
    const open = { threadId: "t", ownerId: undefined };
    await store.append(open, [said("open")]);
    assert.deepEqual(await store.read(open), [said("open")]);
    for (const ownerId of ["eve", "", "undefined", "null"]) {
      assert.deepEqual(await store.read(key("t", ownerId)), []);
      await assert.rejects(async () => store.append(key("t", ownerId), [said("intruder")]), isForeign);
    }
  },

  async "appending nothing takes no thread into possession"(store) {
    await store.append(key("t", "eve"), []);
    await store.append(key("t", "ada"), [said("mine")]);
    assert.deepEqual(await store.read(key("t", "ada")), [said("mine")]);
  },

  async "of two owners who begin a thread at once one has it, and the other is refused"(store) {
    const owners = ["ada", "eve"];
    const [ada, eve] = await Promise.allSettled(owners.map((owner) => store.append(key("t", owner), [said(owner)])));
    assert.notEqual(ada?.status, eve?.status);
    const winner = ada?.status === "fulfilled" ? "ada" : "eve";
    for (const owner of owners)
      assert.deepEqual(await store.read(key("t", owner)), owner === winner ? [said(owner)] : []);
  },
};

const ofRuns: Readonly<Record<string, Check>> = {
  async "the messages of a run are appended once, however often it is tried"(store) {
    const exchange = [said("question"), said("answer")];
    await store.append(key("t"), exchange, "r-1");
    await store.append(key("t"), exchange, "r-1");
    await Promise.all([store.append(key("t"), exchange, "r-2"), store.append(key("t"), exchange, "r-2")]);
    await store.append(key("t"), [said("other words")], "r-1");
    assert.deepEqual(await store.read(key("t")), [...exchange, ...exchange]);
  },

  async "each thread is told on its own what runs it has"(store) {
    await store.append(key("t"), [said("here")], "r-1");
    await store.append(key("u"), [said("there")], "r-1");
    assert.deepEqual(await store.read(key("u")), [said("there")]);
  },

  async "appends that name no run are made each time"(store) {
    await store.append(key("t"), [said("again")]);
    await store.append(key("t"), [said("again")], undefined);
    assert.deepEqual(await store.read(key("t")), [said("again"), said("again")]);
  },

  async "an append that failed or held nothing does not stand for its run"(store) {
    await store.append(key("t"), [], "r-1");
    await assert.rejects(async () => store.append(key("t"), [said("lost"), unreadable()], "r-1"));
    await store.append(key("t"), [said("now")], "r-1");
    assert.deepEqual(await store.read(key("t")), [said("now")]);
  },
};

const ofSummaries: Readonly<Record<string, (store: Required<ThreadStore>) => Promise<void>>> = {
  async "summaries are kept by turn, and the first one of a turn stays"(store) {
    await store.append(key("t"), [said("hello")]);
    assert.deepEqual(await store.summaries(key("t")), new Map());
    await store.keepSummary(key("t"), 3, "the third");
    await store.keepSummary(key("t"), 0, "é \0 \ud83e\uddea");
    await store.keepSummary(key("t"), 3, "another one");
    await store.append(key("u"), [said("hello")]);
    assert.deepEqual(
      await store.summaries(key("t")),
      new Map([
        [0, "é \0 \ud83e\uddea"],
        [3, "the third"],
      ]),
    );
    assert.deepEqual(await store.summaries(key("u")), new Map());
    assert.deepEqual(await store.read(key("t")), [said("hello")]);
  },

  async "summaries of a thread of another owner read as none, and keeping one rejects"(store) {
    await store.append(key("t", "ada"), [said("mine")]);
    await store.keepSummary(key("t", "ada"), 0, "mine");
    assert.deepEqual(await store.summaries(key("t", "eve")), new Map());
    await assert.rejects(async () => store.keepSummary(key("t", "eve"), 1, "intruder"), isForeign);
    assert.deepEqual(await store.summaries(key("t", "ada")), new Map([[0, "mine"]]));
  },

  async "a thread nobody wrote to keeps no summary, and no owner by one"(store) {
    await store.keepSummary(key("t", "eve"), 0, "too early");
    await store.append(key("t", "ada"), [said("mine")]);
    assert.deepEqual(await store.summaries(key("t", "ada")), new Map());
  },

  async "a map that was read is the reader's own"(store) {
    await store.append(key("t"), [said("hello")]);
    await store.keepSummary(key("t"), 0, "kept");
    ((await store.summaries(key("t"))) as Map<number, string>).clear();
    assert.deepEqual(await store.summaries(key("t")), new Map([[0, "kept"]]));
  },
};

/** Texts that cannot be told apart once they are made well-formed. */
const halves: readonly [string, string] = ["\ud800", "\ud801"];

function bound(store: ThreadStore): ThreadStore {
  const { summaries, keepSummary } = store;
  return {
    read: (thread) => store.read(thread),
    append: (thread, messages, runId) => store.append(thread, messages, runId),
    ...(summaries ? { summaries: (thread) => summaries.call(store, thread) } : {}),
    ...(keepSummary ? { keepSummary: (thread, turn, text) => keepSummary.call(store, thread, turn, text) } : {}),
  };
}

/** The refusal says no word of whose the thread is. */
function isForeign(error: unknown): boolean {
  return isToolpostError(error) && error.code === "thread.foreign" && !error.message.includes("ada");
}

function key(threadId: string, ownerId = "ada"): ThreadKey {
  return { threadId, ownerId };
}

function said(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

function unreadable(): Message {
  return Object.defineProperty(said(""), "content", {
    enumerable: true,
    get() {
      throw new Error("unreadable");
    },
  });
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
