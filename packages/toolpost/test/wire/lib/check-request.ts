// What every API demands of a request, whatever happened before: the mock takes more than they do.
import assert from "node:assert/strict";
import type { Api } from "./providers.ts";
import type { Group, Item, WireRequest } from "./read-request.ts";

type Call = Item & { kind: "call" };
type Result = Item & { kind: "result" };

/** Fails where a provider would refuse the request. */
export function checkRequest(
  api: Api,
  { system, groups, tools }: WireRequest,
  expected: { readonly system: string },
): void {
  assert.deepEqual(system, [expected.system], "the system text stands there once");
  assert.equal(groups[0]?.side, "user", "a conversation begins with the user");
  assert.notEqual(groups.at(-1)?.side, "assistant", "the model is asked, not answered for");
  for (const { name } of tools) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
  const ids: unknown[] = [];
  for (const [index, group] of groups.entries()) {
    assert.notEqual(group.items.length, 0, "no message is empty");
    for (const item of group.items) if (item.kind === "text") assert.notEqual(item.text, "", "no text is empty");
    const calls = callsIn(group);
    const results = resultsIn(groups[index + 1]);
    if (calls.length > 0) checkPairs(api, calls, results);
    if (group.side === "results") assert.notEqual(callsIn(groups[index - 1]).length, 0, "results follow their calls");
    if (api === "anthropic" && index > 0)
      assert.notEqual(group.side === "assistant", groups[index - 1]?.side === "assistant", "sides take turns");
    ids.push(...calls.map(({ id }) => id));
  }
  if (ids.some((id) => id !== undefined)) assert.equal(new Set(ids).size, ids.length, `ids are unique: ${ids.join()}`);
}

function checkPairs(api: Api, calls: readonly Call[], results: readonly Result[]): void {
  assert.deepEqual(
    results.map(({ id }) => id),
    calls.map(({ id }) => id),
    "every call is followed by its one result, in order",
  );
  for (const { id, name, input, isReferred } of calls) {
    assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
    // What the API itself has stored is as it wrote it.
    if (isReferred) continue;
    const value: unknown = typeof input === "string" ? JSON.parse(input) : input;
    assert.ok(typeof value === "object" && value !== null && !Array.isArray(value), "arguments are an object");
    if (api !== "gemini") assert.match(String(id), legalIds[api]);
  }
  // Gemini pairs by name and place where there are no ids.
  if (api === "gemini") {
    assert.deepEqual(
      results.map(({ name }) => name),
      calls.map(({ name }) => name),
    );
  }
  for (const { text, files } of results) assert.ok(text !== "" || files > 0, "a result says something");
}

const legalIds: Readonly<Record<Exclude<Api, "gemini">, RegExp>> = {
  responses: /^.{1,64}$/,
  chat: /^.{1,40}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
};

export function callsIn(group: Group | undefined): Call[] {
  return (group?.items ?? []).filter((item): item is Call => item.kind === "call");
}

export function resultsIn(group: Group | undefined): Result[] {
  return (group?.side === "results" ? group.items : []).filter((item): item is Result => item.kind === "result");
}
