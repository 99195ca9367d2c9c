import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lazyField } from "./lazy-field.ts";

describe("a lazy field", () => {
  it("is made when first read, once", () => {
    let made = 0;
    const withDouble = lazyField("double", (state: number) => {
      made++;
      return { value: state * 2 };
    });
    const object: { double?: { value: number } } = {};
    withDouble(object, 4);
    assert.equal(made, 0);
    const first = object.double;
    assert.deepEqual([first, object.double === first, made], [{ value: 8 }, true, 1]);
  });

  it("is part of copies, comparisons and JSON, and of each object its own", () => {
    const withText = lazyField("text", (state: string) => state.toUpperCase());
    const objects = [{ id: 1 }, { id: 2 }];
    for (const object of objects) withText(object, `t${object.id}`);
    const [first, second] = objects;
    assert.deepEqual({ ...first }, { id: 1, text: "T1" });
    assert.deepEqual(second, { id: 2, text: "T2" });
    assert.equal(JSON.stringify(first), '{"id":1,"text":"T1"}');
  });

  it("throws what making it throws, each time it is read", () => {
    const withNothing = lazyField("nothing", () => {
      throw new Error("no");
    });
    const object: { nothing?: unknown } = {};
    withNothing(object, undefined);
    assert.throws(() => object.nothing, /no/);
    assert.throws(() => object.nothing, /no/);
  });
});
