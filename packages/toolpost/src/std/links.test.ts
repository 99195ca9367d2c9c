import assert from "node:assert/strict";
import { test } from "node:test";
import { append, isAlone, Link, takeAll, unlink } from "./links.ts";

class Item extends Link {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
}

function listOf(...names: string[]): { list: Link; items: Item[] } {
  const list = new Link();
  const items = names.map((name) => new Item(name));
  for (const item of items) append(list, item);
  return { list, items };
}

/** Names in order, walked both ways. */
function namesOf(list: Link): string[] {
  const forth: string[] = [];
  const back: string[] = [];
  for (let link = list.next; link !== list; link = link.next) forth.push((link as Item).name);
  for (let link = list.previous; link !== list; link = link.previous) back.unshift((link as Item).name);
  assert.deepEqual(back, forth);
  return forth;
}

test("links come out in the order they were put in", () => {
  assert.deepEqual(namesOf(listOf("a", "b", "c").list), ["a", "b", "c"]);
});

test("a link leaves from anywhere, once", () => {
  for (const [index, rest] of [
    ["b", "c"],
    ["a", "c"],
    ["a", "b"],
  ].entries()) {
    const { list, items } = listOf("a", "b", "c");
    unlink(items[index]!);
    unlink(items[index]!);
    assert.deepEqual(namesOf(list), rest);
    assert.ok(isAlone(items[index]!));
  }
});

test("a list is alone when nothing is on it", () => {
  const { list, items } = listOf("a");
  assert.ok(!isAlone(list));
  unlink(items[0]!);
  assert.ok(isAlone(list));
});

test("taking all leaves an empty list that can be used again", () => {
  const { list } = listOf("a", "b");
  const taken = takeAll(list);
  append(list, new Item("c"));
  assert.deepEqual(namesOf(taken), ["a", "b"]);
  assert.deepEqual(namesOf(list), ["c"]);
  assert.ok(isAlone(takeAll(new Link())));
});
