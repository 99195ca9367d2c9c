// Requests of four APIs read into one form, by what stands on the wire and not by what our history holds.
// Reading is strict: a part that is not known fails the test.
import assert from "node:assert/strict";
import type { Api } from "./providers.ts";

export type Item =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string; readonly signature: unknown }
  | {
      readonly kind: "call";
      readonly id: unknown;
      readonly name: string;
      readonly input: unknown;
      /** Read from the reply it came in: the request refers to it. */
      readonly isReferred?: true;
    }
  | {
      readonly kind: "result";
      readonly id: unknown;
      readonly name?: string;
      readonly text: string;
      /** How many stand within it. */
      readonly files: number;
    }
  | { readonly kind: "file"; readonly mediaType: string; readonly data: string }
  /** A call that the provider executed, or its result, as it stands there. */
  | { readonly kind: "own"; readonly part: Json };

/** Items that stand together: a message, or at OpenAI's Responses the items one after another of one side. */
export interface Group {
  readonly side: "user" | "assistant" | "results";
  readonly items: Item[];
}

export interface WireRequest {
  readonly system: string[];
  readonly groups: Group[];
  readonly tools: readonly { readonly name: string; readonly schema: Json; readonly strict?: unknown }[];
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of foreign APIs, read field by field
export type Json = any;

/** @param stored items of earlier replies that a request may refer to, by their ids */
export function readRequest(api: Api, body: Json, stored: ReadonlyMap<string, Json> = new Map()): WireRequest {
  const request: WireRequest = { system: [], groups: [], tools: toolsOf(api, body) };
  readers[api](body, request, stored);
  return request;
}

function toolsOf(api: Api, body: Json): WireRequest["tools"] {
  const tools: Json[] =
    api === "gemini" ? (body.tools ?? []).flatMap((tool: Json) => tool.functionDeclarations) : (body.tools ?? []);
  return tools.map((tool) => {
    const { name, parameters, parametersJsonSchema, input_schema, strict } = tool.function ?? tool;
    return { name, schema: parameters ?? parametersJsonSchema ?? input_schema, strict };
  });
}

function add({ groups }: WireRequest, side: Group["side"], items: Item[], joins = false): void {
  const last = groups.at(-1);
  if (joins && last?.side === side) last.items.push(...items);
  else groups.push({ side, items });
}

type Reader = (body: Json, request: WireRequest, stored: ReadonlyMap<string, Json>) => void;

const readers: Readonly<Record<Api, Reader>> = {
  responses(body, request, stored) {
    if (body.instructions !== undefined) request.system.push(body.instructions);
    const referred = new Set<string>();
    for (const given of body.input) {
      const isReferred = given.type === "item_reference";
      if (isReferred) {
        assert.ok(stored.has(given.id), `\`${given.id}\` refers to nothing that was stored`);
        assert.ok(!referred.has(given.id), `\`${given.id}\` is referred to twice`);
        referred.add(given.id);
      }
      const item = isReferred ? stored.get(given.id) : given;
      if (item.role === "system" || item.role === "developer") request.system.push(item.content);
      else if (item.role === "user") add(request, "user", responsesParts(item.content));
      else if (item.role === "assistant") add(request, "assistant", responsesParts(item.content), true);
      else if (item.type === "reasoning") {
        const text = item.summary.map((part: Json) => part.text).join("");
        add(request, "assistant", [{ kind: "reasoning", text, signature: item.encrypted_content }], true);
      } else if (item.type === "function_call") {
        const { call_id: id, name, arguments: input } = item;
        add(request, "assistant", [{ kind: "call", id, name, input, ...(isReferred && { isReferred }) }], true);
      } else if (item.type === "function_call_output") {
        const parts = responsesParts(item.output);
        add(
          request,
          "results",
          [{ kind: "result", id: item.call_id, text: textOf(parts), files: filesOf(parts).length }, ...filesOf(parts)],
          true,
        );
      } else if (item.type === "web_search_call") {
        add(request, "assistant", [{ kind: "own", part: item }], true);
      } else assert.fail(`unknown item ${JSON.stringify(item)}`);
    }
  },

  chat(body, request) {
    for (const message of body.messages) {
      const { role, content } = message;
      if (role === "system" || role === "developer") request.system.push(content);
      else if (role === "user") add(request, "user", chatParts(content));
      else if (role === "tool") {
        assert.equal(typeof content, "string");
        add(request, "results", [{ kind: "result", id: message.tool_call_id, text: content, files: 0 }], true);
      } else {
        const reasoning: Item[] = message.reasoning_content
          ? [{ kind: "reasoning", text: message.reasoning_content, signature: undefined }]
          : [];
        const calls = (message.tool_calls ?? []).map(
          (call: Json): Item => ({
            kind: "call",
            id: call.id,
            name: call.function.name,
            input: call.function.arguments,
          }),
        );
        add(request, "assistant", [...reasoning, ...chatParts(content ?? ""), ...calls]);
      }
    }
  },

  anthropic(body, request) {
    for (const part of body.system ?? []) request.system.push(part.text);
    for (const { role, content } of body.messages) {
      const items: Item[] = content.flatMap(anthropicPart);
      // Anthropic takes results at the start of a user's message only.
      const results = items.findLastIndex(({ kind }) => kind === "result");
      assert.ok(role === "user" || results === -1);
      if (results >= 0) assert.equal(items[0]?.kind, "result");
      add(request, role === "assistant" ? "assistant" : results >= 0 ? "results" : "user", items);
    }
  },

  gemini(body, request) {
    for (const part of body.systemInstruction?.parts ?? []) request.system.push(part.text);
    for (const { role, parts } of body.contents) {
      const items: Item[] = parts.flatMap(geminiPart);
      const side = role === "model" ? "assistant" : items.some(({ kind }) => kind === "result") ? "results" : "user";
      add(request, side, items);
    }
  },
};

function responsesParts(content: Json): Item[] {
  return typeof content === "string" ? [{ kind: "text", text: content }] : content.map(responsesPart);
}

function responsesPart(part: Json): Item {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return { kind: "text", text: part.text };
    case "input_image":
      return file(part.image_url);
    case "input_file":
      return file(part.file_data ?? part.file_url);
    default:
      return assert.fail(`unknown part ${JSON.stringify(part)}`);
  }
}

function chatParts(content: Json): Item[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  return content.map((part: Json): Item => {
    if (part.type === "text") return { kind: "text", text: part.text };
    assert.equal(part.type, "image_url");
    return file(part.image_url.url);
  });
}

function anthropicPart(part: Json): Item[] {
  switch (part.type) {
    case "text":
      return [{ kind: "text", text: part.text }];
    case "thinking":
      return [{ kind: "reasoning", text: part.thinking, signature: part.signature }];
    case "tool_use":
      return [{ kind: "call", id: part.id, name: part.name, input: part.input }];
    case "tool_result": {
      const inner: Item[] =
        typeof part.content === "string" ? [{ kind: "text", text: part.content }] : part.content.flatMap(anthropicPart);
      return [
        { kind: "result", id: part.tool_use_id, text: textOf(inner), files: filesOf(inner).length },
        ...filesOf(inner),
      ];
    }
    case "server_tool_use":
    case "web_search_tool_result":
      return [{ kind: "own", part }];
    case "image":
    case "document":
      return [{ kind: "file", mediaType: part.source.media_type, data: part.source.data ?? part.source.url }];
    default:
      return assert.fail(`unknown part ${JSON.stringify(part)}`);
  }
}

function geminiPart(part: Json): Item[] {
  const signature = part.thoughtSignature;
  if (part.functionCall !== undefined) {
    const { id, name, args } = part.functionCall;
    const call: Item = { kind: "call", id, name, input: args };
    return signature === undefined ? [call] : [{ kind: "reasoning", text: "", signature }, call];
  }
  if (part.functionResponse !== undefined) {
    const { id, name, response, parts = [] } = part.functionResponse;
    const text = response.content ?? response.output ?? response.error;
    return [
      { kind: "result", id, name, text: typeof text === "string" ? text : JSON.stringify(text), files: parts.length },
      ...parts.flatMap(geminiPart),
    ];
  }
  if (part.executableCode !== undefined || part.codeExecutionResult !== undefined) return [{ kind: "own", part }];
  if (part.fileData !== undefined)
    return [{ kind: "file", mediaType: part.fileData.mimeType, data: part.fileData.fileUri }];
  if (part.inlineData !== undefined)
    return [{ kind: "file", mediaType: part.inlineData.mimeType, data: part.inlineData.data }];
  assert.equal(typeof part.text, "string", `unknown part ${JSON.stringify(part)}`);
  return [
    part.thought === true ? { kind: "reasoning", text: part.text, signature } : { kind: "text", text: part.text },
  ];
}

function file(url: string): Item {
  const [, mediaType = "", data = url] = /^data:([^;]+);base64,(.*)$/s.exec(url) ?? [];
  return { kind: "file", mediaType, data };
}

function textOf(items: readonly Item[]): string {
  return items.flatMap((item) => (item.kind === "text" ? [item.text] : [])).join("\n");
}

function filesOf(items: readonly Item[]): Item[] {
  return items.filter(({ kind }) => kind === "file");
}
