// Who decides on a call: the tool's policy, the rules, the floor; and that nobody is asked about what is refused anyway.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { defineTool } from "../../src/author/define-tool.ts";
import type { Ask } from "../../src/core/approval.ts";
import { decided } from "../../src/core/approval.ts";
import type { Rule } from "../../src/core/govern.ts";
import type { PolicyQuestion } from "../../src/core/policy.ts";
import type { Tool } from "../../src/core/tool.ts";
import { callOnce, desk } from "./support.ts";

function tool(more: object = {}): Tool {
  return defineTool({
    name: "refund",
    description: "Refunds",
    input: z.object({ cents: z.number() }),
    execute: ({ cents }) => `refunded ${cents}`,
    ...more,
  }) as Tool;
}

/** A channel that approves, and keeps what it was asked. */
function asking(): { asks: Ask[]; channel: { name: string; send(ask: Ask): ReturnType<typeof decided> } } {
  const asks: Ask[] = [];
  const send = (ask: Ask): ReturnType<typeof decided> => {
    asks.push(ask);
    return decided({ decision: "approve" });
  };
  return { asks, channel: { name: "desk", send } };
}

describe("the order of decisions", () => {
  const deny: Rule = () => ({ verdict: "deny", reason: "closed" });
  const approve: Rule = () => "needs-approval";

  it("lets a deny from anywhere win, and asks nobody then", async () => {
    for (const [policy, rules] of [
      ["needs-approval", [deny]],
      ["deny", [approve]],
      ["allow", [approve, deny]],
      ["allow", [deny, approve]],
    ] as const) {
      const { asks, channel } = asking();
      const approvals = { channel, names: ["refund"] };
      const result = await callOnce(tool({ policy }), { cents: 5 }, { toolkit: { rules, approvals } });
      assert.deepEqual([result.status, asks.length], ["denied", 0]);
    }
  });

  it("asks when policy, rule or floor says so, once, and in words a person can check", async () => {
    for (const toolkit of [
      { rules: [approve] },
      { approvals: { names: ["refund"] } },
      { approvals: { tags: ["money"] } },
    ]) {
      const { asks, channel } = asking();
      const merged = { ...toolkit, approvals: { ...("approvals" in toolkit ? toolkit.approvals : {}), channel } };
      const result = await callOnce(
        tool({ tags: ["money"] }),
        { cents: 5 },
        { toolkit: merged, call: { user: { id: "u-1" } } },
      );
      assert.deepEqual([result.status, result.text, asks.length], ["ok", "refunded 5", 1]);
      const { pauseId, value } = asks[0] as Ask;
      assert.match(pauseId, /^pause_/);
      assert.deepEqual(value.kind === "approval" && [value.tool, value.description, value.arguments, value.user], [
        "refund",
        "Refunds",
        { cents: 5 },
        { id: "u-1" },
      ]);
    }
  });

  it("joins the floors of application and agent", async () => {
    for (const [app, agent] of [
      [{ names: ["refund"] }, {}],
      [{}, { tags: ["money"] }],
    ] as const) {
      const { asks, channel } = asking();
      const { app: made, agent: desker } = desk(
        [{ calls: [{ name: "refund", input: { cents: 1 } }] }, "done"],
        [tool({ tags: ["money"] })],
        {
          app: { approvals: { ...app, channel } },
          agent: { approvals: agent },
        },
      );
      await made.run(desker, "x");
      assert.equal(asks.length, 1);
    }
  });

  it("decides only on a call that is visible and valid", async () => {
    let asked = 0;
    const policy = (): "deny" => {
      asked++;
      return "deny";
    };
    assert.equal((await callOnce(tool({ policy, visibleWhen: () => false }), { cents: 1 })).errorCode, "tool.unknown");
    assert.equal((await callOnce(tool({ policy }), { cents: "x" })).errorCode, "tool.invalid-input");
    assert.equal(asked, 0);
  });

  it("asks the channel that a tool names, and cannot be put together where there is none of that name", async () => {
    const { asks, channel } = asking();
    const named = tool({ policy: "needs-approval", channel: "desk" });
    assert.equal(
      (await callOnce(named, { cents: 1 }, { toolkit: { approvals: { channels: [channel] } } })).status,
      "ok",
    );
    assert.equal(asks.length, 1);
    await assert.rejects(callOnce(named, { cents: 1 }), {
      code: "tool.invalid-setting",
      message: /there is no channel `desk`: add it to `approvals\.channels`/,
    });
  });
});

describe("a policy", () => {
  it("decides on validated input, user and run", async () => {
    const questions: PolicyQuestion[] = [];
    const policy = (question: PolicyQuestion): "allow" => {
      questions.push({ ...question, run: { ...question.run, executed: [...question.run.executed] } });
      return "allow";
    };
    const dated = defineTool({
      name: "dated",
      description: "D",
      input: z.object({ at: z.date(), n: z.number().default(3) }),
      policy,
      execute: () => "x",
    }) as Tool;
    const { app, agent } = desk(
      [{ calls: [{ name: "dated", input: { at: "2026-01-02T00:00:00Z" } }] }, "done"],
      [dated],
    );
    const { runId } = await app.run(agent, "x", {
      user: { id: "u", role: "clerk" },
      threadId: "t",
      tenant: "acme",
      data: { shop: 1 },
    });
    assert.deepEqual(
      questions.map(({ input, user, run, tool: name }) => ({ input, user, run, name })),
      [
        {
          input: { at: new Date("2026-01-02T00:00:00Z"), n: 3 },
          user: { id: "u", role: "clerk" },
          run: { runId, threadId: "t", tenant: "acme", data: { shop: 1 }, executed: [] },
          name: "dated",
        },
      ],
    );
  });

  it("sees the calls before its own, whenever it looks at them", async () => {
    const runs: PolicyQuestion["run"][] = [];
    const policy = ({ run }: PolicyQuestion): "allow" => {
      runs.push(run);
      return "allow";
    };
    const call = { name: "refund", input: { cents: 1 } };
    const { app, agent } = desk([{ calls: [call, call] }, { calls: [call] }, "done"], [tool({ policy })]);
    await app.run(agent, "x");
    const done = ["refund", "refund"];
    assert.deepEqual(
      runs.map((run) => run.executed),
      [[], ["refund"], done],
    );
    assert.equal(JSON.stringify({ ...runs[2] }.executed), JSON.stringify(done));
  });

  it("that throws refuses the call, with the reason in the log only", async () => {
    const log: { message: string; error?: unknown }[] = [];
    const own = new Error("ldap down at ldap://admin:hunter22@host");
    const policy = (): never => {
      throw own;
    };
    const result = await callOnce(
      tool({ policy }),
      { cents: 1 },
      { toolkit: { log: (entry) => void log.push(entry) } },
    );
    assert.deepEqual([result.status, result.text], ["denied", "Tool error: this call is not allowed"]);
    assert.equal(log[0]?.error, own);
  });
});
