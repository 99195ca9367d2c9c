// `docs/errors.md` and the table of codes in the source say the same.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { errorTable } from "../../src/core/error-table.ts";
import { renderErrorTable, withErrorTable } from "./lib/error-table.ts";

const refresh = "Run `npm run docs:errors` to write the table again.";

test("the page of errors shows the codes of the source", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/errors.md"), "utf8");
  const shown = page.split("\n");
  const wanted = withErrorTable(page, errorTable).split("\n");
  const missing = wanted.filter((line) => !shown.includes(line));
  const outdated = shown.filter((line) => !wanted.includes(line));
  assert.deepEqual(
    { missing, outdated },
    { missing: [], outdated: [] },
    `${[...missing, ...outdated].join("\n")}\n${refresh}`,
  );
  assert.deepEqual(shown, wanted, refresh);
});

test("every code is `area.what-happened`, with a meaning and a fix", () => {
  for (const [code, { meaning, fix }] of Object.entries(errorTable)) {
    assert.match(code, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
    assert.ok(meaning.trim() && fix.trim(), `\`${code}\` has no meaning or no fix`);
  }
});

test("the table is sorted, one row a code, and a cell cannot break it", () => {
  const table = { "b.two": { meaning: "one | two", fix: "first\nsecond" }, "a.one": { meaning: "m", fix: "f" } };
  assert.equal(
    renderErrorTable(table),
    "| code | meaning | fix |\n| --- | --- | --- |\n| `a.one` | m | f |\n| `b.two` | one \\| two | first second |",
  );
});

test("only the marked part of a page is written", () => {
  const marks = ["<!-- error table: begin, written by `npm run docs:errors` -->", "<!-- error table: end -->"];
  const page = `# Errors\n\n${marks[0]}\nold\n${marks[1]}\nafter\n`;
  const table = { "a.one": { meaning: "m", fix: "f" } };
  const written = withErrorTable(page, table);
  assert.equal(written, `# Errors\n\n${marks[0]}\n\n${renderErrorTable(table)}\n\n${marks[1]}\nafter\n`);
  assert.equal(withErrorTable(written, table), written);
  assert.notEqual(withErrorTable(written, {}), written);
  assert.throws(() => withErrorTable("# Errors\n", table), /must hold the lines/);
});
