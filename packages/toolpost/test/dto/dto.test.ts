// What DTO classes do, the same under every decorator system: the classes are written as users write them, in
// `fixtures/dto-classes.ts`, and compiled by a real compiler.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runInNewContext } from "node:vm";
import { compileSchema } from "../../src/author/compile-schema.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import type { DtoClass, Validation } from "../../src/core/schema.ts";
import { testTool } from "../../src/testing/test-tool.ts";
import { type DecoratorSystem, decoratorSystems, importCompiled } from "../lib/compile-fixture.ts";

type Classes = typeof import("./fixtures/dto-classes.ts") & Enums;

/** Written out, as enums are no syntax that can be erased. */
interface Enums {
  readonly Choices: new () => { colour: number; size: string; columns: 1 | "auto" };
  readonly Colour: { readonly Red: 0; readonly Green: 1 };
  readonly Size: { readonly Small: "s"; readonly Large: "l" };
}

for (const system of Object.keys(decoratorSystems) as DecoratorSystem[]) {
  const dtos: Classes = {
    ...(await importCompiled<Classes>("dto/fixtures/dto-classes.ts", system)),
    ...(await importCompiled<Enums>("dto/fixtures/dto-enums.ts", system)),
  };
  describe(`a DTO class under decorators: ${system}`, () => behaviour(dtos));
}

function read<T>(type: DtoClass<T>, value: unknown): T {
  const result = compileSchema(type as DtoClass, "input").validate(value) as Validation<T>;
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

function returned<T>(type: DtoClass<T>, value: unknown): T {
  const result = compileSchema(type as DtoClass, "output").validate(value) as Validation<T>;
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

/** `path: message` of each issue. */
function issuesOf(type: DtoClass, value: unknown, direction: "input" | "output" = "input"): string[] {
  const result = compileSchema(type, direction).validate(value) as Validation;
  return result.ok ? [] : result.issues.map(({ path, message }) => `${path}: ${message}`);
}

function propertiesOf(type: DtoClass): Record<string, unknown> {
  return compileSchema(type, "input").jsonSchema.properties as Record<string, unknown>;
}

function behaviour(dtos: Classes): void {
  const filter = { field: "a", op: "eq", value: 1 };

  it("tells the model its fields, their prompts and bounds", () => {
    assert.deepEqual(compileSchema(dtos.IssueQuery, "input").jsonSchema, {
      type: "object",
      properties: { query: { type: "string", description: "words to search the issues for" } },
      required: ["query"],
    });
    assert.deepEqual(propertiesOf(dtos.Bench), {
      path: { type: "string", minLength: 1 },
      limit: { type: "integer", minimum: 1 },
      recursive: { type: "boolean" },
      mode: { type: "string", enum: ["fast", "safe"] },
      tags: { type: "array", items: { type: "string" } },
      filters: {
        type: "array",
        items: {
          type: "object",
          properties: {
            field: { type: "string" },
            op: { type: "string", enum: ["eq", "lt", "gt"] },
            value: { type: "number" },
          },
          required: ["field", "op", "value"],
        },
      },
    });
    assert.deepEqual(propertiesOf(dtos.Numbers), {
      share: { type: "number", minimum: 0, maximum: 1 },
      open: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 10 },
      tenths: { type: "number", multipleOf: 0.1 },
      fives: { type: "integer", multipleOf: 5 },
    });
    assert.deepEqual(propertiesOf(dtos.Lists).labels, {
      type: "array",
      items: { type: "string", maxLength: 3, description: "a label" },
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
    });
    assert.deepEqual(propertiesOf(dtos.Times).start, {
      type: "string",
      format: "date-time",
      description: "when it starts",
    });
    assert.deepEqual(propertiesOf(dtos.Maps).totals, { type: "object", additionalProperties: { type: "number" } });
  });

  it("shows a pattern only where JSON Schema can say it", () => {
    const { word, yes, email } = propertiesOf(dtos.Texts);
    assert.deepEqual(word, { type: "string", pattern: "^[a-z]+$" });
    assert.deepEqual(yes, { type: "string" });
    assert.deepEqual(email, { type: "string", format: "email" });
  });

  it("makes instances, nested ones too, and drops unknown keys", () => {
    const person = read(dtos.Person, { name: "Ada", boss: { name: "Bo", firm: null, age: 3 }, secret: 1 });
    assert.ok(person instanceof dtos.Person && person.boss instanceof dtos.Person);
    assert.equal(person.boss.greet(), "I am Bo, kept");
    assert.deepEqual(Object.keys(person.boss).sort(), Object.keys(person).sort());
    assert.equal("secret" in person, false);
    const { filters } = read(dtos.Maps, { totals: {}, filters: { x: filter } });
    assert.ok(filters?.x instanceof dtos.Filter);
    assert.ok(read(dtos.Bench, benchValue([filter])).filters[0] instanceof dtos.Filter);
  });

  it("reads keys in any order", () => {
    const { value, op, field } = filter;
    assert.deepEqual({ ...read(dtos.Filter, { more: 1, value, op, field }) }, { field: "a", op: "eq", value: 1 });
    assert.deepEqual(issuesOf(dtos.Filter, { value, field }), ["op: required"]);
  });

  it("says everything that is wrong, each with its path", () => {
    const wrong = { ...benchValue([{ ...filter, op: "x" }, 3]), path: "", limit: 0.5, recursive: "false", mode: "z" };
    assert.deepEqual(issuesOf(dtos.Bench, { ...wrong, tags: ["a", 1] }), [
      "path: expected at least 1 character, got 0",
      "limit: expected integer, got 0.5",
      "recursive: expected boolean, got string",
      'mode: must be one of "fast", "safe"',
      "tags[1]: expected string, got number",
      'filters[0].op: must be one of "eq", "lt", "gt"',
      "filters[1]: expected object, got number",
    ]);
    assert.deepEqual(issuesOf(dtos.Bench, null), [": expected object, got null"]);
    assert.deepEqual(issuesOf(dtos.Bench, [1]), [": expected object, got array"]);
    assert.deepEqual(issuesOf(dtos.Maps, { totals: { "a b": "x" }, filters: { c: { ...filter, value: null } } }), [
      'totals["a b"]: expected number, got string',
      "filters.c.value: expected number, got null",
    ]);
  });

  it("bounds texts, counted in characters", () => {
    assert.equal(read(dtos.Texts, { short: "👍👍" }).short, "👍👍");
    assert.equal(read(dtos.Texts, { short: "👍👍👍" }).short, "👍👍👍");
    assert.deepEqual(issuesOf(dtos.Texts, { short: "👍" }), ["short: expected at least 2 characters, got 1"]);
    assert.deepEqual(issuesOf(dtos.Texts, { short: "abcd" }), ["short: expected at most 3 characters, got 4"]);
    assert.deepEqual(issuesOf(dtos.Texts, { short: "ab", word: "A" }), ["word: must match the pattern ^[a-z]+$"]);
    assert.equal(read(dtos.Texts, { short: "ab", yes: "YES" }).yes, "YES");
    assert.deepEqual(issuesOf(dtos.Texts, { short: "ab", yes: "no" }), ["yes: must match the pattern ^yes$"]);
  });

  it("checks the formats it names", () => {
    const good = {
      email: ["a@b.example", "x+y@localhost"],
      uri: ["https://a.example/b?c=d#e", "mailto:a@b.example", "urn:isbn:1"],
      uuid: ["0189f2d3-5f5c-7b3e-9c1d-1f2e3d4c5b6a"],
      date: ["2026-02-28", "2024-02-29"],
    };
    const bad = {
      email: ["a", "a@", "a b@c.example", `${"a".repeat(320)}@b.example`],
      uri: ["b", "//a.example", "http://a b", "http://", "https://exämple"],
      uuid: ["0189f2d3-5f5c-7b3e-9c1d", ""],
      date: ["2026-02-30", "2026-01-01T00:00:00Z", "26-01-01"],
    };
    for (const [format, texts] of Object.entries(good))
      for (const text of texts) assert.deepEqual(issuesOf(dtos.Texts, { short: "ab", [format]: text }), [], text);
    for (const [format, texts] of Object.entries(bad))
      for (const text of texts)
        assert.deepEqual(
          issuesOf(dtos.Texts, { short: "ab", [format]: text }),
          [`${format}: expected a string of the format ${format}`],
          text,
        );
  });

  it("bounds numbers", () => {
    assert.deepEqual(issuesOf(dtos.Numbers, { share: 1.5 }), ["share: expected at most 1, got 1.5"]);
    assert.deepEqual(issuesOf(dtos.Numbers, { share: -1 }), ["share: expected at least 0, got -1"]);
    assert.deepEqual(issuesOf(dtos.Numbers, { share: 0, open: 0 }), ["open: expected more than 0, got 0"]);
    assert.deepEqual(issuesOf(dtos.Numbers, { share: 0, open: 10 }), ["open: expected less than 10, got 10"]);
    assert.deepEqual(issuesOf(dtos.Numbers, { share: 0, tenths: 0.3, fives: -15 }), []);
    assert.deepEqual(issuesOf(dtos.Numbers, { share: 0, tenths: 0.35 }), [
      "tenths: expected a multiple of 0.1, got 0.35",
    ]);
    assert.deepEqual(issuesOf(dtos.Numbers, { share: 0, fives: 3 }), ["fives: expected a multiple of 5, got 3"]);
    assert.deepEqual(issuesOf(dtos.Numbers, { share: Number.NaN }), ["share: expected number, got NaN"]);
    assert.deepEqual(issuesOf(dtos.Filter, { ...filter, value: Number.POSITIVE_INFINITY }), [
      "value: expected number, got Infinity",
    ]);
    assert.deepEqual(issuesOf(dtos.Animal, { name: "a", legs: 2 ** 53 }), [
      "legs: expected at most 9007199254740991, got 9007199254740992",
    ]);
  });

  it("chooses among texts, numbers and the members of enums", () => {
    assert.deepEqual(propertiesOf(dtos.Choices), {
      colour: { type: "integer", enum: [0, 1] },
      size: { type: "string", enum: ["s", "l"], description: "how large" },
      columns: { enum: [1, "auto"] },
    });
    assert.deepEqual(
      { ...read(dtos.Choices, { colour: 1, size: "l", columns: "auto" }) },
      {
        colour: dtos.Colour.Green,
        size: dtos.Size.Large,
        columns: "auto",
      },
    );
    assert.deepEqual(issuesOf(dtos.Choices, { colour: "Red", size: "Small", columns: "1" }), [
      "colour: must be one of 0, 1",
      'size: must be one of "s", "l"',
      'columns: must be one of 1, "auto"',
    ]);
  });

  it("reads moments from text, and takes only a Date from a handler", () => {
    const text = "2026-05-01T10:00:00+02:00";
    assert.deepEqual(read(dtos.Times, { start: text }).start, new Date("2026-05-01T08:00:00Z"));
    assert.deepEqual(read(dtos.Times, { start: "2026-05-01" }).start, new Date("2026-05-01"));
    const expected =
      "expected a date such as 2026-01-31, or a date and time with its offset such as 2026-01-31T09:30:00Z";
    for (const start of ["2026-02-30", "2026-05-01T10:00:00", "tomorrow", 0])
      assert.deepEqual(issuesOf(dtos.Times, { start }), [`start: ${expected}`]);
    assert.deepEqual(issuesOf(dtos.Times, { start: text, inYear: "2025-12-31" }), [
      "inYear: expected 2026-01-01T00:00:00.000Z or later",
    ]);
    assert.deepEqual(issuesOf(dtos.Times, { start: text, inYear: "2027-01-01" }), [
      "inYear: expected 2026-12-31T00:00:00.000Z or earlier",
    ]);
    const start = new Date(0);
    const kept = returned(dtos.Times, { start });
    assert.deepEqual(kept.start, start);
    assert.notEqual(kept.start, start);
    for (const wrong of [text, new Date("x")])
      assert.deepEqual(issuesOf(dtos.Times, { start: wrong }, "output"), ["start: expected a valid Date"]);
  });

  it("bounds lists, and tells items that do not differ", () => {
    assert.deepEqual(issuesOf(dtos.Lists, { labels: [] }), ["labels: expected at least 1 item, got 0"]);
    assert.deepEqual(issuesOf(dtos.Lists, { labels: ["a", "b", "c"] }), ["labels: expected at most 2 items, got 3"]);
    assert.deepEqual(issuesOf(dtos.Lists, { labels: ["a", "a"] }), ["labels: expected items that all differ"]);
    assert.deepEqual(issuesOf(dtos.Lists, { labels: ["a"], filters: [filter, { value: 1, op: "eq", field: "a" }] }), [
      "filters: expected items that all differ",
    ]);
    assert.deepEqual(issuesOf(dtos.Lists, { labels: "a" }), ["labels: expected array, got string"]);
    assert.deepEqual(issuesOf(dtos.Lists, { labels: ["a"], grid: [[1], [2, "x"]] }), [
      "grid[1][1]: expected integer, got string",
    ]);
    // A hole is no item.
    assert.deepEqual(issuesOf(dtos.Lists, { labels: new Array(1) }), ["labels[0]: expected string, got undefined"]);
  });

  it("gives defaults of decorators and initialisers, each instance its own", () => {
    const [one, two] = [read(dtos.Defaults, {}), read(dtos.Defaults, { limit: null, tags: null })];
    assert.equal(one.limit, 20);
    assert.equal(two.limit, 20);
    assert.deepEqual([one.tags, one.more, one.since, one.note, one.loud], [["new"], ["new"], new Date(0), null, false]);
    assert.ok(one.filter instanceof dtos.Filter);
    assert.notEqual(one.id, two.id);
    one.tags.push("changed");
    one.more.push("changed");
    assert.deepEqual([two.tags, two.more, dtos.sharedTags], [["new"], ["new"], ["new"]]);
    assert.deepEqual(read(dtos.Defaults, {}).tags, ["new"]);
    assert.notEqual(one.since, two.since);
    assert.equal(read(dtos.Defaults, { loud: true, note: "n" }).note, "n");
  });

  it("shows defaults that are JSON and the same each time", () => {
    const { properties, required } = compileSchema(dtos.Defaults, "input").jsonSchema;
    const shown = Object.entries(properties as object).map(([key, { default: value }]) => [key, value]);
    assert.deepEqual(Object.fromEntries(shown), {
      limit: 20,
      tags: ["new"],
      more: ["new"],
      filter,
      id: undefined,
      since: undefined,
      loud: false,
      note: null,
    });
    assert.equal(required, undefined);
    assert.deepEqual(compileSchema(dtos.Defaults, "output").jsonSchema.required, Object.keys(properties as object));
  });

  it("takes null where it is told to, and for nothing where a field may be left out", () => {
    const { name, kind, filter: nested, count } = propertiesOf(dtos.Nulls) as Record<string, { type: unknown }>;
    assert.deepEqual(name, { type: ["string", "null"] });
    assert.deepEqual(kind, { type: ["string", "null"], enum: ["a", null] });
    assert.deepEqual(
      [nested?.type, count?.type],
      [
        ["object", "null"],
        ["integer", "null"],
      ],
    );
    const nulls = read(dtos.Nulls, { name: null, kind: null, filter: null, count: null });
    assert.deepEqual({ ...nulls }, { name: null, kind: null, filter: null, count: null });
    assert.deepEqual(issuesOf(dtos.Nulls, { name: null, kind: null }), ["filter: required"]);
    assert.equal(read(dtos.Texts, { short: "ab", word: null }).word, undefined);
    assert.deepEqual(issuesOf(dtos.IssueQuery, { query: null }), ["query: expected string, got null"]);
    assert.deepEqual(issuesOf(dtos.IssueQuery, { query: undefined }), ["query: required"]);
  });

  it("tells alternatives apart by a field with one value each", () => {
    const { shape } = read(dtos.Unions, { id: 5, shape: { kind: "circle", radius: 2 } });
    assert.ok(shape instanceof dtos.Circle);
    assert.equal(shape.area(), 4);
    assert.deepEqual(issuesOf(dtos.Unions, { id: "a", shape: { kind: "circle", radius: -1, side: 1 } }), [
      "shape.radius: expected more than 0, got -1",
    ]);
    assert.deepEqual(issuesOf(dtos.Unions, { id: "a", shape: { kind: "line", side: 1 } }), [
      'shape.kind: must be one of "circle", "square"',
    ]);
    assert.deepEqual(issuesOf(dtos.Unions, { id: "a", shape: { side: 1 } }), ["shape.kind: required"]);
    assert.deepEqual(issuesOf(dtos.Unions, { id: "a", shape: 3 }), ["shape: expected object, got number"]);
  });

  it("tries other alternatives in their order, and tells what the one that was meant lacks", () => {
    const shape = { kind: "square", side: 1 };
    assert.ok(read(dtos.Unions, { id: "a", shape, either: { query: "q" } }).either instanceof dtos.IssueQuery);
    assert.ok(read(dtos.Unions, { id: "a", shape, either: { ...filter, query: "q" } }).either instanceof dtos.Filter);
    assert.deepEqual(issuesOf(dtos.Unions, { id: 1, shape }), ["id: expected at least 5, got 1"]);
    assert.deepEqual(issuesOf(dtos.Unions, { id: true, shape }), ["id: expected string or integer, got boolean"]);
    assert.deepEqual(propertiesOf(dtos.Unions).id, { anyOf: [{ type: "string" }, { type: "integer", minimum: 5 }] });
  });

  it("keeps the class of what a handler returns, though an earlier alternative would fit too", () => {
    const both = Object.assign(new dtos.IssueQuery(), { query: "q", ...filter });
    const result = returned(dtos.Unions, { id: "a", shape: { kind: "square", side: 1 }, either: both });
    assert.ok(result.either instanceof dtos.IssueQuery);
  });

  it("refers only to classes that recur, and never at the root", () => {
    const person = {
      type: "object",
      properties: {
        name: { type: "string" },
        boss: { $ref: "#/$defs/Person" },
        team: { type: "array", items: { $ref: "#/$defs/Person" }, default: [] },
        firm: { $ref: "#/$defs/Firm" },
      },
      required: ["name"],
    };
    const firm = {
      type: "object",
      properties: {
        people: { type: "array", items: { $ref: "#/$defs/Person" } },
        daughters: { type: "object", additionalProperties: { $ref: "#/$defs/Firm" } },
      },
      required: ["people", "daughters"],
    };
    assert.deepEqual(compileSchema(dtos.Person, "input").jsonSchema, {
      ...person,
      $defs: { Person: person, Firm: firm },
    });
    assert.deepEqual(compileSchema(dtos.Outside, "input").jsonSchema, {
      type: "object",
      properties: { person: { $ref: "#/$defs/Person" } },
      required: ["person"],
      $defs: { Person: person, Firm: firm },
    });
    assert.equal("$defs" in compileSchema(dtos.Bench, "input").jsonSchema, false);
  });

  it("refuses values that lie within themselves or are nested without measure", () => {
    const circle: { name: string; team: unknown[] } = { name: "a", team: [] };
    circle.team.push(circle, circle);
    const deep = (levels: number): object => {
      let value: object = { name: "a" };
      for (let level = 1; level < levels; level++) value = { name: "a", boss: value };
      return value;
    };
    assert.deepEqual(issuesOf(dtos.Person, deep(200)), []);
    for (const value of [circle, deep(201), deep(100_000)]) {
      assert.deepEqual(issuesOf(dtos.Person, value), [": nested too deeply to be validated"]);
      assert.deepEqual(issuesOf(dtos.Person, value, "output"), [": nested too deeply to be validated"]);
    }
  });

  it("refuses what has no fields of its own, though it is an object", async () => {
    class Kept extends Map {}
    const odd: [object, string][] = [
      [new Map([["a", 1]]), "Map"],
      [new Kept(), "Kept"],
      [new Set([1]), "Set"],
      [new Date(0), "Date"],
      [Promise.resolve({}), "Promise"],
      [/a/, "RegExp"],
      [new Error("a"), "Error"],
      [new URL("a:b"), "URL"],
      [new Uint8Array(1), "Uint8Array"],
      [Object(1), "Number"],
    ];
    for (const direction of ["input", "output"] as const) {
      for (const [value, kind] of odd) {
        assert.deepEqual(issuesOf(dtos.Nothing, value, direction), [`: expected object, got ${kind}`]);
        assert.deepEqual(issuesOf(dtos.Nothing, { map: value, either: value, shape: value }, direction), [
          `map: expected object, got ${kind}`,
          `either: expected object or string, got ${kind}`,
          `shape: expected object, got ${kind}`,
        ]);
      }
    }
  });

  it("reads plain objects and its own instances, and from a program those of any class", () => {
    class Bird extends class Animal {} {
      name = "Bo";
      legs = 2;
    }
    const own = Object.assign(new dtos.Animal(), { name: "Bo", legs: 2 });
    const bare = Object.assign(Object.create(null), { name: "Bo", legs: 2 });
    for (const value of [own, bare, runInNewContext('({ name: "Bo", legs: 2 })')])
      for (const direction of ["input", "output"] as const)
        assert.deepEqual(issuesOf(dtos.Animal, value, direction), []);
    assert.deepEqual(issuesOf(dtos.Animal, new Bird(), "output"), []);
    assert.deepEqual(issuesOf(dtos.Maps, { totals: Object.assign(new Bird(), { name: 1 }) }, "output"), []);
    assert.deepEqual(issuesOf(dtos.Animal, new Bird()), [": expected object, got Bird"]);
  });

  it("has the fields of its parents first, and its own in place of theirs", () => {
    assert.deepEqual(propertiesOf(dtos.Bird), {
      name: { type: "string" },
      legs: { type: "integer", maximum: 2, default: 2 },
      sings: { type: "boolean" },
    });
    assert.deepEqual(Object.keys(propertiesOf(dtos.Bird)), ["name", "legs", "sings"]);
    assert.deepEqual(Object.keys(propertiesOf(dtos.Animal)), ["name", "legs"]);
    const bird = read(dtos.Plain, { name: "Bo", sings: true });
    assert.ok(bird instanceof dtos.Plain);
    assert.equal(bird.legs, 2);
    assert.deepEqual(issuesOf(dtos.Plain, { name: "Bo", sings: true, legs: 3 }), ["legs: expected at most 2, got 3"]);
  });

  it("reads own properties only, and lets no key pollute", () => {
    assert.deepEqual(issuesOf(dtos.IssueQuery, Object.create({ query: "inherited" })), ["query: required"]);
    Object.defineProperty(Object.prototype, "query", {
      value: "polluted",
      enumerable: true,
      writable: true,
      configurable: true,
    });
    try {
      assert.deepEqual(issuesOf(dtos.IssueQuery, {}), ["query: required"]);
      assert.deepEqual(issuesOf(dtos.IssueQuery, { other: 1 }), ["query: required"]);
    } finally {
      Reflect.deleteProperty(Object.prototype, "query");
    }
    const { totals } = read(dtos.Maps, JSON.parse('{ "totals": { "__proto__": 1, "constructor": 2 } }'));
    assert.equal(Object.getPrototypeOf(totals), Object.prototype);
    assert.deepEqual(Object.entries(totals), [
      ["__proto__", 1],
      ["constructor", 2],
    ]);
    const query = read(
      dtos.IssueQuery,
      JSON.parse('{ "query": "q", "__proto__": { "admin": true }, "constructor": 1 }'),
    );
    assert.equal(Object.getPrototypeOf(query), dtos.IssueQuery.prototype);
    assert.equal("admin" in query, false);
  });

  it("refuses what throws when it is read", () => {
    const throws = {
      get query(): never {
        throw new Error("secret");
      },
    };
    const proxy = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error("secret");
        },
      },
    );
    for (const value of [throws, proxy])
      assert.deepEqual(issuesOf(dtos.IssueQuery, value, "output"), [": the value could not be validated"]);
  });

  it("is what a handler gets and what it gives", async () => {
    const tool = defineTool({
      name: "search",
      description: "Searches",
      input: dtos.Times,
      output: dtos.Times,
      execute: (times) => {
        assert.ok(times instanceof dtos.Times);
        return { start: times.start };
      },
    });
    const { output } = await testTool(tool)({ start: "2026-01-01" });
    assert.ok(output instanceof dtos.Times);
    assert.deepEqual(output.start, new Date("2026-01-01"));
    assert.equal(tool.outputSchema?.additionalProperties, false);
    assert.equal("additionalProperties" in tool.inputSchema, false);
    const { name, description } = tool;
    const both = { input: dtos.IssueQuery, output: dtos.IssueQuery };
    const wrong = defineTool({ name, description, ...both, execute: () => ({}) as never });
    await assert.rejects(testTool(wrong)({ query: "x" }), { code: "tool.invalid-output", message: /query: required/ });
  });
}

function benchValue(filters: unknown[]): object {
  return { path: "/", limit: 1, recursive: true, mode: "fast", tags: ["a"], filters };
}
