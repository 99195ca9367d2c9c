import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent } from "../core/event.ts";
import { Broadcast } from "../std/async.ts";
import type { TextDelta } from "./delta-log.ts";
import { DeltaLog } from "./delta-log.ts";

interface Streaming {
  readonly events: Broadcast<AgentEvent>;
  readonly log: DeltaLog;
  /** Takes a delta as a run does; the event a listener would hold. */
  take(text: string, id?: string, step?: number): TextDelta;
}

function streaming(): Streaming {
  const events = new Broadcast<AgentEvent>();
  const log = new DeltaLog(events);
  return {
    events,
    log,
    take(text, id = "0", step = 0) {
      const event: TextDelta = { type: "text-delta", step, id, text, runId: "r", at: 1 };
      if (!log.grow({ type: "text-delta", id, text }, step)) log.add(event);
      return event;
    },
  };
}

function textsOf(events: Iterable<AgentEvent>): string[] {
  return [...events].flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
}

async function textFrom(reader: AsyncIterator<AgentEvent>): Promise<string> {
  const { value } = await reader.next();
  return (value as TextDelta).text;
}

test("what nobody has read is one event for each part, and listeners keep what they were given", () => {
  const { events, take } = streaming();
  const held = [take("a"), take("b"), take("c", "1"), take("d", "1"), take("e", "1", 1)];
  assert.deepEqual(textsOf(events.items), ["ab", "cd", "e"]);
  assert.deepEqual(textsOf(held), ["a", "b", "c", "d", "e"]);
});

test("an event between two deltas keeps its place", () => {
  const { events, take } = streaming();
  take("a");
  events.push({ type: "run-start", agent: "x", runId: "r", at: 1 });
  take("b");
  assert.deepEqual(
    events.items.map(({ type }) => type),
    ["text-delta", "run-start", "text-delta"],
  );
});

test("a reader who comes within a part gets what was before as one, the rest as it comes, and nothing twice", async () => {
  const { events, log, take } = streaming();
  take("a");
  take("b");
  const reader = events.subscribe();
  const first = await reader.next();
  take("c");
  take("d");
  assert.deepEqual([await textFrom(reader), await textFrom(reader)], ["c", "d"]);
  log.join();
  assert.equal((first.value as TextDelta).text, "ab");
  assert.deepEqual(textsOf(events.items), ["abcd"], "those who come later get the part whole");
  take("e", "0", 1);
  assert.equal(await textFrom(reader), "e");
});

test("a reader who has gone again still holds what it read", async () => {
  const { events, take } = streaming();
  take("a");
  const reader = events.subscribe();
  const { value } = await reader.next();
  await reader.return?.();
  take("b");
  assert.equal((value as TextDelta).text, "a");
  assert.deepEqual(textsOf(events.items), ["a", "b"]);
});

test("a finished step does not grow on", () => {
  const { events, log, take } = streaming();
  take("a");
  log.join();
  take("b");
  assert.deepEqual(textsOf(events.items), ["a", "b"]);
});
