// Classes under test: a container of their own, and stand-ins for what they ask for. Decorators are called by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { Injectable } from "../author/classes/injectable.ts";
import { provide } from "../author/classes/provider.ts";
import { token } from "../author/classes/token.ts";
import { Tool } from "../author/classes/tool-decorator.ts";
import { defineTool } from "../author/define-tool.ts";
import { currentContext } from "../core/current-context.ts";
import { ToolError } from "../core/errors.ts";
import { mockOf, override } from "./mock-of.ts";
import { testTool } from "./test-tool.ts";

abstract class IssuesApi {
  abstract search(query: string): Promise<string[]>;
}
class TwoIssues extends IssuesApi {
  async search(query: string) {
    return [query, query];
  }
}
const PAGE_SIZE = token<number>("PAGE_SIZE");

class SearchIssues {
  static made = 0;
  readonly issues: IssuesApi;
  readonly size: number;
  constructor(issues: IssuesApi, size: number) {
    this.issues = issues;
    this.size = size;
    SearchIssues.made++;
  }
  async execute({ query }: { query: string }) {
    return { titles: (await this.issues.search(query)).slice(0, this.size) };
  }
}
Tool({
  name: "search_issues",
  description: "Searches",
  input: z.object({ query: z.string().min(2) }),
  output: z.object({ titles: z.array(z.string()) }),
  deps: [IssuesApi, PAGE_SIZE],
})(SearchIssues);

test("a class is constructed once, with what stands in for its dependencies", async () => {
  const before = SearchIssues.made;
  const searchIssues = testTool(SearchIssues, {
    overrides: [override(IssuesApi, TwoIssues), override(PAGE_SIZE, 5)],
  });
  assert.deepEqual(await searchIssues({ query: "login" }), { output: { titles: ["login", "login"] }, spend: [] });
  await searchIssues.run({ query: "again" });
  assert.equal(SearchIssues.made, before + 1);
});

test("providers are those of an application, overrides stand before them", async () => {
  const { output } = await testTool(SearchIssues, {
    providers: [TwoIssues, provide(PAGE_SIZE, 1)],
    overrides: [override(IssuesApi, mockOf(IssuesApi, { search: async () => ["mocked", "cut"] }))],
  })({ query: "login" });
  assert.deepEqual(output, { titles: ["mocked"] });
});

test("input and output are held against the schemas", async () => {
  const given = [override(PAGE_SIZE, 1)];
  const wrong = override(IssuesApi, mockOf(IssuesApi, { search: async () => [7 as never] }));
  await assert.rejects(
    testTool(SearchIssues, { overrides: [...given, override(IssuesApi, TwoIssues)] })({ query: "a" }),
    {
      code: "tool.invalid-input",
    },
  );
  await assert.rejects(testTool(SearchIssues, { overrides: [...given, wrong] })({ query: "login" }), {
    code: "tool.invalid-output",
    message: /^invalid output: titles\[0\]: /,
  });
});

test("what cannot be constructed is told before the first call", () => {
  assert.throws(() => testTool(SearchIssues, { providers: [TwoIssues] }), {
    code: "di.missing-implementation",
    message: /parameter 2 of the constructor of "SearchIssues" is PAGE_SIZE/,
  });
  assert.throws(() => testTool(TwoIssues), { message: /The class "TwoIssues" is not decorated with @Tool\(\)/ });
});

test("a tool that wants a state gets the one it is given, and says so where there is none", async () => {
  class Review {
    execute(state: { step: number }) {
      return `${state.step} ${currentContext().callId}`;
    }
  }
  Tool({ name: "review", description: "Reviews", input: z.object({}), inject: ["state"] })(Review);
  assert.equal((await testTool(Review, { state: { step: 3 } })({})).output, "3 tool-slice");
  await assert.rejects(testTool(Review)({}), { code: "tool.no-state" });
});

test("a failure rejects as the tool threw it", async () => {
  const failure = new ToolError({ code: "GONE", userMessage: "It is gone." });
  const gone = mockOf(IssuesApi, { search: () => Promise.reject(failure) });
  const overrides = [override(IssuesApi, gone), override(PAGE_SIZE, 1)];
  await assert.rejects(testTool(SearchIssues, { overrides })({ query: "login" }), (error) => error === failure);
});

test("of a class with several tools, one is to be chosen", () => {
  class Notes {
    add() {}
    read() {}
  }
  Injectable()(Notes);
  const { prototype } = Notes;
  for (const name of ["add", "read"] as const) {
    const settings = { name, description: name, input: z.object({}) };
    Tool(settings)(prototype, name, Object.getOwnPropertyDescriptor(prototype, name)!);
  }
  assert.throws(() => testTool(Notes), {
    message: 'the class "Notes" has 2 tools, "add", "read": test one of toolsOf(new Notes(…))',
  });
});

test("clean-up runs whole, and hides nothing of what the tool threw", async () => {
  const order: string[] = [];
  const tool = (thrown: Error | undefined) =>
    defineTool({
      name: "cleans",
      description: "Cleans up",
      input: z.object({}),
      execute(_, ctx) {
        ctx.onDispose(() => void order.push("last"));
        ctx.onDispose(() => {
          throw new Error("of the clean-up");
        });
        if (thrown !== undefined) throw thrown;
        return "done";
      },
    });
  await assert.rejects(testTool(tool(new Error("of the tool")))({}), { message: "of the tool" });
  await assert.rejects(testTool(tool(undefined))({}), { message: "of the clean-up" });
  assert.deepEqual(order, ["last", "last"]);
});

test("arguments are frozen as in a governed call", async () => {
  const input = z.object({ list: z.array(z.number()), passed: z.any() });
  const changing = (change: (input: { list: number[]; passed: number[] }) => unknown) =>
    testTool(defineTool({ name: "changes", description: "Changes its arguments", input, execute: change as never }));
  const written = { list: [], passed: [] };
  await assert.rejects(changing((given) => (given.list = [1]))(written), TypeError);
  await assert.rejects(changing(({ passed }) => passed.push(1))(written), TypeError);
  assert.deepEqual((await changing(({ list }) => list.push(1))(written)).output, 1);
});

test("what is no tool is told so before the first call", () => {
  assert.throws(() => testTool(undefined as never), { message: /`undefined` in testTool is no tool/ });
  assert.throws(() => testTool(new TwoIssues() as never), { code: "tool.name-invalid" });
  assert.throws(() => testTool(new SearchIssues(new TwoIssues(), 1) as never), {
    message: /an instance of the class "SearchIssues" is no tool: write testTool\(SearchIssues\)/,
  });
});
