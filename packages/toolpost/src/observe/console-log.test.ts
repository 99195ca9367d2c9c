import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry, Redact } from "../core/govern.ts";
import { createConsoleLog } from "./console-log.ts";

const hidePassword: Redact = (text) => text.replaceAll("hunter2", "[secret]");

function linesOf(entries: readonly LogEntry[], level?: LogEntry["level"], redact: Redact = hidePassword): string[] {
  const lines: string[] = [];
  const log = createConsoleLog({
    redact,
    write: (line) => lines.push(line),
    ...(level === undefined ? {} : { level }),
  });
  for (const entry of entries) log(entry);
  return lines;
}

const each: LogEntry[] = (["debug", "info", "warn", "error"] as const).map((level) => ({ level, message: "m" }));

test("warnings and errors are written, one line each; less by level", () => {
  assert.deepEqual(linesOf(each), ["toolpost warn: m\n", "toolpost error: m\n"]);
  assert.deepEqual(linesOf(each, "error"), ["toolpost error: m\n"]);
  assert.equal(linesOf(each, "info").length, 3);
  assert.equal(linesOf(each, "debug").length, 4);
});

test("the error's message follows, with its causes", () => {
  const error = new Error("cannot refund", { cause: new Error("no connection", { cause: "DNS" }) });
  assert.deepEqual(linesOf([{ level: "error", message: "the tool `refund` failed", error }]), [
    "toolpost error: the tool `refund` failed: cannot refund: no connection: DNS\n",
  ]);
});

test("whatever was thrown gives a line", () => {
  const error = new Error("round");
  error.cause = error;
  const nameless = new TypeError("");
  const written = linesOf(
    [null, 5, { code: 7 }, 10n, nameless, Symbol("s"), error].map((thrown) => ({
      level: "warn",
      message: "m",
      error: thrown,
    })),
  );
  assert.deepEqual(written.slice(0, 5), [
    "toolpost warn: m: null\n",
    "toolpost warn: m: 5\n",
    'toolpost warn: m: {"code":7}\n',
    'toolpost warn: m: "10"\n',
    "toolpost warn: m: TypeError\n",
  ]);
  assert.equal(written.length, 7);
});

test("data follows as JSON", () => {
  const data = { tool: "refund", at: new Date(0) };
  assert.deepEqual(linesOf([{ level: "warn", message: "late", data }]), [
    'toolpost warn: late {"tool":"refund","at":"1970-01-01T00:00:00.000Z"}\n',
  ]);
});

test("a line stays a line, and moves no cursor", () => {
  const [line] = linesOf([{ level: "warn", message: "a\nb\r\x1b[2K", error: new Error("c\u2028d\u202e") }]);
  assert.equal(line, "toolpost warn: a\\nb\\r\\x1b[2K: c\\u2028d\\u202e\n");
});

test("the stack comes at debug only", () => {
  const error = new Error("deep");
  const [line = ""] = linesOf([{ level: "warn", message: "m", error }], "debug");
  assert.match(line, /^toolpost warn: m: Error: deep\\n {4}at .*console-log\.test\.ts.*\n$/);
  assert.doesNotMatch(linesOf([{ level: "warn", message: "m", error }], "info")[0] ?? "", / at /);
});

test("message, error and data are masked", () => {
  const error = new Error("pg://user:hunter2@host", { cause: "hunter2" });
  const [line = ""] = linesOf([{ level: "warn", message: "hunter2", error, data: { password: "hunter2" } }], "debug");
  assert.doesNotMatch(line, /hunter2/);
});

test("a secret is masked before its line breaks are escaped", () => {
  const redact: Redact = (text) => text.replace(/BEGIN\n.*\nEND/, "[secret]");
  assert.deepEqual(linesOf([{ level: "warn", message: "key BEGIN\nabc\nEND" }], "warn", redact), [
    "toolpost warn: key [secret]\n",
  ]);
});

test("where masking fails, nothing of the entry is shown", () => {
  const redact: Redact = () => {
    throw new Error("hunter2");
  };
  const lines = linesOf([{ level: "warn", message: "hunter2", error: new Error("hunter2") }], "debug", redact);
  assert.deepEqual(lines, ["toolpost warn: [an entry that could not be masked]\n"]);
});

test("nothing makes it throw", () => {
  const throwing = Object.defineProperty(new Error("x"), "message", {
    get() {
      throw new Error("no");
    },
  });
  assert.equal(linesOf([{ level: "warn", message: "m", error: throwing }]).length, 1);
  const log = createConsoleLog({
    redact: hidePassword,
    write() {
      throw new Error("EPIPE");
    },
  });
  assert.doesNotThrow(() => log({ level: "error", message: "m" }));
  assert.doesNotThrow(() => log(undefined as unknown as LogEntry));
});

test("a secret that ends with its text stays masked on a line that goes on", () => {
  const lines: string[] = [];
  const log = createConsoleLog({ redact: maskPhrase, write: (line) => void lines.push(line) });
  log({ level: "error", message: "it threw", error: new Error("password: correct horse"), data: { runId: "run_1" } });
  assert.deepEqual(lines, ['toolpost error: it threw: password: [secret] {"runId":"run_1"}\n']);
});

/** As a mask reads a pass phrase: to the end of its line, where that looks like one. */
function maskPhrase(text: string): string {
  return text.replace(/^(.*password: )[a-z ]+$/, "$1[secret]");
}
