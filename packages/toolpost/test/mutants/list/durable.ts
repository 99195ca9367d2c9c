// Breaks of runs over a kernel: one wait at a time, one path on every replay, one judge of each pause.
import type { Mutant } from "../lib/mutant.ts";

const drive = "src/durable/drive.test.ts";

export const durable: readonly Mutant[] = [
  {
    guarantee: "two waits at once in one branch fail the run",
    file: "src/durable/drive.ts",
    find: 'if (this.#blocked.has(fiber)) {\n      const message = "use',
    replace: 'if (Number() > 0) {\n      const message = "use',
    test: drive,
  },
  {
    guarantee: "a branch that ends while it waits fails the run",
    file: "src/durable/drive.ts",
    find: "      this.misuse(`${fiber.name} ${message}`);\n",
    replace: "",
    test: drive,
  },
  {
    guarantee: "a key stands for one thing of a run",
    file: "src/durable/drive.ts",
    find: "    this.#keys.add(key);\n",
    replace: "",
    test: drive,
  },
  {
    guarantee: "a run that failed does nothing more",
    file: "src/durable/drive.ts",
    find: "      if (this.#isOver) return this.#broken.promise;\n",
    replace: "",
    test: drive,
  },
  {
    guarantee: "a flow that waits for something of its own ends when its kernel gives up",
    file: "src/durable/drive.ts",
    find: 'signal.addEventListener("abort", giveUp, { once: true });',
    replace: "",
    test: drive,
  },
  {
    guarantee: "the first to settle by the journal is given first",
    file: "src/durable/scheduled-run.ts",
    find: "unit.order < least.order",
    replace: "unit.order > least.order",
    test: drive,
  },
  {
    guarantee: "a pause is closed before its expiry counts",
    file: "src/durable/operations.ts",
    find: "      yield [asked];\n",
    replace: "",
    test: drive,
  },
  {
    guarantee: "an answered pause no longer waits for its expiry",
    file: "src/durable/drive.ts",
    find: "for (const each of machine.leaves) this.#waiting.delete(each);",
    replace: "this.#waiting.delete(leaf);",
    test: drive,
  },
  {
    guarantee: "an act begun by another process is not begun again",
    file: "src/durable/operations.ts",
    find: "startedBy !== bootId || ",
    replace: "",
    test: drive,
  },
  {
    guarantee: "an act begun in this process is not begun again",
    file: "src/durable/operations.ts",
    find: " || begun.has(idempotencyKey)",
    replace: "",
    test: drive,
  },
  {
    guarantee: "the moment of a sleep is journaled",
    file: "src/durable/operations.ts",
    find: "    at = until.value as number;\n",
    replace: "    at = clock.now() + wait.ms;\n",
    test: drive,
  },
  {
    guarantee: "a step's throw is a value of the journal",
    file: "src/durable/operations.ts",
    find: "    return { ok: false, error: textOf(error) };\n",
    replace: "    throw error;\n",
    test: drive,
  },
];
