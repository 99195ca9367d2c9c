import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { type HostTimer, sharedWheel, type TimerHost, TimerWheel } from "./wheel.ts";

/** Time that stands still until `advance`, and timers that go off exactly when due. */
class StillHost implements TimerHost {
  time: number;
  made = 0;
  pending: { at: number; callback: () => void; isRef: boolean }[] = [];

  constructor(time = 0) {
    this.time = time;
  }

  now(): number {
    return this.time;
  }

  setTimer(callback: () => void, delayMs: number): HostTimer {
    assert.ok(delayMs >= 1 && delayMs < 2 ** 31 && Number.isInteger(delayMs));
    this.made++;
    const timer = { at: this.time + delayMs, callback, isRef: true };
    this.pending.push(timer);
    return Object.assign(timer, { ref: () => (timer.isRef = true), unref: () => (timer.isRef = false) });
  }

  clearTimer(timer: HostTimer): void {
    this.pending = this.pending.filter((other) => other !== (timer as unknown));
  }

  advance(to: number): void {
    for (;;) {
      const timer = this.pending.toSorted((a, b) => a.at - b.at)[0];
      if (timer === undefined || timer.at > to) break;
      this.time = Math.max(this.time, timer.at);
      this.pending = this.pending.filter((other) => other !== timer);
      timer.callback();
    }
    this.time = Math.max(this.time, to);
  }

  get keepsAlive(): boolean {
    return this.pending.some((timer) => timer.isRef);
  }
}

test("a callback runs once, after its delay and within two ticks of it", () => {
  const host = new StillHost(1_001.5);
  const wheel = new TimerWheel(host);
  const ran: number[] = [];
  wheel.schedule(10, () => ran.push(host.time));
  host.advance(1_011.4);
  assert.deepEqual(ran, []);
  host.advance(1_019.5);
  assert.equal(ran.length, 1);
  assert.ok(ran[0]! >= 1_011.5);
  host.advance(100_000);
  assert.equal(ran.length, 1);
});

test("a cancelled callback never runs, and to cancel again or late does nothing", () => {
  const host = new StillHost();
  const wheel = new TimerWheel(host);
  const ran: string[] = [];
  const cancelled = wheel.schedule(10, () => ran.push("cancelled"));
  const kept = wheel.schedule(10, () => ran.push("kept"));
  cancelled.cancel();
  cancelled.cancel();
  host.advance(100);
  kept.cancel();
  wheel.schedule(10, () => ran.push("later"));
  assert.ok(host.keepsAlive);
  host.advance(200);
  assert.deepEqual(ran, ["kept", "later"]);
});

test("a delay that is no span of time counts as none, and is not run within the call", () => {
  const host = new StillHost();
  const wheel = new TimerWheel(host);
  let ran = 0;
  for (const delay of [0, -5, Number.NaN]) wheel.schedule(delay, () => ran++);
  assert.equal(ran, 0);
  host.advance(8);
  assert.equal(ran, 3);
});

test("callbacks of one tick run in the order they were scheduled, over all levels", () => {
  const host = new StillHost();
  const wheel = new TimerWheel(host);
  const ran: string[] = [];
  wheel.schedule(40_000, () => ran.push("from above"));
  host.advance(39_999);
  wheel.schedule(1, () => ran.push("from below"));
  host.advance(50_000);
  assert.deepEqual(ran, ["from above", "from below"]);
});

test("thousands of callbacks share one real timer", () => {
  const host = new StillHost();
  const wheel = new TimerWheel(host);
  for (let index = 0; index < 5_000; index++) wheel.schedule(30_000 + index, () => undefined);
  assert.equal(host.pending.length, 1);
  assert.equal(host.made, 1);
  wheel.schedule(5, () => undefined);
  assert.equal(host.pending.length, 1);
});

test("to schedule and cancel in a loop makes no further real timer", () => {
  const host = new StillHost();
  const wheel = new TimerWheel(host);
  for (let index = 0; index < 5_000; index++) {
    host.time += 1;
    wheel.schedule(30_000, () => undefined).cancel();
  }
  assert.equal(host.made, 1);
});

test("the process is kept alive while an entry is held, and only then", () => {
  const host = new StillHost();
  const wheel = new TimerWheel(host);
  assert.equal(host.keepsAlive, false);
  const one = wheel.schedule(1_000, () => undefined);
  const two = wheel.schedule(2_000, () => undefined);
  one.cancel();
  assert.equal(host.keepsAlive, true);
  two.cancel();
  assert.equal(host.keepsAlive, false);
  wheel.schedule(5_000, () => undefined);
  assert.equal(host.keepsAlive, true);
  host.advance(1_500);
  assert.equal(host.keepsAlive, true);
  host.advance(5_010);
  assert.equal(host.keepsAlive, false);
  assert.equal(host.pending.length, 0);
});

test("a delay beyond what a real timer takes still works", () => {
  const host = new StillHost();
  const wheel = new TimerWheel(host);
  const year = 365 * 86_400_000;
  const ran: number[] = [];
  wheel.schedule(year, () => ran.push(host.time));
  wheel.schedule(Number.POSITIVE_INFINITY, () => ran.push(-1));
  host.advance(year - 1);
  assert.deepEqual(ran, []);
  host.advance(year + 8);
  assert.equal(ran.length, 1);
  assert.ok(host.keepsAlive);
});

test("a real timer that goes off early runs nothing early", () => {
  const host = new StillHost();
  const wheel = new TimerWheel(host);
  let ran = 0;
  wheel.schedule(100, () => ran++);
  host.pending.shift()!.callback();
  assert.equal(ran, 0);
  assert.equal(host.pending.length, 1);
  host.advance(108);
  assert.equal(ran, 1);
});

test("callbacks that schedule and cancel others do not disturb the round", () => {
  const host = new StillHost();
  const wheel = new TimerWheel(host);
  const ran: string[] = [];
  wheel.schedule(10, () => {
    ran.push("first");
    second.cancel();
    wheel.schedule(0, () => ran.push("nested"));
  });
  const second = wheel.schedule(10, () => ran.push("second"));
  wheel.schedule(10, () => ran.push("third"));
  host.advance(12);
  assert.deepEqual(ran, ["first", "third"]);
  host.advance(24);
  assert.deepEqual(ran, ["first", "third", "nested"]);
});

test("a callback that always schedules the next does not hold the event loop", () => {
  const host = new StillHost();
  const wheel = new TimerWheel(host);
  let ran = 0;
  const again = (): void => {
    if (ran++ < 1_000_000) wheel.schedule(0, again);
  };
  wheel.schedule(0, again);
  host.advance(1_000);
  assert.ok(ran > 100 && ran <= 251);
});

test("a callback that throws loses no other, and its error is reported", (t) => {
  const reports: (() => void)[] = [];
  t.mock.method(globalThis, "queueMicrotask", (callback: () => void) => reports.push(callback));
  const host = new StillHost();
  const wheel = new TimerWheel(host);
  let ran = 0;
  wheel.schedule(10, () => assert.fail("from a callback"));
  wheel.schedule(10, () => ran++);
  wheel.schedule(500, () => ran++);
  host.advance(1_000);
  assert.equal(ran, 2);
  assert.throws(reports[0]!, /from a callback/);
});

test("whatever is scheduled and cancelled, the rest runs once, never early, at most two ticks late", () => {
  const delay = fc.oneof(fc.double({ min: 0, max: 600, noNaN: true }), fc.integer({ min: 0, max: 2 ** 41 }));
  const step = fc.record({ delay, cancels: fc.option(fc.nat(), { nil: undefined }), wait: delay });
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.array(step, { maxLength: 40 }), (start, steps) => {
      const host = new StillHost(start);
      const wheel = new TimerWheel(host);
      const entries: { due: number; ran: number[]; cancelled: boolean; cancel(): void }[] = [];
      for (const { delay: ms, cancels, wait } of steps) {
        const ran: number[] = [];
        const due = host.time + ms;
        const handle = wheel.schedule(ms, () => ran.push(host.time));
        entries.push({ due, ran, cancelled: false, cancel: () => handle.cancel() });
        const victim = cancels === undefined ? undefined : entries[cancels % entries.length];
        if (victim !== undefined && victim.ran.length === 0) {
          victim.cancelled = true;
          victim.cancel();
        }
        host.advance(host.time + wait);
        for (const entry of entries) {
          if (entry.cancelled) assert.deepEqual(entry.ran, []);
          else if (host.time >= entry.due + 9) assert.equal(entry.ran.length, 1);
          for (const at of entry.ran) assert.ok(at >= entry.due && at <= entry.due + 9, `${at} for ${entry.due}`);
        }
      }
      host.advance(start + 2 ** 50);
      for (const entry of entries) assert.equal(entry.ran.length, entry.cancelled ? 0 : 1);
      assert.equal(host.pending.length, 0);
    }),
    { seed: 20, numRuns: 400 },
  );
});

test("the shared wheel runs on the real clock, even where timers are faked", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const began = performance.now();
  await new Promise<void>((resolve) => sharedWheel.schedule(20, resolve));
  assert.ok(performance.now() - began >= 20);
});

function runScript(script: string): { status: number | null; stdout: string; elapsedMs: number } {
  const source = `import { sharedWheel } from ${JSON.stringify(import.meta.resolve("./wheel.ts"))}; ${script}`;
  const began = performance.now();
  const args = ["--input-type=module", "-e", source];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 20_000 });
  return { status, stdout, elapsedMs: performance.now() - began };
}

test("a process lives until its pending entry has run", () => {
  const { status, stdout } = runScript(`sharedWheel.schedule(200, () => process.stdout.write("ran"));`);
  assert.deepEqual({ status, stdout }, { status: 0, stdout: "ran" });
});

test("a process with an empty wheel ends at once", () => {
  const { status, elapsedMs } = runScript("sharedWheel.schedule(60_000, () => undefined).cancel();");
  assert.equal(status, 0);
  assert.ok(elapsedMs < 20_000);
});
