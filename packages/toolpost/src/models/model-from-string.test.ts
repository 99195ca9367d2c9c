import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { modelFromString } from "./model-from-string.ts";
import { importProvider } from "./provider-package.ts";

const directory = await mkdtemp(join(tmpdir(), "toolpost models #"));
after(() => rm(directory, { recursive: true, force: true }));

/** A provider package as npm lays it out, whose model tells the settings it was made with in its provider field. */
async function install(name: string, manifest: object, code: string, file = "dist/index.js"): Promise<void> {
  const folder = join(directory, "node_modules", name);
  await mkdir(join(folder, "dist"), { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ name, version: "1.0.0", ...manifest }));
  await writeFile(join(folder, file), code);
}

const fake = (creator: string): string => `
  export const ${creator} = (settings) => (modelId) => ({
    specificationVersion: "v3", provider: JSON.stringify(settings).replaceAll(".", "_") + ".chat", modelId,
    doGenerate() {}, doStream() {},
  });`;

/** The settings, found in the id where `fake` put them. */
function settingsOf({ id }: { readonly id: string }): unknown {
  return JSON.parse(id.slice(0, id.lastIndexOf("}") + 1));
}

await install(
  "@ai-sdk/google",
  { type: "module", exports: { ".": { import: "./dist/index.js" } } },
  fake("createGoogleGenerativeAI"),
);
await install(
  "@ai-sdk/openai-compatible",
  { exports: { ".": { types: "./dist/index.d.ts", import: "./dist/index.mjs", require: "./dist/index.js" } } },
  fake("createOpenAICompatible"),
  "dist/index.mjs",
);

test("a package is taken from where the user installed it, also one that only knows `import`", async () => {
  const model = await modelFromString("google:gemini-3-pro", { directory, env: { GOOGLE_GENERATIVE_AI_API_KEY: "k" } });
  assert.match(model.id, /:gemini-3-pro$/);
  assert.deepEqual(settingsOf(model), { apiKey: "k" });
});

test("openai-compatible takes an address and a model, whose name may hold anything", async () => {
  const env = { OPENAI_COMPATIBLE_API_KEY: "k" };
  const model = await modelFromString("openai-compatible:http://localhost:8000/v1#org/model:tag#2", { directory, env });
  assert.match(model.id, /:org\/model:tag#2$/);
  assert.deepEqual(settingsOf(model), {
    includeUsage: true,
    name: "openai-compatible",
    baseURL: "http://localhost:8000/v1",
    apiKey: "k",
  });
});

test("ollama is asked on this machine, or where OLLAMA_HOST says", async () => {
  const cases: [string | undefined, string][] = [
    [undefined, "http://127_0_0_1:11434/v1"],
    ["", "http://127_0_0_1:11434/v1"],
    ["0.0.0.0", "http://127_0_0_1:11434/v1"],
    ["0.0.0.0:8080", "http://127_0_0_1:8080/v1"],
    ["gpu", "http://gpu:11434/v1"],
    ["gpu:80", "http://gpu/v1"],
    ["https://gpu/", "https://gpu/v1"],
    ["http://gpu:1/ollama/", "http://gpu:1/ollama/v1"],
  ];
  for (const [host, baseURL] of cases) {
    const model = await modelFromString("ollama:qwen3:8b", { directory, env: { OLLAMA_HOST: host } });
    assert.match(model.id, /:qwen3:8b$/);
    assert.deepEqual(settingsOf(model), { includeUsage: true, name: "ollama", baseURL }, host);
  }
  await assert.rejects(modelFromString("ollama:qwen3", { directory, env: { OLLAMA_HOST: "http://" } }), {
    code: "model.unknown-string",
    message: /OLLAMA_HOST/,
  });
});

test("a package that is nowhere is named with the command to install it", async () => {
  const nowhere = await mkdtemp(join(tmpdir(), "toolpost-nowhere-"));
  after(() => rm(nowhere, { recursive: true, force: true }));
  await assert.rejects(importProvider("@acme/models", nowhere), {
    code: "model.missing-package",
    message: "`@acme/models` is not installed; run `npm install @acme/models`",
  });
});

test("a package that is found nowhere near is taken from beside Toolpost", async () => {
  const nowhere = await mkdtemp(join(tmpdir(), "toolpost-nowhere-"));
  after(() => rm(nowhere, { recursive: true, force: true }));
  const model = await modelFromString("openai:gpt-5.2", { directory: nowhere, env: { OPENAI_API_KEY: "k" } });
  assert.equal(model.id, "openai:gpt-5.2");
});

test("a package that cannot be loaded, or is too old, says why and what to install", async () => {
  const manifest = { type: "module", main: "dist/index.js" };
  await install("@ai-sdk/anthropic", manifest, 'import "zod-that-is-not-there"; export {};');
  await assert.rejects(modelFromString("anthropic:claude", { directory, env: {} }), {
    code: "model.missing-package",
    message:
      /^`@ai-sdk\/anthropic` could not be loaded: .*zod-that-is-not-there.*; run `npm install @ai-sdk\/anthropic`$/,
  });
  await install("@ai-sdk/openai", manifest, "export const OpenAI = 1;");
  await assert.rejects(modelFromString("openai:gpt-5.2", { directory, env: {} }), {
    code: "model.missing-package",
    message: "`@ai-sdk/openai` exports no `createOpenAI`; run `npm install @ai-sdk/openai@latest`",
  });
});

test("a string that names no model lists those that do", async () => {
  const cases: [string, RegExp][] = [
    ["gpt-5.2", /^`gpt-5.2` names no known provider; known are `openai:MODEL`, .*`scripted:FILE`$/],
    ["mistral:large", /names no known provider/],
    ["constructor:x", /names no known provider/],
    ["", /names no known provider/],
    ["openai:", /lacks what comes after `openai:`/],
    ["openai-compatible:localhost#m", /not of the form `openai-compatible:URL#MODEL`/],
    ["openai-compatible:http://localhost/v1", /not of the form/],
  ];
  for (const [name, message] of cases) {
    await assert.rejects(modelFromString(name, { directory, env: {} }), { code: "model.unknown-string", message });
  }
});

test("a scripted file is read relative to the directory", async () => {
  await writeFile(join(directory, "demo.yaml"), "- Hello.");
  const model = await modelFromString("scripted:./demo.yaml", { directory, env: {} });
  const reply = await model.call({ prompt: [], tools: [], signal: new AbortController().signal });
  assert.equal(model.id, "scripted:demo");
  assert.deepEqual(reply.content, [{ type: "text", text: "Hello." }]);
  await assert.rejects(modelFromString("scripted:./none.yaml", { directory, env: {} }), {
    code: "scripted.file-invalid",
  });
});
