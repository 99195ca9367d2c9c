import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  cutAtWhiteSpace,
  cutUtf8,
  detached,
  inOnePiece,
  oneLine,
  utf8Length,
  viewUtf8,
  visible,
  wellFormed,
} from "./text.ts";

const highSurrogate = "\ud83d";

test("a text in one piece is the same text, with the white space around it", () => {
  for (const text of ["", "ab", "  ab ", "\n", "ab\n", "\ufeffab"]) assert.equal(inOnePiece(text), text);
});

test("length is counted in bytes of UTF-8", () => {
  assert.equal(utf8Length("aé日😀"), 1 + 2 + 3 + 4);
  assert.equal(utf8Length(highSurrogate), 3);
});

test("a text that fits is left alone", () => {
  assert.deepEqual(cutUtf8("héllo", 6), { text: "héllo", bytes: 6 });
  assert.deepEqual(cutUtf8("héllo", Number.POSITIVE_INFINITY), { text: "héllo", bytes: 6 });
  assert.deepEqual(cutAtWhiteSpace("one two", 7), { text: "one two", bytes: 7 });
});

test("a cut keeps whole characters only", () => {
  assert.deepEqual(cutUtf8("abc", 2), { text: "ab", bytes: 2 });
  for (const bound of [1, 2, 3, 4]) assert.deepEqual(cutUtf8("a😀b", bound), { text: "a", bytes: 1 });
  assert.deepEqual(cutUtf8("a😀b", 5), { text: "a😀", bytes: 5 });
  assert.deepEqual(cutUtf8("日本", 5), { text: "日", bytes: 3 });
});

test("a bound without room for anything leaves nothing", () => {
  for (const bound of [0, 0.9, -1, Number.NaN]) assert.deepEqual(cutUtf8("abc", bound), { text: "", bytes: 0 });
});

test("a lone surrogate in a cut text becomes U+FFFD and counts as that", () => {
  assert.deepEqual(cutUtf8(`${highSurrogate}abc`, 4), { text: "\ufffda", bytes: 4 });
  assert.deepEqual(cutUtf8(`${highSurrogate}abc`, 2), { text: "", bytes: 0 });
});

test("a long text is cut at the last character that fits, whatever script it is in", () => {
  for (const character of ["a", "é", "ÿ", "日", "😀"]) {
    const size = utf8Length(character);
    const text = `x${character.repeat(40_000)}`;
    for (let bound = 20_000; bound < 20_000 + size; bound++) {
      const count = Math.floor((bound - 1) / size);
      const expected = `x${character.repeat(count)}`;
      assert.deepEqual(cutUtf8(text, bound), { text: expected, bytes: 1 + count * size });
      assert.equal(viewUtf8(text, bound), expected);
    }
  }
});

test("a detached text is the same text, half pairs and all", () => {
  for (const text of ["", "plain", `é${"日😀".repeat(20_000)}\ud83d`, `${"x".repeat(16_383)}😀y`]) {
    assert.equal(detached(text), text);
  }
});

test("a view of a text holds no lone surrogate", () => {
  assert.equal(viewUtf8(`${highSurrogate}abc`, 5), "\ufffdab");
});

test("a cut of 50 MB takes time for what is kept, not for what there is", () => {
  const text = "wörd ".repeat(10_000_000);
  utf8Length(text);
  const began = performance.now();
  for (let round = 0; round < 1_000; round++) cutAtWhiteSpace(text, 1_024);
  // To measure the whole text once takes some 10 ms; a thousand times, minutes.
  assert.ok(performance.now() - began < 2_000);
});

test("a cut text does not keep its source in memory", () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const kept: string[] = [];
  // A function of its own, so that no register of this one holds the source.
  const cutTwice = (letter: string): void => {
    const source = letter + letter.repeat(40_000_000);
    kept.push(cutUtf8(source, 10_000).text, cutAtWhiteSpace(source, 10_000).text);
  };
  collect();
  const before = process.memoryUsage().heapUsed;
  for (const letter of ["a", "b"]) cutTwice(letter);
  collect();
  assert.ok(process.memoryUsage().heapUsed - before < 20_000_000);
  assert.equal(kept.length, 4);
});

test("a cut falls on the last white space, which is dropped", () => {
  assert.deepEqual(cutAtWhiteSpace("one two three", 10), { text: "one two", bytes: 7 });
  assert.deepEqual(cutAtWhiteSpace("one\ttwo", 5), { text: "one", bytes: 3 });
  assert.deepEqual(cutAtWhiteSpace("one\ntwo", 5), { text: "one", bytes: 3 });
  assert.deepEqual(cutAtWhiteSpace("one\r\ntwo", 6), { text: "one", bytes: 3 });
  assert.deepEqual(cutAtWhiteSpace("one\rtwo", 5), { text: "one", bytes: 3 });
});

test("only white space in the last bytes of what is kept counts", () => {
  const text = `a ${"x".repeat(1_000)}`;
  assert.deepEqual(cutAtWhiteSpace(text, 257), { text: "a", bytes: 1 });
  assert.equal(cutAtWhiteSpace(text, 258).bytes, 258);
  assert.deepEqual(cutAtWhiteSpace("a bcdef", 6, 5), { text: "a", bytes: 1 });
  assert.deepEqual(cutAtWhiteSpace("a bcdef", 6, 4), { text: "a bcde", bytes: 6 });
});

test("white space just behind the bound does not move the cut", () => {
  assert.deepEqual(cutAtWhiteSpace("one two", 3), { text: "one", bytes: 3 });
});

test("other blanks are no place to cut", () => {
  assert.equal(cutAtWhiteSpace("one\u00a0two", 6).text, "one\u00a0t");
});

test("a lone surrogate becomes U+FFFD, and a well-formed text is left alone", () => {
  assert.equal(wellFormed(`a${highSurrogate}b`), "a\ufffdb");
  assert.equal(wellFormed("a😀b"), "a😀b");
});

test("each line break becomes one space", () => {
  assert.equal(oneLine("a\r\nb\nc\rd\u2028e\u2029f\n\ng"), "a b c d e f  g");
});

test("control characters are shown as escapes", () => {
  assert.equal(visible("\r\x1b[2K\x00\x7f\x9b"), "\\r\\x1b[2K\\x00\\x7f\\x9b");
  assert.equal(visible("\x1b]8;;http://x\x07link"), "\\x1b]8;;http://x\\x07link");
});

test("what turns the reading direction or cannot be seen is shown as an escape", () => {
  const hidden = [
    ..."\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064",
    ..."\u2066\u2067\u2068\u2069\ufeff\u2028\u2029\u3164\ufff9",
  ];
  for (const character of hidden) {
    const hex = character.charCodeAt(0).toString(16);
    assert.equal(visible(`a${character}b`), `a${hex.length > 2 ? `\\u${hex.padStart(4, "0")}` : `\\x${hex}`}b`);
  }
  assert.equal(visible("\u{e0041}"), "\\u{e0041}");
  assert.equal(visible("\u{e0100}"), "\\u{e0100}");
  assert.equal(visible(highSurrogate), "\\ud83d");
});

test("a variation selector is shown unless it belongs to a pictograph", () => {
  assert.equal(visible("\u2764\ufe0f"), "\u2764\ufe0f");
  assert.equal(visible("a\ufe0f"), "a\\ufe0f");
  assert.equal(visible("\u2764\ufe0f\ufe0f"), "\u2764\ufe0f\\ufe0f");
  assert.equal(visible("\u2764\ufe01"), "\u2764\\ufe01");
});

test("line feeds and tabs are shown as escapes, or kept on request", () => {
  assert.equal(visible("a\n\tb"), "a\\n\\tb");
  assert.equal(visible("a\r\n\tb\x1b", { keepLineBreaks: true }), "a\\r\n\tb\\x1b");
});

test("what can be seen is left alone", () => {
  const text = "a\\b – 日本 😀 é שלום ½";
  assert.equal(visible(text), text);
});
