import assert from "node:assert/strict";
import { test } from "node:test";
import { LazyAbort } from "../std/abort.ts";
import { CallContext } from "./call-context.ts";
import type { CallScope } from "./call-scope.ts";

test("a context whose signal was read leaves its run when it is over, and does not come back", () => {
  let followers = 0;
  class CountedAbort extends LazyAbort {
    override onAbort(listener: (reason: unknown) => void): () => void {
      followers++;
      const letGo = super.onAbort(listener);
      return () => {
        followers--;
        letGo();
      };
    }
  }
  const abort = new CountedAbort();
  const context = new CallContext("c", { abort } as unknown as CallScope);
  const { signal } = context;
  assert.deepEqual([followers, signal.aborted], [1, false]);
  context.end();
  assert.equal(followers, 0);
  abort.abort("later");
  assert.deepEqual([context.signal === signal, signal.aborted], [true, false]);
  const unread = new CallContext("d", { abort } as unknown as CallScope);
  unread.end();
  assert.equal(unread.signal.aborted, false);
  assert.equal(followers, 0);
});
