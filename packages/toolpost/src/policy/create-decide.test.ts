import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry, Rule } from "../core/govern.ts";
import type { Policy } from "../core/policy.ts";
import type { AnyTool } from "../core/tool.ts";
import { createDecide, type DecideQuestion } from "./create-decide.ts";

const tool: AnyTool = {
  name: "refund_card",
  description: "Refunds a card payment",
  inputSchema: { type: "object" },
  source: "native",
  tags: ["billing"],
  execute: () => "done",
};

function questionOf(policy?: Policy): DecideQuestion {
  return {
    input: { cents: 5 },
    user: { id: "u-1" },
    run: { runId: "r-1", threadId: undefined, tenant: undefined, data: undefined, executed: [] },
    tool: tool.name,
    callId: "c-1",
    definition: policy === undefined ? tool : { ...tool, policy },
  };
}

const asks: Rule = () => ({ verdict: "needs-approval", rejectionText: "by rule" });
const denies: Rule = () => ({ verdict: "deny", reason: "by rule" });
const silent: Rule = () => undefined;

test("the tool's verdict stands where nobody else has an opinion", () => {
  for (const decide of [createDecide({}), createDecide({ rules: [silent], floors: [{ tags: ["other"] }] })]) {
    assert.deepEqual(decide(questionOf(), "allow"), { verdict: "allow" });
    assert.deepEqual(decide(questionOf(), "deny"), { verdict: "deny" });
    assert.deepEqual(decide(questionOf(), { verdict: "needs-approval" }), { verdict: "needs-approval" });
  }
});

test("a tool without a policy is allowed, a predicate that answered nothing denies", () => {
  const decide = createDecide({ rules: [silent] });
  assert.deepEqual(decide(questionOf(), undefined), { verdict: "allow" });
  for (const none of [createDecide({}), decide]) {
    assert.deepEqual(
      none(
        questionOf(() => undefined as never),
        undefined,
      ),
      {
        verdict: "deny",
        reason: "the policy gave no verdict",
      },
    );
  }
});

test("a deny from tool, rule or both wins over every wish to ask", () => {
  const floors = [{ tags: ["billing"] }];
  assert.deepEqual(createDecide({ rules: [asks], floors })(questionOf(), "deny"), { verdict: "deny" });
  assert.deepEqual(createDecide({ rules: [asks, denies], floors })(questionOf(), "allow"), {
    verdict: "deny",
    reason: "by rule",
  });
  assert.deepEqual(createDecide({ rules: [denies] })(questionOf(), { verdict: "deny", reason: "by tool" }), {
    verdict: "deny",
    reason: "by tool",
  });
});

test("a floor turns allow into needs-approval, and keeps the words of who asked before", () => {
  const floors = [{ names: ["refund_card"] }];
  assert.deepEqual(createDecide({ floors })(questionOf(), "allow"), { verdict: "needs-approval" });
  assert.deepEqual(createDecide({ rules: [asks], floors })(questionOf(), "allow"), {
    verdict: "needs-approval",
    rejectionText: "by rule",
  });
});

test("every rule is asked once with the whole question", () => {
  const seen: unknown[] = [];
  const watch: Rule = (question) => void seen.push(question);
  const question = questionOf();
  createDecide({ rules: [watch, denies, watch] })(question, "allow");
  assert.deepEqual(seen, [question, question]);
});

test("a rule that throws denies without words for the model, and the log gets the error", () => {
  const error = new Error("password=x");
  const logged: LogEntry[] = [];
  const throws: Rule = () => {
    throw error;
  };
  const decide = createDecide({ rules: [throws], log: (entry) => logged.push(entry) });
  assert.deepEqual(decide(questionOf(), "allow"), { verdict: "deny" });
  assert.deepEqual(logged, [
    {
      level: "error",
      message: "a rule threw, so a call of `refund_card` was denied",
      error,
      data: { tool: "refund_card", callId: "c-1" },
    },
  ]);
});

test("a rule that throws denies also when nobody can be told", () => {
  const throws: Rule = () => {
    throw new Error("broken");
  };
  const log = () => throws({} as never) as never;
  assert.deepEqual(createDecide({ rules: [throws], log })(questionOf(), "allow"), { verdict: "deny" });
  assert.deepEqual(createDecide({ rules: [throws] })(questionOf(), "allow"), { verdict: "deny" });
});

test("a rule that answers a Promise denies", () => {
  const rule = (async () => "allow") as unknown as Rule;
  assert.equal(createDecide({ rules: [rule] })(questionOf(), "allow").verdict, "deny");
});
