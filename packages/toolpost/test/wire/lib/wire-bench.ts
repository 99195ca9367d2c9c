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
import type { App, RunOptions } from "../../../src/app/create-app.ts";
import { createApp } from "../../../src/app/create-app.ts";
import type { LogEntry } from "../../../src/core/govern.ts";
import type { RunResult } from "../../../src/core/run-result.ts";
import type { AnyTool } from "../../../src/core/tool.ts";
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
  /** As they were sent, each checked for what every API demands. */
  readonly requests: readonly WireRequest[];
  readonly bodies: readonly Json[];
  /** A run from its start to its end, whichever. */
  run(message?: UserContent, options?: RunOptions): Promise<RunResult>;
  /** Fails where an answer is left that nobody asked for. */
  assertDone(): void;
}

export interface BenchOptions {
  readonly tools?: readonly AnyTool[];
  readonly agent?: Partial<AgentOptions<undefined>>;
  readonly app?: Partial<AppOptions>;
  /** Called with each request before it is answered. */
  readonly onRequest?: (init: RequestInit) => void;
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
  { tools = [], agent: settings, app: appOptions, onRequest }: BenchOptions = {},
): Promise<WireBench> {
  answers.length = 0;
  answers.push(...given);
  isGemini = provider.api === "gemini";
  const requests: WireRequest[] = [];
  const bodies: Json[] = [];
  const log: LogEntry[] = [];
  const model = await provider.open({
    url,
    fetch: async (input, init = {}) => {
      const body = JSON.parse(String(init.body));
      bodies.push(body);
      requests.push(readRequest(provider.api, body));
      onRequest?.(init);
      if (answers.length === 0) assert.fail("the provider was asked once more than it has answers");
      const [answer] = answers;
      if (answer === undefined || !("fake" in answer)) return fetch(input, init);
      answers.shift();
      return answer.fake(body.stream === true || String(input).includes("streamGenerateContent"));
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
  const app = createApp({ agents: [agent], log: (entry) => void log.push(entry), ...appOptions });
  return {
    app,
    log,
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
