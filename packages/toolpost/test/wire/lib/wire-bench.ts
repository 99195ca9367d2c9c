// One agent on the model object of a provider package, whose requests go to a mock of the providers' APIs on this machine.
// What the mock cannot say is said by a fake: a whole response of ours, given in place of the mock's.
import assert from "node:assert/strict";
import { after } from "node:test";
import type { FixtureResponse } from "@copilotkit/aimock";
import { LLMock } from "@copilotkit/aimock";
import type { AgentOptions } from "../../../src/agent/define-agent.ts";
import { defineAgent } from "../../../src/agent/define-agent.ts";
import type { UserContent } from "../../../src/agent/user-message.ts";
import type { AppOptions } from "../../../src/app/app-options.ts";
import type { App } from "../../../src/app/create-app.ts";
import { createApp } from "../../../src/app/create-app.ts";
import type { RunOptions } from "../../../src/app/run-options.ts";
import type { LogEntry } from "../../../src/core/govern.ts";
import type { RunResult } from "../../../src/core/run-result.ts";
import type { Schema } from "../../../src/core/schema.ts";
import type { ToolSource } from "../../../src/core/source.ts";
import type { AnyTool } from "../../../src/core/tool.ts";
import { memoryThreads } from "../../../src/threads/memory-threads.ts";
import { checkRequest } from "./check-request.ts";
import type { Provider } from "./providers.ts";
import type { Json, WireRequest } from "./read-request.ts";
import { readRequest } from "./read-request.ts";

/** What the provider answers next. */
export type Answer =
  | FixtureResponse
  /** The same, but the connection is closed after so many events of its stream. */
  | { readonly cutAfter: number; readonly response: FixtureResponse }
  /** Of the fake. */
  | { readonly fake: (isStreamed: boolean) => Response };

export interface WireBench {
  readonly app: App;
  readonly log: readonly LogEntry[];
  /** Of the application, for another to go on with. */
  readonly threads: NonNullable<AppOptions["threads"]>;
  /** As they were sent, each checked for what every API demands. */
  readonly requests: readonly WireRequest[];
  readonly bodies: readonly Json[];
  /** A run from its start to its end, whichever. */
  run(message?: UserContent, options?: RunOptions): Promise<RunResult>;
  /** Fails where an answer is left that nobody asked for. */
  assertDone(): void;
}

export interface BenchOptions {
  readonly tools?: readonly (AnyTool | ToolSource)[];
  readonly agent?: Partial<AgentOptions<Schema | undefined>>;
  readonly app?: Partial<AppOptions>;
  /** The address of a server that answers in place of the mock. */
  readonly server?: string;
}

export const system = "Be brief.";

const answers: Answer[] = [];
const mock = new LLMock({ port: 0, host: "127.0.0.1" });
const url = await mock.start();
after(() => mock.stop());

for (const cutAfter of [1, 2, 3, 4, 5, 6]) {
  mock.on({ predicate: () => cutOf(answers[0]) === cutAfter }, next, { truncateAfterChunks: cutAfter, chunkSize: 4 });
}
mock.on({ predicate: () => answers.length > 0 }, next);

function cutOf(answer: Answer | undefined): number | undefined {
  return answer !== undefined && "cutAfter" in answer ? answer.cutAfter : undefined;
}

function next(): FixtureResponse {
  const answer = answers.shift();
  if (answer === undefined || "fake" in answer) return assert.fail("no answer is left");
  const response = "cutAfter" in answer ? answer.response : answer;
  // The mock says `FUNCTION_CALL`, which Gemini never does.
  return isGemini && "toolCalls" in response ? { ...response, finishReason: "stop" } : response;
}

let isGemini = false;

/** An application whose agent's provider gives these answers, one after another. */
export async function wireBench(
  provider: Provider,
  given: readonly Answer[],
  { tools = [], agent: settings, app: appOptions, server }: BenchOptions = {},
): Promise<WireBench> {
  answers.length = 0;
  answers.push(...given);
  isGemini = provider.api === "gemini";
  const requests: WireRequest[] = [];
  const bodies: Json[] = [];
  const log: LogEntry[] = [];
  const store = provider.isStoring ? new Store() : { items: () => new Map(), keep: (response: Response) => response };
  const model = await provider.open({
    url,
    fetch: async (input, init = {}) => {
      const body = JSON.parse(String(init.body));
      bodies.push(body);
      requests.push(readRequest(provider.api, body, store.items()));
      if (server !== undefined) return fetch(String(input).replace(url, server), init);
      if (answers.length === 0) assert.fail("the provider was asked once more than it has answers");
      const [answer] = answers;
      if (answer === undefined || !("fake" in answer)) return store.keep(await fetch(input, init));
      answers.shift();
      return store.keep(answer.fake(body.stream === true || String(input).includes("streamGenerateContent")));
    },
  });
  const { providerOptions } = provider;
  const agent = defineAgent({
    name: "desk",
    description: "Answers",
    model,
    prompt: system,
    tools,
    ...(providerOptions !== undefined && { providerOptions }),
    ...settings,
  });
  const { threads = memoryThreads() } = appOptions ?? {};
  const app = createApp({ agents: [agent], log: (entry) => void log.push(entry), ...appOptions, threads });
  return {
    app,
    log,
    threads,
    requests,
    bodies,
    async run(message = "Search, please.", options = {}) {
      const run = app.run(agent, { message }, options);
      const result = await run.then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      for (const request of requests) checkRequest(provider.api, request, { system });
      if ("error" in result) throw result.error;
      return result.value;
    },
    assertDone: () => assert.equal(answers.length, 0, "an answer is left that nobody asked for"),
  };
}

/** What OpenAI's Responses API stores: the items of its replies, by their ids. */
class Store {
  readonly #replies: string[] = [];

  /** The same response, read along. A copy would not let an abort through. */
  keep(response: Response): Response {
    const index = this.#replies.push("") - 1;
    const body = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, controller) => {
          this.#replies[index] += Buffer.from(bytes).toString("latin1");
          controller.enqueue(bytes);
        },
      }),
    );
    return new Response(body ?? null, response);
  }

  items(): Map<string, Json> {
    const items = this.#replies.flatMap((latin) => itemsOf(Buffer.from(latin, "latin1").toString()));
    return new Map(items.map((item) => [item.id, item]));
  }
}

/** Of a whole body or of a stream; in a stream an item is whole once it is done. */
function itemsOf(text: string): Json[] {
  if (text.startsWith("{")) return text.endsWith("}") ? (JSON.parse(text).output ?? []) : [];
  const events: Json[] = text.match(/(?<=^data: )\{.*$/gm)?.map((line) => JSON.parse(line)) ?? [];
  return events.flatMap(({ item }) => item ?? []);
}
