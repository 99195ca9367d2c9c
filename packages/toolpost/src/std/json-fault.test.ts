import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findJsonFault } from "./json-fault.ts";

// The  ¶marks where the fault is.
const faults: [string, RegExp][] = [
  ["¶", /ends too early: write a value$/],
  ['{"a": ¶}', /unexpected `}`: write a value$/],
  ["[1, ¶]", /unexpected `]`: write a value$/],
  ["[¶,]", /unexpected `,`: write a value or `]`$/],
  ['{"a": 1 ¶"b": 2}', /unexpected `"`: write `,` or `}`$/],
  ["[1 ¶2]", /unexpected `2`: write `,` or `]`$/],
  ['{"a" ¶1}', /write `:` between a key and its value$/],
  ["{¶a: 1}", /unexpected `a`: write a key in double quotes or `}` \(text goes in double quotes\)$/],
  ["{\"a\":1,¶'b': 1}", /unexpected `'`: write a key in double quotes \(text goes in double quotes\)$/],
  ['{"a": ¶True}', /unexpected `True`: write a value \(text goes in double quotes\)$/],
  ['{"a": 1¶]', /write `,` or `}`$/],
  ['{"a": {"b": 1}¶', /ends too early: write `,` or `}`$/],
  ["{} ¶{}", /take out what follows the end$/],
  ["0¶1", /take out what follows the end$/],
  ['"abc¶', /a string is not closed/],
  ['{"a": "b¶\n"}', /a string ends with its line/],
  ['["C:¶\\dir"]', /unknown escape in a string/],
  ['["¶\\u12"]', /unknown escape in a string/],
  ['["a¶\t"]', /control character in a string/],
  ['["😀" ¶😀]', /unexpected `😀`: write `,` or `]`$/],
];

for (const [marked, message] of faults) {
  test(`the fault in ${JSON.stringify(marked)} is found, with its mend`, () => {
    const fault = findJsonFault(marked.replace("¶", ""));
    assert.equal(fault?.offset, marked.indexOf("¶"));
    assert.match(fault!.message, message);
  });
}

test("a long word at fault is shown in part only", () => {
  const fault = findJsonFault(`[${"secret".repeat(50)}]`);
  assert.ok(fault!.message.length < 120);
});

test("a fault is found exactly where JSON.parse refuses the text", () => {
  const token = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"\\n"',
    '"\\x"',
    "1",
    "-0.5e3",
    "01",
    "true",
    "nul",
    " ",
    "\n",
  );
  const text = fc.oneof(
    fc.json(),
    fc.array(token, { maxLength: 8 }).map((tokens) => tokens.join("")),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (sample) => {
      let isJson = true;
      try {
        JSON.parse(sample);
      } catch {
        isJson = false;
      }
      assert.equal(findJsonFault(sample) === undefined, isJson);
    }),
    { seed: 3, numRuns: 5_000 },
  );
});
