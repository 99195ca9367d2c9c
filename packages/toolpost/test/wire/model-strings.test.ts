// Model strings resolve to the provider packages as installed, of every major, and those ask the address and key they were
// given; a string, a key or an address that does not work says so, with what to do.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import { defineAgent } from "../../src/agent/define-agent.ts";
import { createApp } from "../../src/app/create-app.ts";
import { ModelError } from "../../src/core/run-errors.ts";
import { modelFromString } from "../../src/models/model-from-string.ts";

const mock = new LLMock({ port: 0, host: "127.0.0.1" });
const url = await mock.start();
after(() => mock.stop());
mock.on({ predicate: () => true }, { content: "Here." });

const root = await mkdtemp(join(tmpdir(), "toolpost-strings-"));
after(() => rm(root, { recursive: true, force: true }));
const installed = join(import.meta.dirname, "../../../../node_modules");
const packages = ["openai", "anthropic", "google", "openai-compatible"];

/** A project whose provider packages are those of one major. */
async function projectOf(major: string): Promise<string> {
  const scope = join(root, major, "node_modules/@ai-sdk");
  await mkdir(scope, { recursive: true });
  for (const name of packages) {
    const target = major === "newest" ? `@ai-sdk/${name}` : `ai-sdk-${name}-${major}`;
    await symlink(join(installed, target), join(scope, name), "junction");
  }
  return join(root, major);
}

interface StringCase {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly id: string;
  readonly path: string;
  /** Where it differs. */
  readonly streamPath?: string;
  /** The header with the key, as it must be sent. */
  readonly key?: readonly [header: string, value: string];
}

const cases: readonly StringCase[] = [
  {
    name: "openai:gpt-5.2",
    env: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${url}/v1` },
    id: "openai:gpt-5.2",
    path: "/v1/responses",
    key: ["authorization", "Bearer k"],
  },
  {
    name: "anthropic:claude-sonnet-5",
    env: { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `${url}/v1` },
    id: "anthropic:claude-sonnet-5",
    path: "/v1/messages",
    key: ["x-api-key", "k"],
  },
  {
    name: "google:gemini-2.5-flash",
    env: { GOOGLE_GENERATIVE_AI_API_KEY: "k", GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/v1beta` },
    id: "google:gemini-2.5-flash",
    path: "/v1beta/models/gemini-2.5-flash:generateContent",
    streamPath: "/v1beta/models/gemini-2.5-flash:streamGenerateContent",
    key: ["x-goog-api-key", "k"],
  },
  { name: "ollama:qwen3:8b", env: { OLLAMA_HOST: url }, id: "ollama:qwen3:8b", path: "/v1/chat/completions" },
  {
    name: `openai-compatible:${url}/v1#org/model`,
    env: { OPENAI_COMPATIBLE_API_KEY: "k" },
    id: "openai-compatible:org/model",
    path: "/v1/chat/completions",
    key: ["authorization", "Bearer k"],
  },
];

const request = {
  prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
  tools: [],
  signal: new AbortController().signal,
} as const;

/** Headers as the mock keeps them may be hidden; what was sent is told by a fetch of ours. */
async function sentBy(ask: () => Promise<unknown>): Promise<Request[]> {
  const { fetch } = globalThis;
  const requests: Request[] = [];
  globalThis.fetch = (input, init) => {
    requests.push(new Request(input, init));
    return fetch(input, init);
  };
  try {
    await ask();
  } finally {
    globalThis.fetch = fetch;
  }
  return requests;
}

for (const major of ["newest", "previous", "oldest"]) {
  const directory = await projectOf(major);
  for (const { name, env, id, path, streamPath = path, key } of cases) {
    test(`${name.replace(url, "URL")}, ${major}: asked at its own path with its key, streamed and not`, async () => {
      const model = await modelFromString(name, { directory, env });
      assert.equal(model.id, id);
      const requests = await sentBy(async () => {
        for (const onDelta of [undefined, () => undefined]) {
          const { content, finish } = await model.call(request, onDelta);
          assert.deepEqual([content.map((part) => part.type === "text" && part.text), finish], [["Here."], "stop"]);
        }
      });
      assert.deepEqual(
        requests.map((sent) => new URL(sent.url).pathname),
        [path, streamPath],
      );
      for (const sent of requests) {
        assert.equal(sent.url.startsWith(url), true);
        assert.equal(sent.headers.get(key?.[0] ?? "authorization"), key?.[1] ?? null);
      }
      // Chat completions stream no figures unless they are asked for.
      const { stream_options } = (await requests[1]!.json()) as { stream_options?: { include_usage?: boolean } };
      assert.equal(stream_options?.include_usage, path.endsWith("/chat/completions") ? true : undefined);
    });
  }

  for (const { name, variable } of [
    { name: "openai:gpt-5.2", variable: "OPENAI_API_KEY" },
    { name: "anthropic:claude-sonnet-5", variable: "ANTHROPIC_API_KEY" },
    { name: "google:gemini-2.5-flash", variable: "GOOGLE_GENERATIVE_AI_API_KEY" },
  ]) {
    test(`${name}, ${major}: a missing key is told by the name of its variable at the first request`, async () => {
      assert.equal(process.env[variable], undefined);
      const model = await modelFromString(name, { directory, env: {} });
      await assert.rejects(model.call(request), (error) => {
        assert.ok(error instanceof ModelError);
        assert.deepEqual([error.code, error.message.includes(variable)], ["model.failed", true], error.message);
        return true;
      });
    });
  }
}

test("an address where nobody listens is told with the system's word for it", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const env = { OLLAMA_HOST: `127.0.0.1:${port}` };
  const model = await modelFromString("ollama:qwen3", { directory: join(root, "newest"), env });
  for (const onDelta of [undefined, () => undefined]) {
    await assert.rejects(model.call(request, onDelta), {
      code: "model.failed",
      message: /^ollama:qwen3 failed with ECONNREFUSED: /,
    });
  }
});

test("strings that name nothing are told before any request: in an application with the forms there are, alone in the same words", async () => {
  const forms = "`openai:MODEL`, `anthropic:MODEL`, `google:MODEL`, `ollama:MODEL`, `openai-compatible:URL#MODEL`";
  const wrong = [
    "gpt-5.2",
    "mistral:large",
    "openai:",
    "openai-compatible:localhost#m",
    "openai-compatible:http://h/v1",
  ];
  const sent = await sentBy(async () => {
    for (const name of wrong) {
      const error = await modelFromString(name, { directory: root, env: {} }).catch((reason: ModelError) => reason);
      assert.ok(error instanceof ModelError);
      assert.equal(error.code, "model.unknown-string");
      assert.ok(error.message.includes(`\`${name}\``) && error.message.includes(forms), error.message);
    }
    const agent = defineAgent({ name: "desk", description: "Answers", model: "gpt-5.2", tools: [] });
    assert.throws(() => createApp({ agents: [agent] }), { name: "AssemblyError", message: /model/ });
  });
  assert.equal(sent.length, 0);
});
