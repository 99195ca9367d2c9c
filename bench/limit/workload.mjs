// What every scenario works on: six fields with a nested array, 230 bytes of arguments, a tool that gives 200 bytes, and
// a language model of specification v4 that costs next to nothing: it looks at the last message only.

import { z } from "zod";

export const schema = z.object({
  path: z.string().min(1),
  limit: z.number().int().min(1).max(1000),
  recursive: z.boolean(),
  mode: z.enum(["fast", "safe", "deep"]),
  tags: z.array(z.string()),
  filters: z.array(z.object({ field: z.string(), op: z.enum(["eq", "lt", "gt"]), value: z.number() })),
});

export const argumentsText = JSON.stringify({
  path: "/srv/data/reports",
  limit: 50,
  recursive: true,
  mode: "safe",
  tags: ["a", "b", "c"],
  filters: [
    { field: "size", op: "gt", value: 10 },
    { field: "age", op: "lt", value: 30 },
    { field: "kind", op: "eq", value: 1 },
  ],
});

const padding = "x".repeat(170);

export function execute({ path, limit, filters }) {
  return `${path}:${limit}:${filters.length}:${padding}`;
}

/**
 * Calls `probe` for some turns, several times in each, then says a text. The turn is read from the last message, so one
 * object serves runs side by side.
 * @param chunks of the text when it streams
 */
export function createModel({ turns = 1, parallel = 1, delayMs = 0, chunks = 1, tool = "probe" } = {}) {
  const usage = { inputTokens: { total: 10 }, outputTokens: { total: 5 } };
  const reply = (prompt) => {
    const [part] = prompt.at(-1).content;
    const turn = part.type === "tool-result" ? Number.parseInt(part.toolCallId.slice(1), 10) + 1 : 0;
    if (turn >= turns) return { content: [{ type: "text", text: "done" }], finish: "stop" };
    const content = Array.from({ length: parallel }, (_, index) => ({
      type: "tool-call",
      toolCallId: `c${turn}_${index}`,
      toolName: tool,
      input: argumentsText,
    }));
    return { content, finish: "tool-calls" };
  };
  const wait = () => (delayMs === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, delayMs)));
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "limit",
    supportedUrls: {},
    async doGenerate({ prompt }) {
      await wait();
      const { content, finish } = reply(prompt);
      return { content, finishReason: { unified: finish, raw: finish }, usage, warnings: [] };
    },
    async doStream({ prompt }) {
      await wait();
      const { content, finish } = reply(prompt);
      return { stream: streamOf([...content.flatMap(partsOf(chunks)), finishPart(finish, usage)]) };
    },
  };
}

function partsOf(chunks) {
  return (part) => {
    if (part.type === "tool-call") return [part];
    const deltas = Array.from({ length: chunks }, () => ({ type: "text-delta", id: "t", delta: "done" }));
    return [{ type: "text-start", id: "t" }, ...deltas, { type: "text-end", id: "t" }];
  };
}

function finishPart(finish, usage) {
  return { type: "finish", finishReason: { unified: finish, raw: finish }, usage };
}

function streamOf(parts) {
  let index = 0;
  return new ReadableStream({
    pull(controller) {
      if (index === parts.length) controller.close();
      else controller.enqueue(parts[index++]);
    },
  });
}
