// DTO classes on the governed path: frozen arguments, an agent's structured answer, and what assembly says of bad ones.

import assert from "node:assert/strict";
import { it } from "node:test";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { createApp } from "../../src/app/create-app.ts";
import { defineTool } from "../../src/author/define-tool.ts";
import { ListField as ListOf } from "../../src/author/dto/list-field.ts";
import { MapField as MapOf } from "../../src/author/dto/map-field.ts";
import { MomentField as Moment } from "../../src/author/dto/moment-field.ts";
import { NestedField as Nested } from "../../src/author/dto/nested-field.ts";
import { OptionalField as Optional } from "../../src/author/dto/optional-field.ts";
import { PlainTextDto } from "../../src/author/dto/plain-text-dto.ts";
import { TextField as Text } from "../../src/author/dto/text-field.ts";
import { toolDefinitionOf } from "../../src/author/tool-definition-of.ts";
import { decided } from "../../src/core/approval.ts";
import { AssemblyError } from "../../src/core/errors.ts";
import type { LogEntry } from "../../src/core/govern.ts";
import type { AnyTool } from "../../src/core/tool.ts";
import { scriptedModel } from "../../src/models/scripted-model.ts";
import { testTool } from "../../src/testing/test-tool.ts";
import { callOnce, desk } from "./support.ts";

class Author {
  name!: string;
}
Text()(Author.prototype, "name");

class Issue {
  title!: string;
  author!: Author;
  labels!: string[];
  counts!: Record<string, string>;
  due!: Date;
}
Text()(Issue.prototype, "title");
Nested(Author)(Issue.prototype, "author");
ListOf(Text())(Issue.prototype, "labels");
MapOf(Text())(Issue.prototype, "counts");
Moment()(Issue.prototype, "due");

class IssueList {
  issues!: Issue[];
}
ListOf(Issue)(IssueList.prototype, "issues");

const issue = {
  title: "a",
  author: { name: "Ada" },
  labels: ["x"],
  counts: { a: "1" },
  due: "2026-01-01T00:00:00.000Z",
};

it("an argument of a DTO class that was approved is frozen to its depths, as what was approved is what runs", async () => {
  let seen: Issue | undefined;
  const channel = { name: "c", send: () => decided({ decision: "approve" }) };
  const tool = defineTool({
    name: "t",
    description: "d",
    input: Issue,
    policy: ({ input }) => {
      assert.throws(() => (input.author = new Author()), TypeError);
      return "needs-approval";
    },
    execute: (input) => {
      seen = input;
      return "done";
    },
  });
  assert.equal((await callOnce(tool, issue, { toolkit: { approvals: { channel } } })).text, "done");
  assert.ok(seen instanceof Issue && seen.author instanceof Author);
  for (const part of [seen, seen.author, seen.labels, seen.counts]) assert.ok(Object.isFrozen(part));
});

it("a handler's instances become the text that the model reads", async () => {
  const tool = defineTool({
    name: "t",
    description: "d",
    input: PlainTextDto,
    output: IssueList,
    execute: ({ text }) => ({
      issues: [Object.assign(new Issue(), issue, { title: text, due: new Date(issue.due), more: 1 })],
    }),
  });
  assert.deepEqual(JSON.parse((await callOnce(tool, { text: "b" })).text), { issues: [{ ...issue, title: "b" }] });
  assert.deepEqual(toolDefinitionOf(tool).inputSchema, {
    type: "object",
    properties: { text: { type: "string", description: "the text" } },
    required: ["text"],
  });
});

it("an agent's answer of a DTO class is given by a tool named after it, and is an instance", async () => {
  const { app, agent } = desk([{ calls: [{ name: "answer-issue-list", input: { issues: [issue] } }] }], [], {
    agent: { output: IssueList as never },
  });
  const { output } = await app.run(agent, "go");
  assert.ok(output instanceof IssueList && output.issues[0] instanceof Issue);
  assert.deepEqual(output.issues[0].due, new Date(issue.due));
  await app.close();
});

it("a class that cannot be used as an answer is told at assembly", () => {
  class Bare {}
  const agent = defineAgent({ name: "a", description: "d", model: scriptedModel([]), tools: [], output: Bare });
  assert.throws(
    () => createApp({ agents: [agent] }),
    (error: AssemblyError) => {
      assert.ok(error instanceof AssemblyError);
      assert.match(
        error.message,
        /\[tool\.schema-unusable\] agent `a`: output: the class `Bare` has no decorated fields/,
      );
      return true;
    },
  );
});

it("what a class throws when it reads a value is in the log once, with the tool's name, and not for the model", async () => {
  let made = 0;
  const own = new Error("secret");
  class Moody {
    text!: string;
    constructor() {
      if (++made > 2) throw own;
    }
  }
  Text()(Moody.prototype, "text");
  const execute = (): never => ({ text: "a" }) as never;
  const sides = [
    [
      defineTool({ name: "t", description: "d", input: Moody, execute }),
      "tool.invalid-input",
      "the input of `t` could not be validated; the call was refused",
    ],
    [
      defineTool({ name: "t", description: "d", input: PlainTextDto, output: Moody, execute }),
      "tool.invalid-output",
      "the output of `t` could not be validated; the call failed",
    ],
  ] as const;
  for (const [tool, code, message] of sides) {
    const entries: LogEntry[] = [];
    const log = (entry: LogEntry): void => void entries.push(entry);
    const result = await callOnce(tool as never, { text: "a" }, { toolkit: { log } });
    assert.equal(result.errorCode, code);
    assert.match(result.text, /: the value could not be validated$/);
    assert.deepEqual(entries, [{ level: "error", message, error: own }]);
    await assert.rejects(testTool(tool as AnyTool)({ text: "a" }), { code, cause: own });
  }
});

it("a value that is nested too deeply is the model's own mistake, and not in the log", async () => {
  class Node {
    next?: Node;
  }
  Optional()(Node.prototype, "next");
  Nested(Node)(Node.prototype, "next");
  let value = {};
  for (let level = 0; level < 201; level++) value = { next: value };
  const tool = defineTool({ name: "t", description: "d", input: Node, execute: () => "" });
  const entries: LogEntry[] = [];
  const { text } = await callOnce(tool, value, { toolkit: { log: (entry) => void entries.push(entry) } });
  assert.equal(text, "Tool error: invalid input: nested too deeply to be validated");
  assert.deepEqual(entries, []);
});
