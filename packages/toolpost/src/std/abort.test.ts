import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { type TestContext, test } from "node:test";
import { aborted, abortText, follow, LazyAbort, unlessAborted } from "./abort.ts";

const cancelled = "the run was cancelled";

const reasons: [string, unknown, string][] = [
  ["an Error", new Error("budget spent"), "budget spent"],
  ["a DOMException with a text of its own", new DOMException("tab closed", "AbortError"), "tab closed"],
  ["a timeout", AbortSignal.abort(new DOMException("took too long", "TimeoutError")).reason, "took too long"],
  ["a string", " user left ", " user left "],
  ["an empty string", "", cancelled],
  ["an Error without a message", new Error(""), cancelled],
  ["an Error whose message is no string", Object.assign(new Error("x"), { message: 42 }), cancelled],
  ["nothing", undefined, cancelled],
  ["a plain abort", AbortSignal.abort().reason, cancelled],
  ["a plain abort of a controller", plainControllerReason(), cancelled],
  ["an object", { message: "not an error" }, cancelled],
  ["null", null, cancelled],
  ["an Error that throws when read", Object.defineProperty(new Error("x"), "message", { get: fail }), cancelled],
];

function fail(): never {
  throw new Error("not to be read");
}

function plainControllerReason(): unknown {
  const controller = new AbortController();
  controller.abort();
  return controller.signal.reason;
}

for (const [name, reason, text] of reasons) {
  test(`the text of ${name} is "${text}"`, () => assert.equal(abortText(reason), text));
}

test("no AbortController is made before the signal is read", (t) => {
  let made = 0;
  const { AbortController: original } = globalThis;
  globalThis.AbortController = class extends original {
    constructor() {
      super();
      made++;
    }
  };
  t.after(() => {
    globalThis.AbortController = original;
  });
  const abort = new LazyAbort();
  abort.onAbort(() => undefined);
  abort.abort("r");
  assert.equal(made, 0);
  assert.equal(abort.signal, abort.signal);
  assert.equal(made, 1);
});

test("the signal fires with the reason, whenever it was read", () => {
  const before = new LazyAbort();
  const { signal } = before;
  assert.equal(signal.aborted, false);
  before.abort("r");
  assert.equal(signal.reason, "r");
  assert.equal(before.signal, signal);
  const after = new LazyAbort();
  after.abort("r");
  assert.ok(after.signal.aborted);
  assert.equal(after.signal.reason, "r");
});

test("only the first abort counts", () => {
  const abort = new LazyAbort();
  const heard: unknown[] = [];
  abort.onAbort((reason) => heard.push(reason));
  assert.equal(abort.aborted, false);
  assert.equal(abort.reason, undefined);
  abort.abort("first");
  abort.abort("second");
  assert.ok(abort.aborted);
  assert.equal(abort.reason, "first");
  assert.deepEqual(heard, ["first"]);
});

test("an abort without a reason has the reason that the platform gives", () => {
  const abort = new LazyAbort();
  abort.abort();
  assert.equal((abort.reason as Error).name, "AbortError");
  assert.equal(abort.signal.reason, abort.reason);
  assert.equal(abortText(abort.reason), cancelled);
});

test("a falsy reason is a reason", () => {
  const abort = new LazyAbort();
  abort.abort(0);
  assert.equal(abort.reason, 0);
});

test("listeners run in order, each as often as it was added, and before the signal fires", () => {
  const abort = new LazyAbort();
  const order: string[] = [];
  const twice = (): void => void order.push("twice");
  abort.signal.addEventListener("abort", () => order.push("signal"));
  abort.onAbort(twice);
  abort.onAbort(() => order.push("other"));
  abort.onAbort(twice);
  abort.abort();
  assert.deepEqual(order, ["twice", "other", "twice", "signal"]);
});

test("a listener added after the abort is called at once", () => {
  const abort = new LazyAbort();
  abort.abort("r");
  const heard: unknown[] = [];
  abort.onAbort((reason) => heard.push(reason))();
  assert.deepEqual(heard, ["r"]);
});

test("a listener that let go is not called, also when it lets go during the abort", () => {
  const abort = new LazyAbort();
  const heard: string[] = [];
  const letGo = abort.onAbort(() => heard.push("early"));
  letGo();
  letGo();
  abort.onAbort(() => letGoLate());
  const letGoLate = abort.onAbort(() => heard.push("late"));
  abort.abort();
  assert.deepEqual(heard, []);
});

test("a listener added during the abort is called once", () => {
  const abort = new LazyAbort();
  let calls = 0;
  abort.onAbort(() => abort.onAbort(() => calls++));
  abort.abort();
  assert.equal(calls, 1);
});

function catchReports(t: TestContext): (() => void)[] {
  const reports: (() => void)[] = [];
  t.mock.method(globalThis, "queueMicrotask", (callback: () => void) => reports.push(callback));
  return reports;
}

test("a listener that throws stops no other, and its error is reported", (t) => {
  const reports = catchReports(t);
  const abort = new LazyAbort();
  const { signal } = abort;
  let heard = 0;
  abort.onAbort(() => assert.fail("from a listener"));
  abort.onAbort(() => heard++);
  abort.abort();
  assert.equal(heard, 1);
  assert.ok(signal.aborted);
  abort.onAbort(() => assert.fail("from a late listener"));
  assert.throws(reports[0]!, /from a listener/);
  assert.throws(reports[1]!, /from a late listener/);
});

test("a follower of a signal hears its reason once", () => {
  const controller = new AbortController();
  const heard: unknown[] = [];
  follow(controller.signal, (reason) => heard.push(reason));
  controller.abort("r");
  controller.signal.dispatchEvent(new Event("abort"));
  assert.deepEqual(heard, ["r"]);
});

test("a follower of a signal that has fired is called at once", () => {
  const heard: unknown[] = [];
  follow(AbortSignal.abort("r"), (reason) => heard.push(reason))();
  assert.deepEqual(heard, ["r"]);
});

test("a follower that lets go leaves nothing on the signal", () => {
  const controller = new AbortController();
  const heard: unknown[] = [];
  const letGo = follow(controller.signal, (reason) => heard.push(reason));
  assert.equal(getEventListeners(controller.signal, "abort").length, 1);
  letGo();
  assert.equal(getEventListeners(controller.signal, "abort").length, 0);
  controller.abort();
  assert.deepEqual(heard, []);
});

test("work is waited for until an abort comes first, and its later failure is nobody's", async () => {
  const abort = new LazyAbort();
  assert.equal(await unlessAborted(Promise.resolve(7), abort), 7);
  await assert.rejects(unlessAborted(Promise.reject(new Error("no")), abort), /no/);
  const work = Promise.withResolvers<number>();
  const outcome = unlessAborted(work.promise, abort);
  abort.abort("over");
  assert.equal(await outcome, aborted);
  work.reject(new Error("too late"));
  assert.equal(await unlessAborted(new Promise<number>(() => undefined), abort), aborted);
});

test("work that is done already makes no promise, and counts for nothing after an abort", () => {
  const abort = new LazyAbort();
  const soon = (value: number): number | Promise<number> => value;
  assert.equal(unlessAborted(soon(7), abort), 7);
  abort.abort("over");
  assert.equal(unlessAborted(soon(7), abort), aborted);
});
