// What a server may see of the environment of the process that starts it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { childEnvironment } from "./child-environment.ts";

test("a short list is inherited, and what is given comes over it", { skip: process.platform === "win32" }, () => {
  const host = {
    PATH: "/bin",
    HOME: "/home/a",
    LANG: "C",
    TERM: "dumb",
    OPENAI_API_KEY: "sk",
    NODE_OPTIONS: "--x",
    USER: undefined,
  };
  assert.deepEqual(childEnvironment({ HOME: "/other", TOKEN: "t" }, host), {
    PATH: "/bin",
    HOME: "/other",
    LANG: "C",
    TERM: "dumb",
    TOKEN: "t",
  });
});

test("a shell function is not inherited", () => {
  assert.deepEqual(childEnvironment({}, { PATH: "() { :; }; echo" }), {});
});
