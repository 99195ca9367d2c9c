// Models named by a string, as command lines and configuration files name them: `openai:gpt-5.2`.
// The provider package is the user's own; nothing of it is imported before a string asks for it.

import type { LanguageModel, Model } from "../core/model.ts";
import { ModelError } from "../core/run-errors.ts";
import type { ProviderPrefix } from "./model-string.ts";
import { importProvider } from "./provider-package.ts";
import { scriptedFile } from "./scripted-file.ts";
import { toModel } from "./to-model.ts";

export interface ModelStringOptions {
  /** Absolute path: where packages are looked for and relative files are read. */
  readonly directory: string;
  /** For keys and addresses; what is not there the provider may look up in `process.env` itself. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The model a string names. Rejects with ModelError `model.unknown-string` or `model.missing-package`, or with what
 * reading a scripted file rejects with. A missing key is told by the provider at the first request.
 *
 * - `openai:MODEL` by OPENAI_API_KEY, OPENAI_BASE_URL; `anthropic:MODEL` by ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL
 * - `google:MODEL` by GOOGLE_GENERATIVE_AI_API_KEY, GOOGLE_GENERATIVE_AI_BASE_URL
 * - `ollama:MODEL` at OLLAMA_HOST, default http://127.0.0.1:11434; a name may have a tag, `ollama:qwen3:8b`
 * - `openai-compatible:URL#MODEL`, where the key is needed by OPENAI_COMPATIBLE_API_KEY
 * - `scripted:FILE`, relative to the directory
 */
export async function modelFromString(name: string, options: ModelStringOptions): Promise<Model> {
  const separator = name.indexOf(":");
  const prefix = name.slice(0, Math.max(separator, 0));
  const rest = name.slice(separator + 1);
  const open = Object.hasOwn(providers, prefix) ? providers[prefix as ProviderPrefix] : undefined;
  if (open === undefined) throw unknown(`\`${name}\` names no known provider`);
  if (rest.trim() === "") throw unknown(`\`${name}\` lacks what comes after \`${prefix}:\``);
  return toModel(await open(rest, options));
}

type OpenModel = (rest: string, options: ModelStringOptions) => Promise<LanguageModel>;

const providers: Readonly<Record<ProviderPrefix, OpenModel>> = {
  openai: (modelId, options) => {
    const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL } = options.env;
    return fromPackage("@ai-sdk/openai", ["createOpenAI"], { modelId, options, settings: { apiKey, baseURL } });
  },
  anthropic: (modelId, options) => {
    const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseURL } = options.env;
    return fromPackage("@ai-sdk/anthropic", ["createAnthropic"], { modelId, options, settings: { apiKey, baseURL } });
  },
  google: (modelId, options) => {
    const { GOOGLE_GENERATIVE_AI_API_KEY: apiKey, GOOGLE_GENERATIVE_AI_BASE_URL: baseURL } = options.env;
    const settings = { apiKey, baseURL };
    const creators = ["createGoogleGenerativeAI", "createGoogle"];
    return fromPackage("@ai-sdk/google", creators, { modelId, options, settings });
  },
  ollama: (modelId, options) => {
    const baseURL = `${ollamaAddress(options.env.OLLAMA_HOST)}/v1`;
    return compatible({ modelId, options, settings: { name: "ollama", baseURL } });
  },
  "openai-compatible": async (rest, options) => {
    const [baseURL = "", ...parts] = rest.split("#");
    const modelId = parts.join("#");
    if (!/^https?:\/\/./.test(baseURL) || modelId === "") {
      throw unknown(`\`openai-compatible:${rest}\` is not of the form \`openai-compatible:URL#MODEL\``);
    }
    const apiKey = options.env.OPENAI_COMPATIBLE_API_KEY;
    return compatible({ modelId, options, settings: { name: "openai-compatible", baseURL, apiKey } });
  },
  scripted: (file, { directory }) => scriptedFile(process.getBuiltinModule("node:path").resolve(directory, file)),
};

interface PackageModel {
  readonly modelId: string;
  readonly options: ModelStringOptions;
  /** As the package's `create…` function takes them. */
  readonly settings: Readonly<Record<string, unknown>>;
}

function compatible({ settings, ...model }: PackageModel): Promise<LanguageModel> {
  // Without `includeUsage` a streamed reply says nothing of its tokens.
  const all = { includeUsage: true, ...settings };
  return fromPackage("@ai-sdk/openai-compatible", ["createOpenAICompatible"], { ...model, settings: all });
}

/** @param creators names of the function that makes a provider, over the versions of the package */
async function fromPackage(name: string, creators: readonly string[], model: PackageModel): Promise<LanguageModel> {
  const exports = await importProvider(name, model.options.directory);
  const create = creators.map((creator) => exports[creator]).find((found) => typeof found === "function");
  if (create === undefined) {
    const message = `\`${name}\` exports no \`${creators[0]}\`; run \`npm install ${name}@latest\``;
    throw new ModelError("model.missing-package", message);
  }
  return create(model.settings)(model.modelId);
}

/** OLLAMA_HOST as ollama itself reads it: scheme and port may be left out, and it may be the address to listen on. */
function ollamaAddress(host: string | undefined): string {
  const text = host?.trim() || "127.0.0.1";
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url === null) throw unknown(`the address \`${text}\` in OLLAMA_HOST is no address`);
  if (!text.includes("://") && url.port === "" && !/:80$/.test(text)) url.port = "11434";
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  return url.href.replace(/\/+$/, "");
}

function unknown(what: string): ModelError {
  return new ModelError("model.unknown-string", `${what}; known are ${known}`);
}

const known =
  "`openai:MODEL`, `anthropic:MODEL`, `google:MODEL`, `ollama:MODEL`, `openai-compatible:URL#MODEL`, `scripted:FILE`";
