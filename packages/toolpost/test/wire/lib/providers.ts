// The provider packages whose wire is tested: the newest of each and the majors before, which speak specification v4, v3
// and v2. A further package needs an entry here and nothing else, as long as it speaks one of these APIs.
import type { ProviderData } from "../../../src/core/message.ts";
import type { LanguageModel } from "../../../src/core/model.ts";

/** Which API a package speaks; the requests of each are read by `read-request.ts`. */
export type Api = "responses" | "chat" | "anthropic" | "gemini";

interface ProviderPackage {
  /** As it is installed. */
  readonly packages: readonly string[];
  readonly creator: string;
  readonly api: Api;
  /** Where the API begins below the mock's address. */
  readonly path: string;
  readonly modelId: string;
  /** Where one package makes models of several APIs: the provider's method for this one. */
  readonly method?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The API keeps its replies: earlier turns may go as references to them, which are read as what they lead to. */
  readonly isStoring?: true;
  /** The figures of its streams stand elsewhere than the API's do. */
  readonly streamsOwnFigures?: true;
  /** Of the agent. */
  readonly providerOptions?: ProviderData;
}

const table: readonly ProviderPackage[] = [
  {
    packages: ["@ai-sdk/openai", "ai-sdk-openai-previous", "ai-sdk-openai-oldest"],
    creator: "createOpenAI",
    api: "responses",
    path: "/v1",
    modelId: "gpt-5.2",
    method: "responses",
    providerOptions: { openai: { store: false } },
  },
  {
    packages: ["@ai-sdk/openai", "ai-sdk-openai-previous", "ai-sdk-openai-oldest"],
    creator: "createOpenAI",
    api: "responses",
    path: "/v1",
    modelId: "gpt-5.2",
    method: "responses",
    isStoring: true,
  },
  {
    packages: ["@ai-sdk/openai", "ai-sdk-openai-previous", "ai-sdk-openai-oldest"],
    creator: "createOpenAI",
    api: "chat",
    path: "/v1",
    modelId: "gpt-5.2",
    method: "chat",
  },
  {
    packages: ["@ai-sdk/anthropic", "ai-sdk-anthropic-previous", "ai-sdk-anthropic-oldest"],
    creator: "createAnthropic",
    api: "anthropic",
    path: "/v1",
    modelId: "claude-sonnet-4-5",
  },
  {
    packages: ["@ai-sdk/google", "ai-sdk-google-previous", "ai-sdk-google-oldest"],
    creator: "createGoogleGenerativeAI",
    api: "gemini",
    path: "/v1beta",
    modelId: "gemini-2.5-flash",
  },
  {
    packages: ["@ai-sdk/google", "ai-sdk-google-previous", "ai-sdk-google-oldest"],
    creator: "createGoogleGenerativeAI",
    api: "gemini",
    path: "/v1beta",
    modelId: "gemini-3-pro-preview",
  },
  {
    packages: ["@ai-sdk/openai-compatible", "ai-sdk-openai-compatible-previous", "ai-sdk-openai-compatible-oldest"],
    creator: "createOpenAICompatible",
    api: "chat",
    path: "/v1",
    modelId: "qwen3",
    settings: { name: "acme", includeUsage: true },
  },
  {
    packages: ["@ai-sdk/groq"],
    creator: "createGroq",
    api: "chat",
    path: "/v1",
    modelId: "qwen3-32b",
    streamsOwnFigures: true,
  },
];

/** One model object to test. */
export interface Provider {
  readonly name: string;
  readonly api: Api;
  readonly isStoring: boolean;
  readonly streamsOwnFigures: boolean;
  readonly providerOptions: ProviderData | undefined;
  open(connection: { readonly url: string; readonly fetch: typeof globalThis.fetch }): Promise<LanguageModel>;
}

export const providers: readonly Provider[] = table.flatMap((entry) =>
  entry.packages.map((name) => ({
    name: `${name}, ${entry.method ?? entry.modelId}${entry.isStoring ? ", stored" : ""}`,
    api: entry.api,
    isStoring: entry.isStoring === true,
    streamsOwnFigures: entry.streamsOwnFigures === true,
    providerOptions: entry.providerOptions,
    open: async ({ url, fetch }) => {
      const exports = (await import(name)) as Record<string, (settings: object) => ProviderFunction>;
      const provider = exports[entry.creator]!({
        apiKey: "key",
        baseURL: `${url}${entry.path}`,
        fetch,
        ...entry.settings,
      });
      return (entry.method === undefined ? provider : provider[entry.method]!)(entry.modelId);
    },
  })),
);

type ModelFunction = (modelId: string) => LanguageModel;
type ProviderFunction = ModelFunction & Readonly<Record<string, ModelFunction>>;
