// Errors on their way into a journal and out of it.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FatalToolError, isFatalToolError, ToolpostError } from "./errors.ts";
import { errorFrom, failureOf } from "./failure.ts";
import {
  BudgetExceededError,
  ExecutionLeaseLostError,
  LimitExceededError,
  ModelError,
  RunCancelledError,
  RunError,
} from "./run-errors.ts";

describe("an error in a journal", () => {
  for (const error of [
    new LimitExceededError(3),
    new BudgetExceededError("money", 1.5, 2),
    new ExecutionLeaseLostError("run_1"),
    new ModelError("model.failed", "the provider is down", { data: { status: 503 } }),
    new RunError("run.misuse", "a second wait", { data: { key: "a" } }),
    new ToolpostError("thread.busy", "the run goes on"),
  ])
    it(`comes out of the class it went in with, with its data: ${error.code}`, () => {
      const read = errorFrom(failureOf(error));
      assert.equal(read.constructor, error.constructor);
      const { code, data, message } = read as ToolpostError;
      assert.deepEqual([code, data, message], [error.code, error.data, error.message]);
    });

  it("of a run that was cancelled gives its reason", () => {
    const read = errorFrom(failureOf(new RunCancelledError("enough", "enough")));
    assert.ok(read instanceof RunCancelledError);
    assert.deepEqual([read.message, read.cause], ["enough", "enough"]);
  });

  it("that is fatal holds nothing of what it says", () => {
    const failure = failureOf(new FatalToolError("the vault is open", { data: { pin: 1 } }));
    assert.deepEqual(failure, { message: "a tool ended the run", code: "tool.fatal" });
    assert.ok(isFatalToolError(errorFrom(failure)));
  });

  it("of anybody else is its message alone, well formed, whatever was thrown", () => {
    const coded = Object.assign(new Error("no luck"), { code: "E", data: { secret: 1 } });
    assert.deepEqual(failureOf(coded), { message: "no luck" });
    assert.deepEqual(failureOf("half \ud800"), { message: "half \ufffd" });
    assert.deepEqual(failureOf(undefined), { message: "undefined" });
    const hostile = {
      toString(): never {
        throw new Error("no");
      },
    };
    assert.deepEqual(failureOf(hostile), { message: "an error that cannot be read" });
    const read = errorFrom({ message: "no luck" });
    assert.deepEqual([read.constructor, read.message], [Error, "no luck"]);
  });
});
