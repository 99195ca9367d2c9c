import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { reportUncaught } from "./report.ts";

test("the error is thrown later, on a stack of its own", (t) => {
  const queued: (() => void)[] = [];
  t.mock.method(globalThis, "queueMicrotask", (callback: () => void) => queued.push(callback));
  const error = new Error("from a listener");
  reportUncaught(error);
  assert.equal(queued.length, 1);
  assert.throws(queued[0]!, error);
});

test("a process without a handler ends with the error", () => {
  const script = `import { reportUncaught } from ${JSON.stringify(import.meta.resolve("./report.ts"))};
    reportUncaught(new Error("from a listener"));
    process.stdout.write("went on");`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.equal(stdout, "went on");
  assert.match(stderr, /from a listener/);
});
