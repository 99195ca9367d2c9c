// Files of every version there has been: what they hold is read as it was written, and runs in them go on.
import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { schemaVersion } from "../../src/durable/sqlite/schema.ts";
import { sqlite } from "../../src/durable/sqlite/sqlite-engine.ts";
import { upcast, valueVersion } from "../../src/durable/sqlite/upcast.ts";
import { goldenFlows } from "./fixtures/golden-flows.ts";

const folder = join(import.meta.dirname, "golden");
const step = { text: "é \u{1f9ea} \"quoted\" 'single'", list: [1, null, true] };
const expected = (answer: unknown): unknown => [
  "in",
  step,
  ["model.failed", "no answer", { status: 503 }],
  "paid",
  "number",
  "number",
  [step, 70_000],
  "run.invalid-input",
  [{ type: "closed" }, answer],
];

describe("what older versions wrote", () => {
  it("stands in a golden file for each version", () => {
    const names = globSync("*.sql", { cwd: folder }).sort();
    assert.deepEqual(
      names,
      Array.from({ length: schemaVersion }, (_, index) => `version-${index + 1}.sql`),
    );
  });

  for (const name of globSync("*.sql", { cwd: folder })) {
    it(`is read, and its runs go on: ${basename(name, ".sql")}`, async (test) => {
      const own = mkdtempSync(join(tmpdir(), "toolpost-golden-"));
      test.after(() => rmSync(own, { recursive: true }));
      const path = join(own, "runs.db");
      const db = new DatabaseSync(path);
      db.exec(readFileSync(join(folder, name), "utf8"));
      db.close();
      const engine = sqlite(path);
      assert.deepEqual((await engine.status("ended"))?.result, expected({ type: "answer", value: "yes" }));
      assert.deepEqual((await engine.status("failed"))?.error, {
        message: "of the child",
        code: "run.invalid-input",
        data: [2],
      });
      assert.deepEqual((await engine.status("cancelled"))?.error?.message, "not this one");
      const kinds = new Set((await engine.journal("ended")).map(({ kind }) => kind));
      assert.deepEqual([...kinds].sort(), ["child", "close", "pause", "step", "timer"]);
      const [pause] = await engine.pauses({ id: "ended-ask", answered: true });
      assert.deepEqual([pause?.request.data, pause?.answeredBy], [[1], { name: "Ada" }]);

      await engine.serve(goldenFlows);
      const [waiting] = await engine.pauses({ id: "waits-ask" });
      assert.ok(waiting);
      assert.equal(await engine.answer(waiting, "now"), "accepted");
      assert.deepEqual((await engine.result("waits")).result, expected({ type: "answer", value: "now" }));
      await engine.close();
    });
  }

  it("is told apart from what newer ones will write, and from what nobody wrote", () => {
    const value = { v: valueVersion, type: "step", value: 1 };
    assert.deepEqual(upcast(value), value);
    assert.throws(() => upcast({ ...value, v: valueVersion + 1 }), { code: "engine.unreadable", message: /newer/ });
    for (const bad of [null, 5, {}, { type: "step", value: 1 }, { v: "1" }]) {
      assert.throws(() => upcast(bad), { code: "engine.unreadable", message: /not of the form/ });
    }
  });
});
