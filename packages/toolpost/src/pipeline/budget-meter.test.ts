import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noUsage } from "../core/budget.ts";
import { seconds, usd } from "../std/units.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { countingBudget, createBudget } from "./budget-meter.ts";

describe("createBudget", () => {
  it("has no breach without limits", () => {
    const budget = createBudget({}, fakeClock());
    budget.startCall();
    budget.spend({ service: "x", cost: usd(1_000) });
    assert.equal(budget.breach({ calls: 1, tokens: 1_000_000 }), undefined);
    assert.equal(budget.timeLeft(), undefined);
  });

  it("lets the last call start and refuses the one after", () => {
    const budget = createBudget({ calls: 1 }, fakeClock());
    assert.equal(budget.breach({ calls: 1 }), undefined);
    budget.startCall();
    assert.deepEqual(budget.breach({ calls: 1 }), { kind: "calls", limit: 1, used: 2 });
    assert.equal(budget.breach(), undefined);
  });

  it("refuses what would pass the tokens, and everything once they are used", () => {
    const budget = createBudget({ tokens: 50 }, fakeClock());
    budget.addUsage({ ...noUsage, totalTokens: 30 }, 0);
    assert.equal(budget.breach({ tokens: 20 }), undefined);
    assert.deepEqual(budget.breach({ tokens: 21 }), { kind: "tokens", limit: 50, used: 51 });
    budget.addUsage({ ...noUsage, totalTokens: 20 }, 0);
    assert.deepEqual(budget.breach(), { kind: "tokens", limit: 50, used: 50 });
  });

  it("counts money of models and tools alike", () => {
    const budget = createBudget({ money: usd(1) }, fakeClock());
    budget.addUsage(noUsage, 0.5);
    assert.equal(budget.breach(), undefined);
    budget.spend({ service: "maps", cost: usd(0.5) });
    assert.deepEqual(budget.breach(), { kind: "money", limit: 1, used: 1 });
  });

  it("counts time from its making, on the given clock", async () => {
    const clock = fakeClock();
    const budget = createBudget({ time: seconds(2) }, clock);
    await clock.advance(seconds(1));
    assert.equal(budget.timeLeft(), 1_000);
    await clock.advance(seconds(1));
    assert.deepEqual(budget.breach(), { kind: "time", limit: 2_000, used: 2_000 });
  });

  it("counts a nested budget's use in every budget above it", () => {
    const parent = createBudget({ calls: 2, tokens: 100, money: usd(1) }, fakeClock());
    const child = parent.child({ calls: 5 });
    child.startCall();
    child.startCall();
    assert.deepEqual(child.breach({ calls: 1 }), { kind: "calls", limit: 2, used: 3 });
    child.spend({ service: "x", cost: usd(1) });
    assert.deepEqual(parent.breach(), { kind: "money", limit: 1, used: 1 });
    child.addUsage({ ...noUsage, totalTokens: 100 }, 0);
    assert.deepEqual(parent.breach(), { kind: "tokens", limit: 100, used: 100 });
  });

  it("leaves a run below what is left of it and above it, never less than nothing, and nothing of what is not limited", async () => {
    const clock = fakeClock();
    const parent = createBudget({ calls: 2, money: usd(2), time: seconds(5) }, clock);
    const child = parent.child({ calls: 5, money: usd(1), tokens: 50 });
    child.startCall();
    child.spend({ service: "x", cost: usd(0.25) });
    child.addUsage({ ...noUsage, totalTokens: 30 }, 0.25);
    await clock.advance(seconds(2));
    assert.deepEqual(child.left(), { calls: 1, money: usd(0.5), tokens: 20, time: seconds(3) });
    assert.deepEqual(parent.left(), { calls: 1, money: usd(1.5), time: seconds(3) });
    child.spend({ service: "x", cost: usd(9) });
    child.addUsage({ ...noUsage, totalTokens: 90 }, 0);
    child.startCall();
    child.startCall();
    await clock.advance(seconds(9));
    assert.deepEqual(child.left(), { calls: 0, money: usd(0), tokens: 0, time: seconds(0) });
    assert.deepEqual(parent.left(), { calls: 0, money: usd(0), time: seconds(0) });
    assert.deepEqual(createBudget({}, clock).left(), {});
  });

  it("says what was used of it, and takes what a run below has used, up to its root", () => {
    const parent = createBudget({ calls: 9, tokens: 100, money: usd(2) }, fakeClock());
    const child = parent.child({});
    child.addUsed({ usage: { ...noUsage, totalTokens: 40 }, usd: 0.5, calls: 3 });
    assert.deepEqual(child.used(), { usd: 0.5, calls: 3 });
    assert.deepEqual(parent.used(), { usd: 0.5, calls: 3 });
    assert.deepEqual(parent.left(), { calls: 6, tokens: 60, money: usd(1.5) });
    assert.deepEqual(createBudget({}, fakeClock()).used(), { usd: 0, calls: 0 });
    const counting = countingBudget({}, fakeClock());
    counting.addUsed({ usage: noUsage, usd: 1, calls: 2 });
    assert.deepEqual(counting.used(), { usd: 1, calls: 2 });
  });
});
