import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigTextError, expandEnvironment, parseJsonc } from "./config-text.ts";

test("comments, trailing commas and a byte order mark are read", () => {
  const text = `\ufeff// servers
  {
    /* the "first", */ "url": "http://x//y", // why
    "list": [1, 2,],
    "text": "a /* b */ ,]",
  }`;
  assert.deepEqual(parseJsonc(text, "mcp.json"), { url: "http://x//y", list: [1, 2], text: "a /* b */ ,]" });
});

test("a key named __proto__ is dropped", () => {
  const value = parseJsonc('{"a": {"__proto__": {"admin": true}}}', "mcp.json") as { a: { admin?: unknown } };
  assert.deepEqual(Reflect.ownKeys(value.a), []);
});

function failureOf(text: string): ConfigTextError {
  try {
    parseJsonc(text, "mcp.json");
  } catch (error) {
    assert.ok(error instanceof ConfigTextError);
    return error;
  }
  assert.fail("it was read");
}

test("a syntax error names file, line, column and the mend", () => {
  const { file, line, column, message, name } = failureOf('{\n  // servers\n  "a": tru,\n}');
  assert.deepEqual({ file, line, column, name }, { file: "mcp.json", line: 3, column: 8, name: "ConfigTextError" });
  assert.equal(message, "mcp.json:3:8: unexpected `tru`: write a value (text goes in double quotes)");
});

test("places are those of the file, whatever stands before them", () => {
  const places = ["\ufeff[1 2]", "[/* 😀 */ 1 2]", "\r\n\r[1 2]", "[1, // x\n2 3]", "[\u2028 1]"].map((text) => {
    const { line, column } = failureOf(text);
    return [line, column];
  });
  assert.deepEqual(places, [
    [1, 4],
    [1, 13],
    [3, 4],
    [2, 3],
    [1, 2],
  ]);
});

test("a comment that is not closed is an error where it begins", () => {
  assert.equal(failureOf('{"a": 1 /* b }').column, 9);
});

test("an error does not show the values around it", () => {
  const secret = "s3cr3t".repeat(10);
  for (const text of [`{"key": "${secret}" "b": 1}`, `{"key": "${secret}`, `{"key": ${secret}}`]) {
    assert.ok(!failureOf(text).message.includes("s3cr3t".repeat(6)));
  }
});

test("nesting too deep to read is an error too", () => {
  assert.match(failureOf("[".repeat(2_000) + "]".repeat(2_000)).message, /^mcp\.json:1:1: nested deeper/);
});

const env = { NAME: "ada", EMPTY: "", NESTED: "${NAME}", _x9: "low" };

const expansions: [string, string, string[]][] = [
  ["hello ${NAME}, ${_x9}", "hello ada, low", []],
  ["${NAME}${NAME}", "adaada", []],
  ["${GONE} and ${GONE} and ${LOST}", "${GONE} and ${GONE} and ${LOST}", ["GONE", "LOST"]],
  ["${GONE:-fall back: ok}", "fall back: ok", []],
  ["${GONE:-}", "", []],
  ["${EMPTY}|${EMPTY:-x}|${NAME:-x}", "|x|ada", []],
  ["$${NAME} ${NAME}", "${NAME} ada", []],
  ["${NESTED}", "${NAME}", []],
  ["$NAME ${} ${9A} ${a b} $", "$NAME ${} ${9A} ${a b} $", []],
  ["${constructor}${toString:-safe}", "${constructor}safe", ["constructor"]],
];

for (const [text, expected, missing] of expansions) {
  test(`"${text}" expands to "${expected}"`, () => {
    assert.deepEqual(expandEnvironment(text, env), { text: expected, missing });
  });
}
