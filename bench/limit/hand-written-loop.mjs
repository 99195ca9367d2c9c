// The limit: an agent loop as one writes it by hand, with nothing but what it must do. Same model object, same schema
// library, same tools as the governed loop it is held against. Its text is pinned by a hash, so that the limit cannot
// be moved to make a ratio look better.

/** @param tools `{ name, description, schema, jsonSchema, execute }` */
export function createHandLoop({ model, tools, isStreaming }) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const wire = tools.map(({ name, description, jsonSchema }) => ({
    type: "function",
    name,
    description,
    inputSchema: jsonSchema,
  }));

  async function call(name, input) {
    const tool = byName.get(name);
    const output = await tool.execute(tool.schema.parse(JSON.parse(input)));
    return typeof output === "string" ? output : JSON.stringify(output);
  }

  async function resultOf(part) {
    const value = await call(part.toolName, part.input);
    const { toolCallId, toolName } = part;
    return { type: "tool-result", toolCallId, toolName, output: { type: "text", value } };
  }

  async function streamed(options) {
    const { stream } = await model.doStream(options);
    const reader = stream.getReader();
    const content = [];
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value.type === "text-delta") text += value.delta;
      else if (value.type === "tool-call") content.push(value);
    }
    if (text !== "") content.unshift({ type: "text", text });
    return { content };
  }

  async function run(message) {
    const prompt = [{ role: "user", content: [{ type: "text", text: message }] }];
    for (;;) {
      const options = { prompt, tools: wire };
      const { content } = isStreaming ? await streamed(options) : await model.doGenerate(options);
      const calls = content.filter((part) => part.type === "tool-call");
      if (calls.length === 0) return content.map((part) => part.text).join("");
      prompt.push({ role: "assistant", content: content.map(toHistory) });
      prompt.push({ role: "tool", content: await Promise.all(calls.map(resultOf)) });
    }
  }

  return { call, run };
}

function toHistory(part) {
  if (part.type !== "tool-call") return part;
  const { toolCallId, toolName, input } = part;
  return { type: "tool-call", toolCallId, toolName, input: JSON.parse(input) };
}
