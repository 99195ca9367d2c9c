// What must hold for any input there is, tried on many made up at random from fixed seeds.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalJson, encodeJson, parseJson, toJson } from "./json.ts";
import { jsonForm } from "./json-form.ts";
import { cutAtWhiteSpace, cutUtf8, oneLine, utf8Length, visible } from "./text.ts";

const runs = { seed: 42, numRuns: 2_000 };

/** Strings of any UTF-16 units, lone surrogates among them. */
const units = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
const texts = fc.oneof(
  units,
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("a", " ", "\n", "\r", "é", "😀", "日") }),
);

const anything = fc.anything({
  key: fc.oneof(texts, fc.constantFrom("__proto__", "toJSON", "constructor")),
  values: [fc.string(), units, fc.double(), fc.constant(undefined), fc.func(fc.anything()), fc.constant(Symbol("s"))],
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

test("any value becomes well-formed JSON text that stands for itself", () => {
  fc.assert(
    fc.property(anything, (value) => {
      const text = encodeJson(value);
      const parsed = JSON.parse(text);
      assert.ok(text.isWellFormed() && !/\\ud[89a-f]/i.test(text.replace(/\\\\/g, "")));
      assert.deepEqual(toJson(value), parsed);
      assert.equal(encodeJson(parsed), text);
      assert.equal(canonicalJson(value), canonicalJson(parsed));
    }),
    runs,
  );
});

test("plain data is written as JSON.stringify writes it, by the quick way and the long one", () => {
  const plain = fc
    .jsonValue({ noUnicodeString: false })
    .filter((value) => !JSON.stringify(value).includes("__proto__"));
  fc.assert(
    fc.property(plain, (value) => {
      assert.equal(encodeJson(value), JSON.stringify(value));
      assert.equal(JSON.stringify(jsonForm(value)), JSON.stringify(value));
      assert.equal(toJson(value), value);
    }),
    runs,
  );
});

test("the canonical form does not depend on the order of keys", () => {
  fc.assert(
    fc.property(fc.dictionary(texts, fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      const text = canonicalJson(value);
      assert.equal(canonicalJson(reversed), text);
      assert.deepEqual(JSON.parse(text), JSON.parse(encodeJson(value)));
    }),
    runs,
  );
});

test("whatever is parsed has no key named __proto__, and else is what JSON.parse gives", () => {
  const spelled = fc
    .array(fc.boolean(), { minLength: 9, maxLength: 9 })
    .map((escapes) =>
      [..."__proto__"]
        .map((letter, index) => (escapes[index] ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter))
        .join(""),
    );
  const { tree } = fc.letrec<{ tree: string; field: string }>((tie) => ({
    field: fc.tuple(fc.oneof(spelled, fc.constant("a")), tie("tree")).map(([key, value]) => `"${key}":${value}`),
    tree: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("1", '"__proto__"', "null"),
      fc.array(tie("tree"), { maxLength: 3 }).map((items) => `[${items.join()}]`),
      fc.array(tie("field"), { maxLength: 3 }).map((fields) => `{${fields.join()}}`),
    ),
  }));
  fc.assert(
    fc.property(tree, (text) => {
      const parsed = parseJson(text);
      assert.ok(parsed.ok);
      const reviver = function (this: object, key: string, value: unknown): unknown {
        return key === "__proto__" ? undefined : value;
      };
      assert.deepEqual(parsed.value, JSON.parse(text, reviver));
      assert.ok(!JSON.stringify(parsed.value).includes('"__proto__":'));
    }),
    runs,
  );
});

test("any text is parsed or refused in one short line", () => {
  fc.assert(
    fc.property(fc.oneof(texts, fc.json()), (text) => {
      const parsed = parseJson(text);
      if (parsed.ok) return;
      assert.ok(
        parsed.message.length <= 200 && parsed.message.isWellFormed() && oneLine(parsed.message) === parsed.message,
      );
    }),
    runs,
  );
});

test("a cut is the longest prefix of whole characters that fits", () => {
  fc.assert(
    fc.property(texts, fc.nat({ max: 40 }), (text, maxBytes) => {
      const cut = cutUtf8(text, maxBytes);
      let expected = "";
      for (const character of text.toWellFormed()) {
        if (utf8Length(expected + character) > maxBytes) break;
        expected += character;
      }
      assert.equal(cut.text.toWellFormed(), expected);
      assert.equal(cut.bytes, utf8Length(expected));
    }),
    runs,
  );
});

test("a cut at white space splits no word that it could keep whole", () => {
  fc.assert(
    fc.property(texts, fc.nat({ max: 40 }), fc.nat({ max: 20 }), (text, maxBytes, window) => {
      const whole = cutUtf8(text, maxBytes);
      const cut = cutAtWhiteSpace(text, maxBytes, window);
      assert.equal(cut.bytes, utf8Length(cut.text));
      assert.ok(whole.text.startsWith(cut.text));
      const dropped = whole.text.slice(cut.text.length);
      if (dropped === "") {
        const tail = Buffer.from(whole.text)
          .subarray(window === 0 ? whole.bytes : -window)
          .toString("latin1");
        assert.ok(whole.text === text || !/[ \t\r\n]/.test(tail));
      } else {
        assert.match(dropped, /^(?:\r\n|[ \t\r\n])[^ \t\r\n]*$/);
        assert.ok(utf8Length(dropped) <= window + 1);
      }
    }),
    runs,
  );
});

test("what is made visible has nothing left that is not", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const shown = visible(text);
      assert.ok(shown.isWellFormed());
      assert.ok(!/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u.test(shown));
      assert.equal(visible(shown), shown);
    }),
    runs,
  );
});
