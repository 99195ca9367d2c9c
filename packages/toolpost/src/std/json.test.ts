import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson, encodeJson, type Json, parseJson, toJson } from "./json.ts";

class Account {
  owner = "ada";
  readonly #secret = 1;
  get secret(): number {
    return this.#secret;
  }
}

const encodings: [string, unknown, string][] = [
  ["plain data", { a: [1, "x", null, true, { b: 0.5 }] }, '{"a":[1,"x",null,true,{"b":0.5}]}'],
  ["a string", 'say "hi"', '"say \\"hi\\""'],
  ["nothing", undefined, "null"],
  ["a function", () => 1, "null"],
  ["a symbol", Symbol("s"), "null"],
  ["undefined, functions and symbols in an object", { a: undefined, b: () => 1, c: Symbol("s"), d: 1 }, '{"d":1}'],
  ["undefined, functions and symbols in an array", [undefined, () => 1, Symbol("s"), 1], "[null,null,null,1]"],
  ["a hole in an array", Object.assign(new Array(3), { 0: 1, 2: 3 }), "[1,null,3]"],
  ["a bigint", { n: 12345678901234567890n }, '{"n":"12345678901234567890"}'],
  ["numbers that are none", [Number.NaN, 1 / 0, -1 / 0], '["NaN","Infinity","-Infinity"]'],
  ["a date", { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
  ["an invalid date", [new Date(Number.NaN)], "[null]"],
  ["a map with string keys", new Map([["a", new Set([1, 1n])]]), '{"a":[1,"1"]}'],
  [
    "a map with other keys",
    new Map<unknown, unknown>([
      ["a", 1],
      [2, { b: undefined }],
    ]),
    '[["a",1],[2,{}]]',
  ],
  ["an empty map", new Map(), "{}"],
  ["a class instance", new Account(), '{"owner":"ada"}'],
  ["an object without prototype", Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  ["a toJSON", { toJSON: () => ({ a: 1n }) }, '{"a":"1"}'],
  [
    "a toJSON that returns its own object",
    {
      a: 1,
      toJSON(): unknown {
        return this;
      },
    },
    '{"a":1}',
  ],
  ["a toJSON that returns nothing", { a: { toJSON: () => undefined } }, "{}"],
  ["a toJSON on an array", Object.assign([1], { toJSON: () => "list" }), '"list"'],
  ["a regular expression and a URL", [/a+/g, new URL("https://example.com/a")], '["/a+/g","https://example.com/a"]'],
  ["boxed primitives", [Object("s"), Object(1), Object(true), Object(1n)], '["s",1,true,"1"]'],
  ["a typed array", { data: new Float64Array(4) }, '{"data":{"type":"Float64Array","bytes":32}}'],
  ["a Buffer", Buffer.from("abc"), '{"type":"Uint8Array","bytes":3}'],
  ["an ArrayBuffer", new ArrayBuffer(8), '{"type":"ArrayBuffer","bytes":8}'],
  ["a lone surrogate", ["a\ud83d", { "\udc00": 1 }], '["a\ufffd",{"\ufffd":1}]'],
  ["a lone surrogate alone", "\ud83d", '"\ufffd"'],
  ["a backslash that looks like an escape", { path: "c:\\udata" }, '{"path":"c:\\\\udata"}'],
];

for (const [name, value, text] of encodings) {
  test(`encodes ${name}`, () => {
    assert.equal(encodeJson(value), text);
    assert.deepEqual(toJson(value), JSON.parse(text));
  });
}

test("an error shows its name, message and fields, and its cause if that is an error, but no stack", () => {
  const error = Object.assign(new TypeError("outer", { cause: new Error("inner") }), {
    status: 503,
    stack: "at secret",
  });
  Object.defineProperty(error, "stack", { enumerable: true });
  assert.deepEqual(toJson(error), {
    name: "TypeError",
    message: "outer",
    status: 503,
    cause: { name: "Error", message: "inner" },
  });
  assert.deepEqual(toJson(new Error("m", { cause: "text" })), { name: "Error", message: "m" });
  const client = Object.assign(new Error("m"), { toJSON: () => ({ stack: "at secret" }) });
  assert.deepEqual(toJson(client), { name: "Error", message: "m" });
});

test("a cycle is marked, and a reference used twice is written twice", () => {
  const shared = { s: 1 };
  const node: Record<string, unknown> = { first: shared, second: shared };
  node.self = node;
  node.list = [node];
  node.map = new Map([["up", node]]);
  assert.equal(
    encodeJson(node),
    '{"first":{"s":1},"second":{"s":1},"self":"[circular]","list":["[circular]"],"map":{"up":"[circular]"}}',
  );
  const answering: { toJSON(): unknown } = { toJSON: () => ({ again: answering }) };
  assert.equal(encodeJson(answering), '{"again":"[circular]"}');
});

test("what throws when read is marked and leaves the rest", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const value = {
    get bad(): number {
      throw new Error("no");
    },
    worse: { toJSON: () => assert.fail() },
    proxy,
    map: Object.create(Map.prototype),
    good: 1,
  };
  const text = '{"bad":"[unreadable]","worse":"[unreadable]","proxy":"[unreadable]","map":"[unreadable]","good":1}';
  assert.equal(encodeJson(value), text);
  assert.equal(encodeJson(proxy), '"[unreadable]"');
  assert.equal(toJson(proxy), "[unreadable]");
  const list: unknown[] = [1, 2];
  Object.defineProperty(list, 0, { get: () => assert.fail(), enumerable: true });
  assert.equal(encodeJson(list), '["[unreadable]",2]');
});

test("a getter that answers once only cannot make the encoder throw", () => {
  let reads = 0;
  const value = {
    get once(): number {
      if (++reads === 2) throw new Error("no");
      return 1;
    },
  };
  assert.doesNotThrow(() => JSON.parse(encodeJson(value)));
});

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = "core";
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

const wraps: [string, (inner: unknown) => unknown][] = [
  ["objects", (inner) => ({ inner })],
  ["arrays", (inner) => [inner]],
  ["maps", (inner) => new Map([["inner", inner]])],
  ["sets", (inner) => new Set([inner])],
  ["errors", (inner) => Object.assign(new Error("e"), { inner })],
  ["toJSON answers", (inner) => ({ toJSON: () => ({ inner }) })],
];

for (const [name, wrap] of wraps) {
  test(`${name} nested 100,000 levels end in a mark`, () => {
    const text = encodeJson(nested(100_000, wrap));
    assert.match(text, /\[nested too deep\]/);
    assert.ok(!text.includes("core"));
    assert.doesNotThrow(() => JSON.parse(text));
  });
}

test("500 levels are written and the next is marked", () => {
  assert.ok(encodeJson(nested(500, (inner) => [inner])).includes('["core"]'));
  assert.ok(encodeJson(nested(501, (inner) => [inner])).includes('["[nested too deep]"]'));
  assert.ok(encodeJson(nested(501, (inner) => [inner, 1n])).includes('["[nested too deep]","1"]'));
});

test("a few shared references that unfold to too many parts are cut short", () => {
  const numbers = new Array(1_000_000).fill(7);
  const text = encodeJson({ lists: new Array(100).fill(numbers), after: 1 });
  assert.match(text, /7,"\[too large\]"\]\]\}$/);
});

test("a text beyond the longest string becomes a mark", (t) => {
  t.mock.method(JSON, "stringify", () => {
    throw new RangeError("Invalid string length");
  });
  assert.equal(encodeJson({ a: 1 }), '"[too large]"');
});

test("a key named __proto__ is dropped and changes no prototype", () => {
  const value = {
    own: JSON.parse('{"__proto__":{"admin":true},"a":1}'),
    map: new Map([["__proto__", { admin: true }]]),
  };
  const json = toJson(value) as { own: { admin?: unknown }; map: { admin?: unknown } };
  assert.equal(json.own.admin, undefined);
  assert.equal(json.map.admin, undefined);
  assert.equal(encodeJson(value), '{"own":{"a":1},"map":{}}');
  assert.equal(encodeJson(value.own), '{"a":1}');
});

test("data that is JSON already is returned itself, anything else as a copy", () => {
  const plain = { a: [1, { b: "x" }] };
  assert.equal(toJson(plain), plain);
  const mixed = { a: 1n };
  assert.deepEqual(toJson(mixed), { a: "1" });
  assert.deepEqual(mixed, { a: 1n });
  assert.equal(toJson(undefined), null);
  assert.deepEqual(Object.keys(toJson({ a: undefined }) as object), []);
});

test("the canonical form sorts keys by UTF-16 unit at every level", () => {
  assert.equal(
    canonicalJson({ b: [{ z: 1, y: -0 }], "10": "x", "9": null, a: undefined, "\u{1f600}": 1, "\ufb01": new Date(0) }),
    '{"10":"x","9":null,"b":[{"y":0,"z":1}],"\u{1f600}":1,"\ufb01":"1970-01-01T00:00:00.000Z"}',
  );
  assert.equal(canonicalJson(undefined), "null");
});

test("the canonical form tells apart what was parsed, to the deepest level", () => {
  const texts = ["1", "2"].map((leaf) => "[".repeat(1_000) + leaf + "]".repeat(1_000));
  const [one, two] = texts.map((text) => {
    const parsed = parseJson(text);
    assert.ok(parsed.ok);
    return canonicalJson(parsed.value);
  });
  assert.notEqual(one, two);
  assert.equal(one, texts[0]);
});

test("parses JSON of any kind", () => {
  assert.deepEqual(parseJson(' {"a":[1,"\\u0041",null]} '), { ok: true, value: { a: [1, "A", null] } });
});

const pollutions = [
  '{"__proto__":{"admin":true},"a":1}',
  '{"\\u005f_proto__":{"admin":true},"a":1}',
  '{"__pr\\u006Fto__":{"admin":true},"a":1}',
  '{"\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006F__":{"admin":true},"a":1}',
];

for (const text of pollutions) {
  test(`a key that spells __proto__ is dropped from ${text}`, () => {
    const parsed = parseJson(`[[{"deep":${text}}]]`);
    assert.ok(parsed.ok);
    const { deep } = (parsed.value as [[{ deep: { [key: string]: Json } }]])[0][0];
    assert.deepEqual(Reflect.ownKeys(deep), ["a"]);
    assert.equal({ ...deep }.admin, undefined);
  });
}

test("the name __proto__ as a value stays", () => {
  assert.deepEqual(parseJson('["__proto__"]'), { ok: true, value: ["__proto__"] });
});

test("text that is not JSON is an answer, not a throw, and shows little of the text", () => {
  const secret = "s3cr3t-".repeat(100);
  for (const text of [
    "",
    "{",
    '{"x": "un',
    `{"a":${secret}}`,
    secret,
    `"${secret}`,
    `{"a":"\n${secret}"}`,
    `[1]\n\n${secret}`,
  ]) {
    const parsed = parseJson(text);
    assert.ok(!parsed.ok);
    assert.ok(parsed.message.length > 0 && parsed.message.length <= 200);
    assert.ok(!/[\n\r]/.test(parsed.message) && parsed.message.isWellFormed());
    assert.ok(!parsed.message.includes("s3cr3t-".repeat(6)));
  }
});

test("text nested deeper than 1,000 levels is refused", () => {
  const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  assert.equal(parseJson(deep(1_000)).ok, true);
  assert.deepEqual(parseJson(deep(1_001)), { ok: false, message: "nested deeper than 1000 levels" });
  assert.equal(parseJson(deep(1_000_000)).ok, false);
  assert.equal(parseJson(`{"\\u005f":${deep(1_000)}}`).ok, false);
});

test("mending a lone surrogate leaves all else as it was read", () => {
  const nested = (inner: string): string => `${"[".repeat(900)}${inner}${"]".repeat(900)}`;
  const bottom = (text: string): unknown => {
    const parsed = parseJson(text);
    let value: unknown = parsed.ok ? parsed.value : parsed.message;
    while (Array.isArray(value)) value = value[0];
    return value;
  };
  assert.deepEqual(bottom(nested('{"a\\ud83d":"b\\ud83d","c":-0}')), { "a\ufffd": "b\ufffd", c: -0 });
  assert.equal(bottom(nested('"C:\\\\udata \\ud83d\\ude00"')), "C:\\udata 😀");
});
