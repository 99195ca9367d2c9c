import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DtoClass } from "../../core/schema.ts";
import { defineTool } from "../define-tool.ts";
import { checkTool } from "../tool-checks.ts";
import { ChoiceField as Choice } from "./choice-field.ts";
import { FlagField as Flag } from "./flag-field.ts";
import { ListField as ListOf } from "./list-field.ts";
import { MapField as MapOf } from "./map-field.ts";
import { MomentField as Moment } from "./moment-field.ts";
import { NestedField as Nested } from "./nested-field.ts";
import { IntegerField as Integer, NumberField as Numeric } from "./number-field.ts";
import { OneOfField as OneOf } from "./one-of-field.ts";
import { NullableField as Nullable, OptionalField as Optional } from "./optional-field.ts";
import { TextField as Text } from "./text-field.ts";

type Decorate = (prototype: never, key: never) => void;

/** A class `Dto` whose fields have these decorators, as the legacy system calls them. */
function dto(fields: Record<string, unknown>, made: DtoClass = class Dto {}): DtoClass {
  for (const [key, decorators] of Object.entries(fields))
    for (const decorate of [decorators].flat()) (decorate as Decorate)(made.prototype as never, key as never);
  return made;
}

/** What assembly says of a tool with this input. */
function problemsOf(input: unknown): string[] {
  const tool = defineTool({ name: "t", description: "d", input: input as DtoClass, execute: () => "" });
  return checkTool(tool, "test").map(({ code, message }) => {
    assert.equal(code, "tool.schema-unusable");
    return message.replace('"t" on test: input: ', "");
  });
}

/** What is wrong with a field `x` of these decorators. */
const faultOf = (...decorators: unknown[]): string | undefined =>
  problemsOf(dto({ x: decorators }))[0]?.replace("`Dto.x`: ", "");

describe("a mistake in a DTO class is told with class and field", () => {
  it("classes without decorated fields", () => {
    const message =
      "the class `Bare` has no decorated fields: decorate its fields with @Text() and the like from toolpost/dto";
    class Bare {}
    assert.deepEqual(problemsOf(Bare), [message]);
    assert.deepEqual(problemsOf(dto({ x: Nested(Bare) })), [message]);
    assert.match(problemsOf(() => Bare)[0]!, /has no decorated fields/);
    assert.match(problemsOf(String)[0]!, /^the class `String` has no decorated fields/);
  });

  it("an instance in place of the class", () => {
    const Query = dto({ x: Text() });
    const message = "it is an instance of the class `Dto`: give the class itself";
    assert.deepEqual(problemsOf(new Query()), [message]);
    const tool = defineTool({
      name: "t",
      description: "d",
      input: Query,
      output: new Query() as unknown as DtoClass,
      execute: () => "",
    });
    assert.deepEqual(
      checkTool(tool, "test").map((problem) => problem.message),
      [`"t" on test: output: ${message}`],
    );
  });

  it("constructors that take arguments, throw, or never end", () => {
    class Needy {
      readonly x: unknown;
      constructor(x: unknown) {
        this.x = x;
      }
    }
    assert.deepEqual(problemsOf(dto({ x: Text() }, Needy as never)), [
      "the constructor of `Needy` takes arguments: a DTO class is made without any",
    ]);
    class Angry {
      constructor() {
        throw new Error("no");
      }
    }
    assert.deepEqual(problemsOf(dto({ x: Text() }, Angry)), [
      'the constructor of `Angry` throws: "no"; a DTO class is made without arguments, and often',
    ]);
    class Endless {
      x: unknown = new Endless();
    }
    assert.match(problemsOf(dto({ x: [Optional(), Nested(Endless)] }, Endless))[0]!, /it makes itself without end/);
  });

  it("instances that are shared, or none of the class", () => {
    class One {
      static made: One | undefined;
      constructor() {
        One.made ??= this;
        // biome-ignore lint/correctness/noConstructorReturn: the mistake that is told
        return One.made;
      }
    }
    assert.deepEqual(problemsOf(dto({ x: Text() }, One)), [
      "the constructor of `One` gives the same instance each time: calls would share it",
    ]);
    class Other {
      constructor() {
        // biome-ignore lint/correctness/noConstructorReturn: the mistake that is told
        return [];
      }
    }
    assert.deepEqual(problemsOf(dto({ x: Text() }, Other)), [
      "the constructor of `Other` gives something else than an instance: let it return nothing",
    ]);
  });

  it("fields that cannot be written", () => {
    const mend = "do not freeze or lock it in the constructor";
    const locks: [(instance: object) => void, string][] = [
      [Object.freeze, "Cannot add property x, object is not extensible"],
      [Object.preventExtensions, "Cannot add property x, object is not extensible"],
      [
        (instance) => void Object.defineProperty(instance, "x", { value: "a" }),
        "Cannot assign to read only property 'x' of object '#<Locked>'",
      ],
    ];
    for (const [lock, why] of locks) {
      class Locked {
        constructor() {
          lock(this);
        }
      }
      assert.deepEqual(problemsOf(dto({ x: [Optional(), Text()] }, Locked)), [
        `\`Locked.x\`: an instance does not take a value for it (${why}): ${mend}`,
      ]);
    }
    class Base {}
    dto({ x: Text() }, Base);
    class Getter extends Base {
      get x() {
        return "a";
      }
    }
    class Accessor extends Base {
      get x() {
        return "a";
      }
      set x(_: string) {
        assert.fail("called");
      }
    }
    for (const type of [Getter, Accessor])
      assert.deepEqual(problemsOf(type), [
        `\`${type.name}.x\`: an accessor of its name stands in its place: rename one of them`,
      ]);
    assert.deepEqual(problemsOf(Base), []);
  });

  it("no kind, and two kinds", () => {
    assert.equal(faultOf(Optional()), "has @Optional() and no kind: add @Text() or the like");
    assert.equal(faultOf(Nullable()), "has @Nullable() and no kind: add @Text() or the like");
    assert.equal(faultOf(Text(), Numeric()), "has two kinds, @Text() and @Number(): keep one of them");
  });

  it("items that are no types", () => {
    const circle =
      "@ListOf() got `undefined`: its class is declared further down, or its file is imported in a circle: write `() => Type`";
    assert.equal(faultOf(ListOf(undefined as never)), circle);
    assert.equal(faultOf(Nested(undefined as never)), circle.replace("ListOf", "Nested"));
    assert.match(faultOf(MapOf(() => undefined as never))!, /^@MapOf\(\) got `undefined`: `\(\) => Type` gives it/);
    assert.equal(
      faultOf(OneOf([Text(), 3 as never])),
      "@OneOf() got `3`, expected a DTO class, `() => Type` or a decorator such as Text()",
    );
    assert.equal(faultOf(ListOf(String as never)), "@ListOf() got `String`, expected Text()");
    assert.equal(faultOf(ListOf(Date as never)), "@ListOf() got `Date`, expected Moment()");
    assert.equal(
      faultOf(ListOf(Text as never)),
      "@ListOf() got a decorator that was not called: write Text() or the like",
    );
    assert.equal(
      faultOf(ListOf(Text({ default: "x" }))),
      "@Text() in @ListOf() has a `default`, which only fields take: remove it",
    );
    assert.equal(
      faultOf(Nested(() => itself)),
      "@Nested() got a function that throws (Cannot access 'itself' before initialization): give `() => Type` with a class that is there by then",
    );
    const itself = dto({ y: Text() });
    assert.equal(
      faultOf(ListOf(Optional() as never)),
      "@ListOf() got @Optional(), which only fields take: give the type alone",
    );
    assert.equal(
      faultOf(OneOf([Text(), Nullable() as never])),
      "@OneOf() got @Nullable(), which only fields take: give the type alone",
    );
    assert.equal(faultOf(Nested(Map as never)), "@Nested() got `Map`, expected MapOf(…)");
    assert.equal(faultOf(Nested(() => Map as never)), "@Nested() got `Map`, expected MapOf(…)");
    assert.equal(faultOf(ListOf(Set as never)), "@ListOf() got `Set`, expected ListOf(…) with `unique: true`");
    const type = "a DTO class, `() => Type` or a decorator such as Text()";
    for (const builtIn of [Promise, Symbol, RegExp, URL, Error, Function])
      assert.equal(faultOf(Nested(builtIn as never)), `@Nested() got \`${builtIn.name}\`, expected ${type}`);
    assert.equal(faultOf(OneOf([])), "@OneOf() got `[]`, expected a list of types to choose from");
  });

  it("bounds of the wrong kind, and bounds that no value fits", () => {
    for (const [decorator, message] of [
      [
        Text({ minLength: 3, maxLength: 2 }),
        "@Text(): no value fits `minLength` 3 and `maxLength` 2: change one of them",
      ],
      [Text({ minLength: -1 }), "@Text(): `minLength` is `-1`, expected a whole number from 0"],
      [Text({ pattern: "a" as never }), '@Text(): `pattern` is `"a"`, expected a RegExp such as /^[a-z]+$/'],
      [
        Text({ pattern: /a/g }),
        "@Text(): `pattern` has the flag `g`, with which it remembers its last match: remove it",
      ],
      [
        Text({ pattern: /a/y }),
        "@Text(): `pattern` has the flag `y`, with which it remembers its last match: remove it",
      ],
      [Text({ format: "phone" as never }), '@Text(): `format` is `"phone"`, expected one of email, uuid, uri, date'],
      [
        Text({ minlength: 1 } as never),
        "@Text(): there is no option `minlength`: use one of prompt, default, minLength, maxLength, pattern, format",
      ],
      [Text({ prompt: 1 as never }), "@Text(): `prompt` is `1`, expected the description the model reads"],
      [Numeric({ min: 2, max: 1 }), "@Number(): no value fits `min` 2 and `max` 1: change one of them"],
      [Numeric({ min: 1, lessThan: 1 }), "@Number(): no value fits `min` 1 and `lessThan` 1: change one of them"],
      [Integer({ moreThan: 1, max: 1 }), "@Integer(): no value fits `moreThan` 1 and `max` 1: change one of them"],
      [
        Integer({ moreThan: 1, lessThan: 1 }),
        "@Integer(): no value fits `moreThan` 1 and `lessThan` 1: change one of them",
      ],
      [Integer({ min: 1.2, max: 1.8 }), "@Integer(): no integer fits `min` 1.2 and `max` 1.8: change one of them"],
      [
        Integer({ moreThan: 1, lessThan: 2 }),
        "@Integer(): no integer fits `moreThan` 1 and `lessThan` 2: change one of them",
      ],
      [
        Integer({ min: 1, max: 4, multipleOf: 5 }),
        "@Integer(): no integer fits `min` 1 and `max` 4 and `multipleOf` 5: change one of them",
      ],
      [Integer({ moreThan: 2 ** 53 }), "@Integer(): no integer fits `moreThan` 9007199254740992: change it"],
      [
        Numeric({ min: 0.11, max: 0.19, multipleOf: 0.1 }),
        "@Number(): no value fits `min` 0.11 and `max` 0.19 and `multipleOf` 0.1: change one of them",
      ],
      [Numeric({ min: Number.NaN }), "@Number(): `min` is `NaN`, expected a number"],
      [Numeric({ multipleOf: 0 }), "@Number(): `multipleOf` is `0`, expected a number above 0"],
      [Flag({ yes: true } as never), "@Flag(): there is no option `yes`: use one of prompt, default"],
      [Choice([]), "@Choice() got `[]`, expected values: a list of texts or numbers, or an enum"],
      [
        Choice(undefined as never),
        "@Choice() got `undefined`, expected values: a list of texts or numbers, or an enum",
      ],
      [Choice([Number.NaN]), "@Choice(): `NaN` is no value to choose: give texts and numbers"],
      [
        Moment({ min: new Date(1), max: new Date(0) }),
        '@Moment(): no value fits `min` "1970-01-01T00:00:00.001Z" and `max` "1970-01-01T00:00:00.000Z": change one of them',
      ],
      [Moment({ min: "2026" as never }), '@Moment(): `min` is `"2026"`, expected a Date'],
      [
        ListOf(Text(), { minItems: 2, maxItems: 1 }),
        "@ListOf(): no value fits `minItems` 2 and `maxItems` 1: change one of them",
      ],
      [ListOf(Text(), { unique: 1 as never }), "@ListOf(): `unique` is `1`, expected true or false"],
    ] as const)
      assert.equal(faultOf(decorator), message);
  });

  it("but no bounds that something fits", () => {
    for (const decorator of [
      Integer({ min: 1.2, max: 2 }),
      Integer({ min: 2, max: 2.5 }),
      Integer({ moreThan: 1, lessThan: 3 }),
      Integer({ moreThan: -0.5, lessThan: 0.5 }),
      Integer({ min: -5, max: -5, multipleOf: 5 }),
      Integer({ moreThan: -6, lessThan: -4, multipleOf: 5 }),
      Integer({ max: 0, multipleOf: 7 }),
      Integer({ min: 3, max: 3, multipleOf: 1.5 }),
      Integer({ min: Number.MAX_SAFE_INTEGER }),
      Numeric({ min: 0.3, max: 0.3, multipleOf: 0.1 }),
      Numeric({ min: 0.7, max: 0.7, multipleOf: 0.1 }),
      Numeric({ moreThan: 0, lessThan: 1 }),
    ])
      assert.equal(faultOf(decorator), undefined);
  });

  it("defaults that the field refuses", () => {
    assert.equal(
      faultOf(Integer({ min: 1, default: 0 })),
      "`default` is `0`, which the field refuses (expected at least 1, got 0): change it",
    );
    assert.equal(
      faultOf(ListOf(Text(), { default: ["a", 1 as never] })),
      '`default` is `["a",1]`, which the field refuses at [1] (expected string, got number): change it',
    );
    class Dto {
      x = "";
    }
    assert.deepEqual(problemsOf(dto({ x: Text({ minLength: 1 }) }, Dto)), [
      '`Dto.x`: the initialiser is `""`, which the field refuses (expected at least 1 character, got 0): change it, or declare the field without it (`name!: string`)',
    ]);
    class None {
      x = null;
    }
    assert.match(
      problemsOf(dto({ x: [Optional(), Text()] }, None))[0]!,
      /^`None.x`: the initialiser is `null`.*: add @Nullable\(\)$/,
    );
  });

  it("initialisers that give what the field refuses the second time, or what cannot be read", () => {
    let count = 0;
    class Count {
      x = count++;
    }
    assert.deepEqual(problemsOf(dto({ x: Integer({ max: 0 }) }, Count)), [
      "`Count.x`: the initialiser is `1`, which the field refuses (expected at most 0, got 1): change it, or declare the field without it (`name!: string`)",
    ]);
    let made = 0;
    class Moody {
      constructor() {
        if (++made > 2) throw new Error("no more");
      }
    }
    dto({ x: Text() }, Moody);
    assert.equal(
      faultOf(Nested(Moody, { default: { x: "a" } as never })),
      '`default` is `{"x":"a"}`, which cannot be read: no more',
    );
  });

  it("classes whose every value needs another one in it", () => {
    class Node {}
    dto({ next: Nested(() => Node) }, Node);
    assert.deepEqual(problemsOf(Node), [
      "`Node.next`: every value needs another one in it, without end: make it @Optional() or a list",
    ]);
    class Even {}
    class Odd {}
    dto({ x: ListOf(Odd, { minItems: 1 }) }, Even);
    dto({ x: OneOf([Even, () => Odd]) }, Odd);
    assert.equal(problemsOf(Even).join().split("without end").length, 3);
    for (const fields of [
      (type: () => DtoClass) => [Optional(), Nested(type)],
      (type: () => DtoClass) => [Nullable(), Nested(type)],
      (type: () => DtoClass) => ListOf(type),
      (type: () => DtoClass) => MapOf(type),
      (type: () => DtoClass) => OneOf([type, Text()]),
    ]) {
      const made = fresh();
      assert.deepEqual(problemsOf(dto({ x: fields(() => made) }, made)), []);
    }
  });

  it("what is decorated is no instance field with a name", () => {
    const takes = "it takes instance fields with a name";
    class Dto {
      method(): void {}
    }
    const { method } = Object.getOwnPropertyDescriptors(Dto.prototype);
    (Text() as (...given: unknown[]) => void)(Dto.prototype, "method", method);
    (Text() as (...given: unknown[]) => void)(Dto, "fixed");
    (Text() as (...given: unknown[]) => void)(Dto.prototype, Symbol("key"));
    assert.deepEqual(problemsOf(Dto)[0]?.split("; "), [
      `\`Dto\`: \`method\`: @Text() decorates a method or accessor: ${takes}`,
      `\`Dto\`: \`fixed\`: @Text() decorates a static field: ${takes}`,
      `\`Dto\`: \`Symbol(key)\`: @Text() decorates a field whose key is a symbol: ${takes}`,
    ]);
    class Standard {}
    const metadata = Object.create(null);
    Object.defineProperty(Standard, (Symbol as unknown as { metadata: symbol }).metadata, { value: metadata });
    for (const context of [
      { kind: "accessor", name: "a" },
      { kind: "field", name: "b", static: true },
      { kind: "field", name: "#c", private: true },
    ])
      (Text() as (...given: unknown[]) => void)(undefined, { ...context, metadata });
    assert.deepEqual(problemsOf(Standard)[0]?.split("; "), [
      `\`Standard\`: \`a\`: @Text() decorates an accessor: ${takes}`,
      `\`Standard\`: \`b\`: @Text() decorates a static field: ${takes}`,
      `\`Standard\`: \`#c\`: @Text() decorates a private field: ${takes}`,
    ]);
    assert.match(faultInNames("__proto__"), /rename the field$/);
    assert.throws(() => (Text() as (...given: unknown[]) => void)(undefined, { kind: "field", name: "x" }), {
      code: "tool.schema-unusable",
      message: /the compiler gives decorators no metadata/,
    });
    assert.throws(() => (Text() as (...given: unknown[]) => void)(undefined, undefined), {
      code: "tool.schema-unusable",
      message: /write it before a field of a class/,
    });
  });

  it("all at once, over all classes it refers to", () => {
    const inner = dto({ a: [Text(), Flag()], b: Choice([]) }, class Inner {});
    const [message] = problemsOf(dto({ x: Nested(inner), y: Numeric({ min: 1, max: 0 }) }));
    assert.deepEqual(
      message?.split("; ").map((part) => part.split(":")[0]),
      ["`Inner.a`", "`Inner.b`", "`Dto.y`"],
    );
  });
});

it("a class that its author made a global is not taken for one of JavaScript's", () => {
  class Shared {}
  dto({ x: Text() }, Shared);
  Object.assign(globalThis, { Shared });
  try {
    assert.equal(faultOf(Nested(Shared)), undefined);
  } finally {
    Reflect.deleteProperty(globalThis, "Shared");
  }
});

function fresh(): DtoClass {
  return class Dto {};
}

function faultInNames(key: string): string {
  const made = fresh();
  (Text() as (...given: unknown[]) => void)(made.prototype, key);
  return problemsOf(made).join();
}
