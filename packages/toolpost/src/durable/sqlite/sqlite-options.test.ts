// What an embedded engine refuses to be opened with, in words; nothing of it is left in the folder.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { isToolpostError } from "../../core/errors.ts";
import { seconds } from "../../std/units.ts";
import { openDatabase } from "./database.ts";
import { memoryEngine, sqlite } from "./sqlite-engine.ts";

function folder(test: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), "toolpost-open-"));
  test.after(() => rmSync(made, { recursive: true }));
  return made;
}

describe("the options of an engine", () => {
  for (const [options, message] of [
    [{ leese: seconds(2) }, "an engine has no option `leese`: did you mean `lease`?"],
    [{ wal: false }, "an engine has no option `wal`: remove it"],
    [
      { lease: seconds(0) },
      '`lease` of an engine must be a positive duration, such as `seconds(30)`, not `{"kind":"duration","ms":0}`',
    ],
    [{ lease: 30 }, "`lease` of an engine must be a positive duration, such as `seconds(30)`, not `30`"],
    [{ retention: "30d" }, "`retention` of an engine must be a positive duration, such as `seconds(30)`, not `30d`"],
    [{ codec: {} }, "`codec` of an engine must be an object with `encode` and `decode`, not `{}`"],
    [{ clock: () => 1 }, "`clock` of an engine must be a clock with `now` and `schedule`, not `a function`"],
    [{ maxRuns: 0 }, "`maxRuns` of an engine must be a number of 1 or more, not `0`"],
    [null, "the options of an engine must be an object, not `null`"],
  ] as const)
    it(`are refused: ${JSON.stringify(options)}`, (test) => {
      const made = folder(test);
      const refused = { code: "engine.invalid", message };
      assert.throws(() => sqlite(join(made, "runs.db"), options as never), refused);
      assert.throws(() => memoryEngine(options as never), refused);
      assert.deepEqual(readdirSync(made), []);
    });
});

describe("a file that cannot be opened", () => {
  function refusal(path: string): { readonly message: string; readonly hint: string | undefined } {
    try {
      void sqlite(path);
    } catch (error) {
      assert.ok(isToolpostError(error));
      assert.equal(error.code, "engine.cannot-open");
      assert.equal(typeof (error.cause as { readonly errcode?: unknown }).errcode, "number");
      return error;
    }
    assert.fail("it was opened");
  }

  it("is told with the folder that is not there", (test) => {
    const made = folder(test);
    const path = join(made, "none", "x.db");
    const { message, hint } = refusal(path);
    assert.equal(message, `\`${path}\` cannot be opened by an engine: there is no folder \`${join(made, "none")}\``);
    assert.equal(hint, "Make the folder first, or give another path.");
  });

  it("is told to be a folder", (test) => {
    const path = join(folder(test), "inner");
    mkdirSync(path);
    const { message, hint } = refusal(path);
    assert.equal(message, `\`${path}\` cannot be opened by an engine: it is a folder`);
    assert.equal(hint, "Give the path of a file in it, such as `runs.db`.");
  });

  it("is told to be no database, and stays as it was", (test) => {
    const path = join(folder(test), "package.json");
    const text = `{ "name": "${"x".repeat(200)}" }`;
    writeFileSync(path, text);
    const { message } = refusal(path);
    assert.equal(message, `\`${path}\` cannot be opened by an engine: it is no SQLite database`);
    assert.equal(readFileSync(path, "utf8"), text);
  });

  it("is told to be a database of something else", (test) => {
    const path = join(folder(test), "other.db");
    const other = openDatabase(path);
    other.exec("create table runs(id text)");
    other.close();
    const { message, hint } = refusal(path);
    assert.equal(message, `\`${path}\` cannot be opened by an engine: table runs already exists`);
    assert.match(hint ?? "", /^Give `sqlite` a file that is new or an engine's own/);
  });

  it("is told to be held by another process", (test) => {
    const path = join(folder(test), "held.db");
    const other = openDatabase(path);
    other.exec("begin immediate; create table held(id text)");
    try {
      assert.equal(
        refusal(path).message,
        `\`${path}\` cannot be opened by an engine: another process holds it at the moment`,
      );
    } finally {
      other.close();
    }
  });
});
