// Model strings resolve to the provider packages as installed, and those ask the address and key they were given.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import { modelFromString } from "../../src/models/model-from-string.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1" });
const url = await mock.start();
after(() => mock.stop());
mock.on({ predicate: () => true }, { content: "Here." });

const cases: readonly {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly id: string;
  readonly path: string;
}[] = [
  {
    name: "openai:gpt-5.2",
    env: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${url}/v1` },
    id: "openai:gpt-5.2",
    path: "/v1/responses",
  },
  {
    name: "anthropic:claude-sonnet-5",
    env: { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `${url}/v1` },
    id: "anthropic:claude-sonnet-5",
    path: "/v1/messages",
  },
  {
    name: "google:gemini-2.5-flash",
    env: { GOOGLE_GENERATIVE_AI_API_KEY: "k", GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/v1beta` },
    id: "google:gemini-2.5-flash",
    path: "/v1beta/models/gemini-2.5-flash:generateContent",
  },
  { name: "ollama:qwen3:8b", env: { OLLAMA_HOST: url }, id: "ollama:qwen3:8b", path: "/v1/chat/completions" },
  {
    name: `openai-compatible:${url}/v1#org/model`,
    env: { OPENAI_COMPATIBLE_API_KEY: "k" },
    id: "openai-compatible:org/model",
    path: "/v1/chat/completions",
  },
];

for (const { name, env, id, path } of cases) {
  test(`${name.replace(url, "URL")} is asked at its own path, streamed and not`, async () => {
    const model = await modelFromString(name, { directory: import.meta.dirname, env });
    assert.equal(model.id, id);
    const request = {
      prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
      tools: [],
      signal: new AbortController().signal,
    } as const;
    for (const onDelta of [undefined, () => undefined]) {
      const { content, finish } = await model.call(request, onDelta);
      assert.deepEqual([content.map((part) => part.type === "text" && part.text), finish], [["Here."], "stop"]);
    }
    const last = mock.getRequests().at(-2);
    assert.equal(last?.path.split("?")[0], path);
  });
}
