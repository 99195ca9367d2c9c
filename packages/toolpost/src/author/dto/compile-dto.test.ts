// What compiled DTO classes do with values that are long, deep or too costly, and with classes that fail in their own code.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import type { DtoClass, Validation } from "../../core/schema.ts";
import { compileSchema } from "../compile-schema.ts";
import { ListField as ListOf } from "./list-field.ts";
import { MomentField as Moment } from "./moment-field.ts";
import { NestedField as Nested } from "./nested-field.ts";
import { IntegerField as Integer } from "./number-field.ts";
import { OneOfField as OneOf } from "./one-of-field.ts";
import { OptionalField as Optional } from "./optional-field.ts";
import { TextField as Text } from "./text-field.ts";

type Decorate = (prototype: never, key: never) => void;

/** A class `Dto` whose fields have these decorators, as the legacy system calls them. */
function dto(fields: Record<string, unknown>, made: DtoClass = class Dto {}): DtoClass {
  for (const [key, decorators] of Object.entries(fields))
    for (const decorate of [decorators].flat()) (decorate as Decorate)(made.prototype as never, key as never);
  return made;
}

describe("a DTO class that cannot be used", () => {
  it("refuses every value, and is asked anew", () => {
    const broken = dto({ x: ListOf(() => later as DtoClass) });
    let later: DtoClass | undefined;
    const { validate } = compileSchema(broken, "input");
    const refusal = validate({ x: [] }) as { ok: boolean; issues: unknown };
    assert.deepEqual(
      [refusal.ok, refusal.issues],
      [false, [{ path: "", message: "the value could not be validated" }]],
    );
    later = dto({ y: Text() });
    assert.deepEqual((validate({ x: [] }) as { ok: boolean }).ok, true);
  });

  it("refuses where its constructor throws later", () => {
    let count = 0;
    class Moody {
      constructor() {
        if (++count > 2) throw new Error("secret");
      }
    }
    const { validate } = compileSchema(dto({ x: Text() }, Moody), "input");
    assert.deepEqual((validate({ x: "a" }) as { issues: unknown }).issues, [
      { path: "", message: "the value could not be validated" },
    ]);
  });
});

describe("alternatives", () => {
  class Left {}
  class Right {}
  const both = OneOf([() => Left, () => Right, Text()]);
  dto({ in: both, left: [Optional(), Text()] }, Left);
  dto({ in: both, right: Text() }, Right);
  const within = (inmost: unknown, levels: number, more: object = {}): unknown => {
    let value: unknown = inmost;
    for (let level = 0; level < levels; level++) value = { in: value, ...more };
    return value;
  };

  it("are tried once for each value, though they multiply with its levels", () => {
    const { validate } = compileSchema(Left, "input");
    assert.deepEqual((validate(within(1, 60, { right: "r" })) as { issues: unknown }).issues, [
      { path: Array(60).fill("in").join("."), message: "expected object or string, got number" },
    ]);
    // Every level fits the second one only, and only after the first one was tried to its end.
    const { ok, value } = validate({ in: within("a", 60, { left: 1, right: "r" }) }) as { ok: true; value: never };
    assert.ok(ok);
    assert.ok((value as { in: unknown }).in instanceof Right);
  });

  it("take lists of any length, inside other alternatives too", () => {
    class Sheet {}
    class Note {}
    dto({ text: Text() }, Note);
    dto({ cells: ListOf(OneOf([Integer(), Text(), Note])) }, Sheet);
    const Book = dto({ sheet: OneOf([Note, Sheet]), ids: ListOf(OneOf([Integer(), Text()])) });
    const value = {
      sheet: { cells: [...Array(30_000).fill("a"), ...Array.from({ length: 30_000 }, () => ({ text: "b" }))] },
      ids: Array(30_000).fill("a"),
    };
    const read = compileSchema(Book, "input").validate(value) as { ok: boolean; value: never };
    assert.equal(read.ok, true);
    const { cells } = (read.value as { sheet: { cells: unknown[] } }).sheet;
    assert.ok(cells.at(-1) instanceof Note && cells.at(-1) !== cells.at(-2));
  });

  it("say what is wrong in the first of many wrong values", () => {
    const { validate } = compileSchema(dto({ list: ListOf(OneOf([Left, Right])) }), "input");
    const { issues } = validate({ list: Array(200).fill({ in: 1 }) }) as unknown as { issues: { path: string }[] };
    assert.deepEqual(issues[0], { path: "list[0].in", message: "expected object or string, got number" });
    assert.equal(issues.length, 50);
  });
});

it("a text that is too long is not matched, however costly the pattern", () => {
  const { validate } = compileSchema(dto({ x: Text({ maxLength: 8, pattern: /^(a+)+$/ }) }), "input");
  assert.deepEqual((validate({ x: `${"a".repeat(60)}!` }) as unknown as { issues: unknown }).issues, [
    { path: "x", message: "expected at most 8 characters, got 61" },
  ]);
});

describe("an initialiser that changes", () => {
  let count = 0;
  class Count {
    x: number | undefined = count++;
    at: unknown = new Date(count);
  }
  const read = (x: number | undefined): Validation => {
    count = x as number;
    return compileSchema(Count, "input").validate({}) as Validation;
  };

  it("is read against its field each time", () => {
    dto({ x: Integer({ max: 2 }), at: Moment({ max: new Date(10) }) }, Count);
    assert.ok(read(0).ok);
    const fine = read(2);
    assert.ok(fine.ok);
    assert.deepEqual({ ...(fine.value as object) }, { x: 2, at: new Date(3) });
    assert.deepEqual(read(20), {
      ok: false,
      issues: [
        { path: "x", message: "expected at most 2, got 20" },
        { path: "at", message: "expected 1970-01-01T00:00:00.010Z or earlier" },
      ],
    });
  });

  it("does not make its field one that may be left out", () => {
    let made = 0;
    class Once {
      x = ++made < 3 ? 1 : undefined;
    }
    const { validate } = compileSchema(dto({ x: Integer() }, Once), "input");
    assert.deepEqual(validate({}), { ok: false, issues: [{ path: "x", message: "required" }] });
  });
});

it("a default is shown as it is read: only fields, and steady ones though the rest differs", () => {
  let made = 0;
  class Inner {
    x = "a";
    readonly secret = ++made;
  }
  class Outer {
    inner = new Inner();
    list!: Inner[];
  }
  dto({ x: Text() }, Inner);
  dto({ inner: Nested(Inner), list: ListOf(Inner, { default: [{ x: "b", key: 1 } as never] }) }, Outer);
  const { properties } = compileSchema(Outer, "input").jsonSchema as {
    properties: Record<string, { default: unknown }>;
  };
  assert.deepEqual([properties.inner?.default, properties.list?.default], [{ x: "a" }, [{ x: "b" }]]);
});

describe("what an author's own code throws", () => {
  it("is not taken for a value that is nested too deeply", () => {
    let count = 0;
    class Odd {
      constructor() {
        if (++count > 2) (1).toFixed(101);
      }
    }
    const { validate } = compileSchema(dto({ x: Text() }, Odd), "input");
    const { issues, cause } = validate({ x: "a" }) as unknown as { issues: unknown; cause: unknown };
    assert.deepEqual(issues, [{ path: "", message: "the value could not be validated" }]);
    assert.ok(cause instanceof RangeError);
    const given = z.string().refine(() => (1).toFixed(101) === "");
    assert.deepEqual((compileSchema(given, "input").validate("a") as unknown as { issues: unknown }).issues, issues);
  });
});

it("classes are written out until that would make the schema long; then those used more than once are definitions", () => {
  const doubled = (levels: number): DtoClass => {
    let made = dto({ x: Text() }, class Leaf {});
    for (let level = 1; level <= levels; level++) {
      made = dto({ a: Nested(made), b: ListOf(made) }, class Level {});
      Object.defineProperty(made, "name", { value: `Level${level}` });
    }
    return dto({ top: Nested(made), only: Nested(dto({ y: Text() }, class Once {})) });
  };
  const short = compileSchema(doubled(4), "input").jsonSchema;
  assert.equal("$defs" in short, false);
  assert.equal(JSON.stringify(short).split('"x":').length - 1, 16);
  const { properties, $defs } = compileSchema(doubled(40), "input").jsonSchema as Record<
    string,
    Record<string, unknown>
  >;
  const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
  assert.equal(Object.keys($defs!).length, 40);
  assert.deepEqual($defs!.Level1, {
    type: "object",
    properties: { a: ref("Leaf"), b: { type: "array", items: ref("Leaf") } },
    required: ["a", "b"],
  });
  assert.deepEqual((properties!.top as { properties: object }).properties, {
    a: ref("Level39"),
    b: { type: "array", items: ref("Level39") },
  });
  assert.deepEqual(properties!.only, { type: "object", properties: { y: { type: "string" } }, required: ["y"] });
});

it("names definitions apart where two classes that recur have one name", () => {
  const make = (): DtoClass => {
    class Node {}
    return dto({ next: [Optional(), Nested(() => Node)] }, Node);
  };
  const { $defs } = compileSchema(dto({ a: Nested(make()), b: Nested(make()) }), "input").jsonSchema;
  assert.deepEqual(Object.keys($defs as object), ["Node", "Node2"]);
});

it("keeps fields named like what every object inherits", () => {
  const { validate } = compileSchema(dto({ valueOf: [Optional(), Text()], toString: [Optional(), Text()] }), "input");
  const result = validate({ valueOf: "a" }) as { value: object };
  assert.deepEqual(Object.entries(result.value), [
    ["valueOf", "a"],
    ["toString", undefined],
  ]);
});
