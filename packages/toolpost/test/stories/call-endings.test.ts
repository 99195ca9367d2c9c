// How a call ends: status, code and the exact text the model reads, for each cause.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { createToolkit } from "../../src/app/create-toolkit.ts";
import { AutoApproveChannel } from "../../src/approvals/auto-approve-channel.ts";
import { AutoRejectChannel } from "../../src/approvals/auto-reject-channel.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import { awaitReply } from "../../src/core/approval.ts";
import { FatalToolError, InvalidOutputError, ToolError } from "../../src/core/errors.ts";
import type { ToolResult } from "../../src/core/result.ts";
import { error, ok } from "../../src/core/result.ts";
import type { Tool } from "../../src/core/tool.ts";
import { milliseconds, minutes, seconds } from "../../src/std/units.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { callOnce } from "./support.ts";

const noInput = z.object({});

function tool(execute: () => unknown, more: object = {}): Tool {
  return defineTool({ name: "probe", description: "Probes", input: noInput, execute, ...more }) as Tool;
}

function ending({ status, errorCode, text, isError }: ToolResult): unknown {
  return [status, errorCode, text, isError];
}

describe("a call that is refused before it runs", () => {
  it("reads as unknown when there is no such tool", async () => {
    const toolkit = await createToolkit({ tools: [tool(() => "x")] });
    assert.deepEqual(ending(await toolkit.call("nope", {})), [
      "failed",
      "tool.unknown",
      "Tool error: unknown tool: nope",
      true,
    ]);
  });

  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty", ""]) {
    it(`reads as unknown for the name ${JSON.stringify(name)}`, async () => {
      const toolkit = await createToolkit({ tools: [tool(() => "x")] });
      assert.deepEqual(ending(await toolkit.call(name, {})), [
        "failed",
        "tool.unknown",
        `Tool error: unknown tool: ${name}`,
        true,
      ]);
    });
  }

  it("reads word for word as unknown when the tool is hidden", async () => {
    const hidden = await callOnce(
      tool(() => "x", { visibleWhen: () => false }),
      {},
    );
    assert.deepEqual(ending(hidden), ["failed", "tool.unknown", "Tool error: unknown tool: probe", true]);
    assert.equal(hidden.source, "unknown");
  });

  it("hides when visibleWhen throws or answers something other than true", async () => {
    const cannotSay = (): never => {
      throw new Error("down");
    };
    for (const visibleWhen of [cannotSay, () => 1, () => Promise.resolve(true)]) {
      assert.equal(
        (
          await callOnce(
            tool(() => "x", { visibleWhen }),
            {},
          )
        ).errorCode,
        "tool.unknown",
      );
    }
  });

  it("says why arguments are not JSON, and does not run", async () => {
    let runs = 0;
    const result = await callOnce(
      tool(() => runs++),
      '{"x": "un',
    );
    assert.equal(result.status, "failed");
    assert.equal(result.errorCode, "tool.invalid-input");
    assert.match(result.text, /^Tool error: invalid input: not JSON: [^\n]+$/);
    assert.equal(runs, 0);
  });

  it("names each path and issue of input that fails its schema", async () => {
    const input = z.object({ jobs: z.array(z.object({ url: z.string() })), n: z.number() });
    const jobs = defineTool({ name: "jobs", description: "Jobs", input, execute: () => "x" });
    const result = await callOnce(jobs as Tool, { jobs: [{ url: "a" }, { url: "b" }, { url: 3 }], n: "1" });
    assert.deepEqual([result.status, result.errorCode], ["failed", "tool.invalid-input"]);
    assert.match(result.text, /^Tool error: invalid input: jobs\[2\]\.url: [^;]+; n: [^;]+$/);
  });

  it("lists ten issues at most, then how many more", async () => {
    const shape = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`f${index}`, z.string()]));
    const wide = defineTool({ name: "wide", description: "Wide", input: z.object(shape), execute: () => "x" });
    const { text } = await callOnce(wide as Tool, {});
    assert.equal(text.split("; ").length, 11);
    assert.match(text, /; and 3 more$/);
  });

  it("gives an issue at the root no path", async () => {
    const never = defineTool({
      name: "never",
      description: "Never",
      input: noInput.refine(() => false, "never fits"),
      execute: () => "x",
    });
    assert.equal((await callOnce(never as Tool, {})).text, "Tool error: invalid input: never fits");
  });

  for (const [arguments_, kind] of [
    ["[1]", "an array"],
    ["5", "a number"],
    ['"text"', "a string"],
    ["true", "a boolean"],
  ] as const) {
    it(`refuses arguments ${arguments_}, which are no object`, async () => {
      let runs = 0;
      const result = await callOnce(
        tool(() => runs++),
        arguments_,
      );
      assert.deepEqual(ending(result), [
        "failed",
        "tool.invalid-input",
        `Tool error: invalid input: expected an object, got ${kind}`,
        true,
      ]);
      assert.equal(runs, 0);
    });
  }

  for (const arguments_ of ["", "  ", "null", "\n"]) {
    it(`reads arguments ${JSON.stringify(arguments_)} as {}`, async () => {
      assert.equal(
        (
          await callOnce(
            tool(() => "ran"),
            arguments_,
          )
        ).text,
        "ran",
      );
      const needs = defineTool({
        name: "needs",
        description: "Needs",
        input: z.object({ id: z.string() }),
        execute: () => "ran",
      });
      assert.match((await callOnce(needs as Tool, arguments_)).text, /^Tool error: invalid input: id: /);
    });
  }

  it("never lets __proto__ in arguments pollute or reach the tool", async () => {
    const seen: unknown[] = [];
    const open: Tool = {
      name: "open",
      description: "Open",
      source: "custom",
      inputSchema: { type: "object" },
      execute: (input) => void seen.push(input),
    };
    await callOnce(open, '{"__proto__":{"admin":true},"a":{"__proto__":{"admin":true}}}');
    assert.equal(({} as { admin?: boolean }).admin, undefined);
    const [input] = seen as [{ admin?: boolean; a: { admin?: boolean } }];
    assert.equal(input.admin ?? input.a.admin, undefined);
  });

  it("is not started when its run was cancelled before", async () => {
    let runs = 0;
    const probe = tool(() => runs++);
    for (const [reason, text] of [
      [new Error("closing time"), "Tool error: closing time"],
      ["as it is", "Tool error: as it is"],
      [undefined, "Tool error: the run was cancelled"],
    ] as const) {
      const result = await callOnce(probe, {}, { call: { signal: AbortSignal.abort(reason) } });
      assert.deepEqual(ending(result), ["not-started", "call.cancelled", text, true]);
    }
    assert.equal(runs, 0);
  });

  it("is denied with the reason of its policy, or a general one", async () => {
    const because = tool(() => "x", { policy: () => ({ verdict: "deny", reason: "closed on\nSundays" }) });
    assert.deepEqual(ending(await callOnce(because, {})), [
      "denied",
      "policy.denied",
      "Tool error: closed on Sundays",
      true,
    ]);
    assert.deepEqual(
      ending(
        await callOnce(
          tool(() => "x", { policy: "deny" }),
          {},
        ),
      ),
      ["denied", "policy.denied", "Tool error: this call is not allowed", true],
    );
  });

  it("is denied when the policy throws or gives no verdict", async () => {
    const broken = (): never => {
      throw new Error("secret detail");
    };
    for (const [policy, why] of [
      [broken, "this call is not allowed"],
      [async () => broken(), "this call is not allowed"],
      [() => undefined, "the policy gave no verdict"],
      [() => "maybe", "the policy gave no verdict"],
      [() => null, "the policy gave no verdict"],
    ] as const) {
      assert.deepEqual(
        ending(
          await callOnce(
            tool(() => "x", { policy }),
            {},
          ),
        ),
        ["denied", "policy.denied", `Tool error: ${why}`, true],
      );
    }
  });
});

describe("a call that needs approval", () => {
  const guarded = (more: object = {}): Tool => tool(() => "ran", { policy: "needs-approval", ...more });
  const through = (channel: object): { toolkit: object } => ({ toolkit: { approvals: { channel } } });

  it("waits where nobody is asked", async () => {
    const result = await callOnce(guarded(), {});
    assert.deepEqual(ending(result), ["waiting", undefined, "", false]);
    assert.match(result.pauseId ?? "", /^pause_/);
  });

  it("runs when a person approves", async () => {
    assert.deepEqual(ending(await callOnce(guarded(), {}, through(new AutoApproveChannel()))), [
      "ok",
      undefined,
      "ran",
      false,
    ]);
  });

  it("reads the rejection text when declined, and the comment after it", async () => {
    const text = async (policy: unknown, comment?: string): Promise<unknown> =>
      ending(
        await callOnce(
          guarded({ policy: () => policy }),
          {},
          through(new AutoRejectChannel(comment === undefined ? {} : { comment })),
        ),
      );
    assert.deepEqual(await text({ verdict: "needs-approval", rejectionText: "The refund was declined." }), [
      "declined",
      "approval.declined",
      "The refund was declined.",
      true,
    ]);
    assert.deepEqual(await text("needs-approval"), [
      "declined",
      "approval.declined",
      "Tool error: the call was declined",
      true,
    ]);
    assert.deepEqual(await text("needs-approval", "too\nmuch"), [
      "declined",
      "approval.declined",
      "Tool error: the call was declined: too much",
      true,
    ]);
  });

  it("expires when nobody answers in time", async () => {
    const clock = fakeClock();
    const silent = { name: "silent", send: () => awaitReply() };
    // A second branch keeps the run from being given up as waiting: the story of an agent's run tells the same end to end.
    const toolkit = await createToolkit({
      tools: [guarded()],
      clock,
      log: () => undefined,
      approvals: { channel: silent, expireAfter: minutes(5) },
    });
    const result = await toolkit.call("probe", {});
    assert.equal(result.status, "waiting");
  });

  it("fails when its channel gives no answer of the asked kind", async () => {
    for (const answer of [
      undefined,
      true,
      { type: "decided", answer: { decision: "maybe" } },
      { type: "decided", answer: { reply: "yes" } },
    ]) {
      const result = await callOnce(guarded(), {}, through({ name: "odd", send: () => answer }));
      assert.deepEqual([result.status, result.errorCode], ["failed", "tool.failed"]);
    }
  });
});

describe("a call that ran", () => {
  it("gives text as it is and everything else as JSON", async () => {
    assert.deepEqual(
      ending(
        await callOnce(
          tool(() => "as it is"),
          {},
        ),
      ),
      ["ok", undefined, "as it is", false],
    );
    const result = await callOnce(
      tool(() => ({ a: 1, at: new Date(0) })),
      {},
    );
    assert.equal(result.text, '{"a":1,"at":"1970-01-01T00:00:00.000Z"}');
    assert.deepEqual(result.value, { a: 1, at: "1970-01-01T00:00:00.000Z" });
  });

  it("reports what the author phrased as an error, as written", async () => {
    assert.deepEqual(
      ending(
        await callOnce(
          tool(() => error("no\nsuch order")),
          {},
        ),
      ),
      ["failed", "tool.reported", "no\nsuch order", true],
    );
    assert.deepEqual(
      ending(
        await callOnce(
          tool(() => ({ content: "bad", isError: true })),
          {},
        ),
      ),
      ["failed", "tool.reported", "bad", true],
    );
  });

  it("keeps data for code and never shows it to the model", async () => {
    const result = await callOnce(
      tool(() => ok("fine", { id: 7 })),
      {},
    );
    assert.deepEqual([result.text, result.data], ["fine", { id: 7 }]);
  });

  it("fails when its output does not fit its schema", async () => {
    const wrong = tool(() => ({ items: [{ n: 1 }, { n: "2" }] }), {
      output: z.object({ items: z.array(z.object({ n: z.number() })) }),
    });
    const result = await callOnce(wrong, {});
    assert.deepEqual([result.status, result.errorCode], ["failed", "tool.invalid-output"]);
    assert.match(result.text, /^Tool error: invalid output: items\[1\]\.n: [^\n]+$/);
  });

  it("encodes the parsed output, not the returned one", async () => {
    const parsed = tool(() => ({ n: 1, extra: true }), {
      output: z.object({ n: z.number(), d: z.string().default("d") }),
    });
    assert.equal((await callOnce(parsed, {})).text, '{"n":1,"d":"d"}');
  });

  it("times out at its deadline, in the words for its length", async () => {
    for (const [timeout, text] of [
      [seconds(10), "timed out after 10 s"],
      [milliseconds(50), "timed out after 50 ms"],
      [seconds(1.5), "timed out after 1.5 s"],
      [minutes(2), "timed out after 2 min"],
    ] as const) {
      const clock = fakeClock();
      const call = callOnce(
        tool(() => new Promise(() => undefined), { timeout }),
        {},
        { toolkit: { clock } },
      );
      await clock.advance(timeout);
      assert.deepEqual(ending(await call), ["timed-out", "tool.timed-out", `Tool error: ${text}`, true]);
    }
  });

  it("reads a ToolError's parts on one line, leaving out those it lacks", async () => {
    const thrown = async (options: ConstructorParameters<typeof ToolError>[0]): Promise<unknown> =>
      ending(
        await callOnce(
          tool(() => Promise.reject(new ToolError(options))),
          {},
        ),
      );
    assert.deepEqual(await thrown({ code: "NO_ORDER", status: 404, userMessage: "There is no\norder 7." }), [
      "failed",
      "NO_ORDER",
      "Tool error: code: NO_ORDER, status: 404, userMessage: There is no order 7.",
      true,
    ]);
    assert.deepEqual(await thrown({ userMessage: "Closed.", canRetry: false }), [
      "failed",
      "tool.failed",
      "Tool error: userMessage: Closed. Do not retry this call.",
      true,
    ]);
    assert.deepEqual(await thrown({ code: "X", message: "internal" }), [
      "failed",
      "tool.failed",
      "Tool error: code: tool.failed, status: 500, userMessage: The tool failed and the input was not the cause.",
      true,
    ]);
  });

  for (const thrown of [
    new Error("pg://user:pw@host/db"),
    "text",
    null,
    undefined,
    0,
    { message: 5 },
    Object.create(null),
  ]) {
    it(`masks ${String(thrown === null || typeof thrown !== "object" ? thrown : (thrown as Error).message)} when thrown`, async () => {
      const masked = await callOnce(
        tool(() => Promise.reject(thrown)),
        {},
      );
      assert.deepEqual(ending(masked), [
        "failed",
        "tool.failed",
        "Tool error: code: tool.failed, status: 500, userMessage: The tool failed and the input was not the cause.",
        true,
      ]);
    });
  }

  it("shows the message under toolErrors observe, without secrets", async () => {
    const observed = tool(() => Promise.reject(new Error("no route to\npg://user:hunter22@host/db")), {
      toolErrors: "observe",
    });
    const { text, errorCode } = await callOnce(observed, {});
    assert.equal(errorCode, "tool.failed");
    assert.match(text, /^Tool error: no route to pg:\/\/user:/);
    assert.doesNotMatch(text, /hunter22/);
  });

  it("rejects with the error itself under toolErrors throw, and with a fatal one", async () => {
    const own = new Error("mine");
    await assert.rejects(
      callOnce(
        tool(() => Promise.reject(own), { toolErrors: "throw" }),
        {},
      ),
      (caught) => caught === own,
    );
    const fatal = new FatalToolError("stop everything", { cause: own });
    await assert.rejects(
      callOnce(
        tool(() => Promise.reject(fatal)),
        {},
      ),
      (caught) => caught === fatal,
    );
  });

  it("is cancelled when it heeds its signal, and unknown when it does not", async () => {
    const heeds = defineTool({
      name: "heeds",
      description: "Heeds",
      input: noInput,
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    for (const [probe, expected] of [
      [heeds as Tool, ["cancelled", "call.cancelled", "Tool error: stop now", true]],
      [
        tool(() => new Promise(() => undefined)),
        [
          "unknown",
          "tool.outcome-unknown",
          "Tool error: the outcome is unknown: the call may have had its effect",
          true,
        ],
      ],
      [
        tool(() => new Promise(() => undefined), { annotations: { readOnly: true } }),
        ["cancelled", "call.cancelled", "Tool error: stop now", true],
      ],
    ] as const) {
      const controller = new AbortController();
      const call = callOnce(
        probe,
        {},
        {
          call: {
            signal: controller.signal,
            onEvent: (event) => {
              if (event.type === "tool-call-start") setImmediate(() => controller.abort(new Error("stop now")));
            },
          },
        },
      );
      assert.deepEqual(ending(await call), expected);
    }
  });
});

it("reads as invalid output when a tool finds that of its own", async () => {
  const own = tool(() =>
    Promise.reject(new InvalidOutputError([{ path: "rows[0].id", message: "expected a number" }])),
  );
  assert.deepEqual(ending(await callOnce(own, {})), [
    "failed",
    "tool.invalid-output",
    "Tool error: invalid output: rows[0].id: expected a number",
    true,
  ]);
});

it("reads as unknown when a tool says that its outcome is", async () => {
  const own = tool(() =>
    Promise.reject(new ToolError({ code: "tool.outcome-unknown", userMessage: "the server died" })),
  );
  assert.deepEqual(ending(await callOnce(own, {})), [
    "unknown",
    "tool.outcome-unknown",
    "Tool error: the outcome is unknown: the call may have had its effect",
    true,
  ]);
});
