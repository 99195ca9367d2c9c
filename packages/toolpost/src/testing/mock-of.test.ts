// Stand-ins for contracts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { token } from "../author/classes/token.ts";
import { mockOf } from "./mock-of.ts";

abstract class IssuesApi {
  abstract search(query: string): Promise<string[]>;
  abstract readonly url: string;
  count(): number {
    return 1;
  }
}

test("has the given members, and passes for the contract", async () => {
  const issues = mockOf(IssuesApi, { url: "http://issues", search: async (query) => [query] });
  assert.deepEqual(await issues.search("login"), ["login"]);
  assert.equal(issues.url, "http://issues");
  assert.ok(issues instanceof IssuesApi);
});

test("members may be an instance, whose methods work on it", async () => {
  class Fake {
    readonly #found = ["a", "b"];
    async search(query: string) {
      return [...this.#found, query];
    }
  }
  assert.deepEqual(await mockOf(IssuesApi, new Fake()).search("c"), ["a", "b", "c"]);
});

test("is printed as an object even where the contract prints itself", () => {
  class Printed {
    toString() {
      return "printed";
    }
  }
  assert.equal(String(mockOf(Printed, {})), "[object Object]");
});

test("a member that it was not given says so, one of the contract's own too", () => {
  const issues = mockOf(IssuesApi, { url: "u" });
  const missing = (name: string) => ({
    code: "mock.missing-member",
    message: `the mock of IssuesApi has no \`${name}\`: give it one, mockOf(IssuesApi, { ${name}: … })`,
  });
  assert.throws(() => issues.search("login"), missing("search"));
  assert.throws(() => issues.count(), missing("count"));
});

test("can be awaited, printed and compared", async () => {
  const issues = mockOf(IssuesApi, { url: "u" });
  assert.equal(await issues, issues);
  assert.equal(JSON.stringify(issues), '{"url":"u"}');
  assert.equal(String(issues), "[object Object]");
});

test("stands for an interface by its token", () => {
  const CLOCK = token<{ now(): number; zone: string }>("CLOCK");
  const clock = mockOf(CLOCK, { now: () => 5 });
  assert.equal(clock.now(), 5);
  assert.throws(() => clock.zone, {
    message: "the mock of CLOCK has no `zone`: give it one, mockOf(CLOCK, { zone: … })",
  });
});
