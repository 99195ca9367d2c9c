// What the container constructs, and what it finds for a dependency. What it refuses is tested where users meet it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ExecutionContext, SpendRecorder } from "../../core/execution-context.ts";
import type { AnyClass } from "./class-notes.ts";
import { Container } from "./container.ts";
import { Injectable } from "./injectable.ts";
import { provide } from "./provider.ts";
import type { NamedDependency } from "./token.ts";
import { token } from "./token.ts";

abstract class Store {
  abstract name(): string;
}
class DiskStore extends Store {
  name() {
    return "disk";
  }
}
class CachedStore extends DiskStore {
  override name() {
    return "cached";
  }
}
class Holder {
  readonly given: readonly unknown[];
  constructor(...given: unknown[]) {
    this.given = given;
  }
}

/** A class of its own that asks for the dependencies. */
function holderOf(...deps: readonly NamedDependency[]): AnyClass<Holder> {
  class Asking extends Holder {}
  Injectable({ deps })(Asking as never);
  return Asking;
}

test("constructs each class once, and gives its dependencies in order", () => {
  const SIZE = token<number>("SIZE");
  const First = holderOf(Store, SIZE);
  const Second = holderOf(First, Store);
  const container = new Container([DiskStore, provide(SIZE, 3)]);
  const second = container.get(Second);
  const [first, store] = second.given as [Holder, Store];
  assert.equal(first, container.get(First));
  assert.ok(store instanceof DiskStore);
  assert.deepEqual(first.given, [store, 3]);
  assert.equal(container.get(Second), second);
});

test("an application's instances are its own", () => {
  const Asking = holderOf();
  assert.notEqual(new Container().get(Asking), new Container().get(Asking));
});

for (const [what, providers, expected] of [
  ["a class that extends the contract", [DiskStore], "disk"],
  ["an instance of such a class", [new CachedStore()], "cached"],
  ["a binding, before what is found by inheritance", [DiskStore, provide(Store, CachedStore)], "cached"],
  ["the last of several bindings", [provide(Store, CachedStore), provide(Store, DiskStore)], "disk"],
  ["the thing that is bound", [provide(Store, { name: () => "bound" })], "bound"],
] as const) {
  test(`a contract is provided by ${what}`, () => {
    const { given } = new Container(providers).get(holderOf(Store));
    assert.equal((given[0] as Store).name(), expected);
  });
}

test("a class that is a provider itself stands before those that extend it", () => {
  const { given } = new Container([CachedStore, DiskStore]).get(holderOf(DiskStore));
  assert.equal((given[0] as Store).name(), "disk");
});

test("an override stands before every provider and binding", () => {
  const overrides = [provide(Store, DiskStore), provide(Store, CachedStore)];
  const container = new Container([DiskStore, provide(Store, DiskStore)], overrides);
  assert.equal((container.get(holderOf(Store)).given[0] as Store).name(), "cached");
});

test("a function or falsy value that is bound to a token is given as it is", () => {
  const FORMAT = token<(text: string) => string>("FORMAT");
  const ZERO = token<number>("ZERO");
  const format = (text: string) => text;
  const container = new Container([provide(FORMAT, format), provide(ZERO, 0)]);
  assert.deepEqual(container.get(holderOf(FORMAT, ZERO)).given, [format, 0]);
  assert.deepEqual(container.check(holderOf(FORMAT, ZERO)), []);
});

test("tokens of one name are two contracts", () => {
  const container = new Container([provide(token("SAME"), 1)]);
  assert.equal(container.check(holderOf(token("SAME"))).length, 1);
});

test("the current call and its spend are there without being provided", () => {
  const Asking = holderOf(ExecutionContext, SpendRecorder);
  assert.deepEqual(new Container().check(Asking), []);
  const [call, spend] = new Container().get(Asking).given;
  assert.ok(call instanceof ExecutionContext && spend instanceof SpendRecorder);
});

test("finds what is wrong without constructing anything", () => {
  class Exploding {
    constructor() {
      throw new Error("constructed");
    }
  }
  Injectable()(Exploding);
  assert.deepEqual(new Container().check(holderOf(Exploding)), []);
});

test("a subclass that is not decorated does not take over its parent's dependencies", () => {
  class Parent {
    readonly store: Store;
    constructor(store: Store) {
      this.store = store;
    }
  }
  Injectable({ deps: [Store] })(Parent);
  class Child extends Parent {
    constructor(store: Store, _more: number) {
      super(store);
    }
  }
  const [problem] = new Container([DiskStore]).check(Child);
  assert.equal(problem?.code, "di.invalid-deps");
});

test("a class without a constructor of its own is given what its parent asks for", () => {
  const Parent = holderOf(Store);
  class Child extends Parent {}
  class Decorated extends Parent {}
  Injectable()(Decorated as never);
  for (const type of [Child, Decorated]) {
    const container = new Container([DiskStore, type]);
    assert.deepEqual(container.check(type), []);
    assert.ok(container.get(type).given[0] instanceof DiskStore);
    assert.equal(new Container().check(type)[0]?.code, "di.missing-implementation");
  }
});

test("an override of the class that a contract leads to counts", () => {
  const overrides = [provide(DiskStore, new CachedStore())];
  for (const providers of [[DiskStore], [provide(Store, DiskStore)]]) {
    const [store] = new Container(providers, overrides).get(holderOf(Store)).given;
    assert.equal((store as Store).name(), "cached");
  }
});

test("a dependency that is declared later is named by a function", () => {
  const Asking = holderOf(() => Later);
  class Later {}
  Injectable()(Later);
  assert.deepEqual(new Container().check(Asking), []);
  assert.ok(new Container().get(Asking).given[0] instanceof Later);
});

test("`deps` of two decorators are refused, one that says nothing of them does no harm", () => {
  class Twice extends Holder {}
  Injectable({ deps: [Store] })(Twice as never);
  Injectable({ deps: [DiskStore] })(Twice as never);
  assert.deepEqual(
    new Container([DiskStore]).check(Twice)[0]?.message,
    '"Twice": two decorators give it `deps`: keep one of them',
  );
  class Once extends Holder {}
  Injectable()(Once);
  Injectable({ deps: [Store] })(Once as never);
  assert.deepEqual(new Container([DiskStore]).check(Once), []);
});

test("each class is looked at once, however many ways lead to it", () => {
  const NOWHERE = token<string>("NOWHERE");
  let layer: AnyClass<Holder>[] = [holderOf(NOWHERE)];
  for (let depth = 0; depth < 40; depth++) layer = [holderOf(...layer), holderOf(...layer)];
  const problems = new Container().check(holderOf(...layer));
  assert.equal(problems.length, 1);
  assert.match(problems[0]?.message ?? "", /parameter 1 of the constructor of "Asking" is NOWHERE/);
});

for (const [what, provider, message] of [
  ["nothing", undefined, "`providers[0]` is `undefined`: give a class, an instance, or `provide(…)`"],
  [
    "a contract bound to nothing",
    provide(Store, undefined as never),
    "`providers[0]` binds Store to `undefined`: give a class or what stands for it; is it imported in a circle?",
  ],
  [
    "a binding of nothing",
    provide(undefined as never, 1),
    "`providers[0]` binds `undefined`, which is neither a class nor a token: is it imported in a circle?",
  ],
] as const) {
  test(`${what} among the providers is told of`, () => {
    assert.deepEqual(new Container([provider]).checkProviders(), [{ code: "di.invalid-deps", message }]);
  });
}

test("instances that are ambiguous are not offered as code to write", () => {
  const [problem] = new Container([new DiskStore(), new CachedStore()]).check(holderOf(Store));
  assert.match(
    problem?.message ?? "",
    /an instance of DiskStore and an instance of CachedStore provide it: leave one of them in `providers`$/,
  );
});

test("a constructor that throws is named, with what it threw as the cause, and tried again at the next call", () => {
  let isReady = false;
  const cause = new Error("no key");
  class Payments {
    constructor() {
      if (!isReady) throw cause;
    }
  }
  Injectable()(Payments);
  const Asking = holderOf(Payments);
  const container = new Container();
  assert.throws(() => container.get(Asking), {
    code: "di.construction-failed",
    message: 'the constructor of "Payments" threw: no key',
    cause,
  });
  isReady = true;
  assert.ok(container.get(Asking).given[0] instanceof Payments);
});

test("disposes of what it constructed, the last one first, whatever one of them throws", async () => {
  const disposed: string[] = [];
  const failure = new Error("stuck");
  class Connection {
    [Symbol.dispose]() {
      disposed.push("connection");
    }
  }
  Injectable()(Connection);
  class Pool {
    readonly connection: Connection;
    constructor(connection: Connection) {
      this.connection = connection;
    }
    async [Symbol.asyncDispose]() {
      disposed.push("pool");
      throw failure;
    }
  }
  Injectable({ deps: [Connection] })(Pool);
  const handed = { [Symbol.dispose]: () => disposed.push("not ours") };
  const HANDED = token<object>("HANDED");
  const container = new Container([provide(HANDED, handed)]);
  container.get(holderOf(Pool, HANDED));
  assert.deepEqual(await container.dispose(), [failure]);
  assert.deepEqual(disposed, ["pool", "connection"]);
  assert.deepEqual(await container.dispose(), []);
});
