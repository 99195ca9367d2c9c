// The naming rule and the names it proposes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkNamingRule } from "./naming-rule.ts";

test("a breach names the name to use", () => {
  assert.deepEqual(checkNamingRule("kebab-tool", "search_issues", { kind: "tool", place: "@Tool" }), {
    code: "name.kind-suffix",
    message: '"search_issues" on @Tool: name it "search-issues-tool"',
  });
});

for (const [name, kebab, snake] of [
  ["search-issues-tool", undefined, "search_issues_tool"],
  ["search_issues", "search-issues-tool", undefined],
  ["searchIssues", "search-issues-tool", "search_issues"],
  ["getHTTPUser2", "get-http-user2-tool", "get_http_user2"],
  ["Search-Tool", "search-tool", "search_tool"],
  ["tool", "tool-tool", undefined],
  ["a--b", "a-b-tool", "a_b"],
] as const) {
  test(`${name} under each rule`, () => {
    const wish = (name: string | undefined) => name && `"${name}"`;
    const proposed = (rule: "kebab-tool" | "snake_case") =>
      checkNamingRule(rule, name, { kind: "tool", place: "p" })?.message.split("name it ")[1];
    assert.equal(proposed("kebab-tool"), wish(kebab));
    assert.equal(proposed("snake_case"), wish(snake));
    assert.equal(checkNamingRule("any", name, { kind: "tool", place: "p" }), undefined);
    for (const [rule, name] of [
      ["kebab-tool", kebab],
      ["snake_case", snake],
    ] as const) {
      if (name !== undefined) assert.equal(checkNamingRule(rule, name, { kind: "tool", place: "p" }), undefined);
    }
  });
}

test("a name without words, or one that would become too long, is told what to do instead", () => {
  const tool = { kind: "tool", place: "@Tool" } as const;
  assert.equal(
    checkNamingRule("kebab-tool", "___", tool)?.message,
    '"___" on @Tool: name it with words, such as "search-tool"',
  );
  const name = "a".repeat(62);
  assert.equal(
    checkNamingRule("kebab-tool", name, tool)?.message,
    `"${name}" on @Tool: "${name}-tool" would have 67 characters, of 64 at most: shorten it`,
  );
});

for (const [name, kind, kebab, snake] of [
  ["support", "agent", "support-agent", undefined],
  ["SupportAgent", "agent", "support-agent", "support_agent"],
  ["slack-channel", "channel", undefined, "slack_channel"],
  ["desk", "application", "desk-application", undefined],
  ["agent", "agent", "agent-agent", undefined],
] as const) {
  test(`the ${kind} ${name} ends in its kind under kebab-tool, and stays without under snake_case`, () => {
    const proposed = (rule: "kebab-tool" | "snake_case") =>
      checkNamingRule(rule, name, { kind, place: "@Agent" })?.message;
    const message = (wanted: string | undefined) => wanted && `"${name}" on @Agent: name it "${wanted}"`;
    assert.equal(proposed("kebab-tool"), message(kebab));
    assert.equal(proposed("snake_case"), message(snake));
  });
}
