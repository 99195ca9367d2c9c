import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noUsage } from "../core/budget.ts";
import type { Catalog } from "../core/catalog.ts";
import type { Hooks, LogEntry } from "../core/govern.ts";
import type { Tool } from "../core/tool.ts";
import { LazyAbort } from "../std/abort.ts";
import { Gate } from "../std/async.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { admitCall } from "./admit-call.ts";
import { createBudget } from "./budget-meter.ts";
import type { CallScope } from "./call-scope.ts";

const tool = {
  name: "probe",
  description: "Probes",
  inputSchema: {},
  source: "custom",
  validateInput: (value: unknown) => ({ ok: true, value }),
  execute: () => "ran",
} as unknown as Tool;

function scope(hooks: Hooks[] = []): CallScope & { failures: unknown[] } {
  const clock = fakeClock();
  const failures: unknown[] = [];
  return {
    slots: {
      clock,
      redact: (text) => text,
      hooks,
      decide: () => ({ verdict: "allow" }),
      senderFor: () => undefined,
      log: () => undefined,
      logOnce: () => undefined,
      artefacts: undefined,
      bindingOf: () => "",
      openModel: async () => assert.fail("no model is asked"),
      costOf: () => 0,
      approvalExpiry: undefined,
      defaults: { timeout: 1_000, maxResultSize: 1_000, toolErrors: "mask", maxToolCalls: 1 },
    },
    runId: "run_1",
    threadId: undefined,
    ownerId: undefined,
    tenant: undefined,
    user: undefined,
    data: undefined,
    agent: undefined,
    nodeId: "n",
    abort: new LazyAbort(),
    gate: new Gate(1),
    budget: createBudget({}, clock),
    visit: 0,
    started: 0,
    waits: new LazyAbort(),
    isCancelled: false,
    noteEndTold: () => undefined,
    endWaits: () => undefined,
    usage: () => noUsage,
    failure: undefined,
    childOrder: () => null,
    noteUsed: () => undefined,
    spendLate: () => undefined,
    counts: () => true,
    untilToolsAreBack: () => undefined,
    emit: () => undefined,
    now: 0,
    timePassed: () => undefined,
    stop: () => undefined,
    fail: (error) => void failures.push(error),
    policyRun: () => ({ runId: "run_1", threadId: undefined, tenant: undefined, data: undefined, executed: [] }),
    onDispose: () => undefined,
    failures,
  };
}

function view(found: Tool): Catalog {
  return {
    tools: [found],
    at: () => view(found),
    find: () => found,
    known: () => found,
    wire: () => [],
    inputFromWire: (_name: string, input: string) => input,
    fromWire: (name) => name,
  };
}

const call = { callId: "c", tool: "probe", input: "{}", position: 0 };

describe("admitCall", () => {
  it("asks neither hooks nor policy for a call whose run is cancelled already", async () => {
    const asked: string[] = [];
    const cancelled = scope([{ beforeTool: () => void asked.push("beforeTool") }]);
    cancelled.abort.abort("over");
    const admission = await admitCall(
      call,
      view({ ...tool, policy: () => (asked.push("policy") > 0 ? "allow" : "deny") }),
      cancelled,
    );
    assert.deepEqual(admission.kind === "refused" && [admission.status, admission.text], [
      "not-started",
      "Tool error: over",
    ]);
    assert.deepEqual(asked, []);
  });

  it("refuses input when the validator throws, rejects or is missing", async () => {
    const boom = (): never => {
      throw new Error("down");
    };
    for (const [validateInput, logged] of [
      [boom, ["down"]],
      [async () => boom(), ["down"]],
      [() => ({}), ["the validator gave neither a value nor issues"]],
      [undefined, []],
    ] as const) {
      const errors: string[] = [];
      const at = scope();
      const log = ({ error }: LogEntry): void => void errors.push((error as Error).message);
      const admission = await admitCall(call, view({ ...tool, validateInput } as Tool), {
        ...at,
        slots: { ...at.slots, log },
      });
      assert.equal(admission.kind === "refused" && admission.errorCode, "tool.invalid-input");
      assert.deepEqual(errors, logged);
    }
  });

  it("ends the run and refuses when beforeTool throws", async () => {
    const own = new Error("no");
    const failing = scope([
      {
        beforeTool: () => {
          throw own;
        },
      },
    ]);
    assert.equal((await admitCall(call, view(tool), failing)).kind, "refused");
    assert.deepEqual(failing.failures, [own]);
  });

  it("awaits an asynchronous validator", async () => {
    const validateInput = async (): Promise<unknown> => ({ ok: false, issues: [{ path: "a.b", message: "taken" }] });
    const admission = await admitCall(call, view({ ...tool, validateInput } as Tool), scope());
    assert.equal(admission.kind === "refused" && admission.text, "Tool error: invalid input: a.b: taken");
  });
});
