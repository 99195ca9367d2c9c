// A toolkit: tools of every kind under one governed path, without an agent.
// Types only.

import type { ToolResult } from "../core/result.ts";
import type { SourceStatus } from "../core/source.ts";
import type { AnyTool } from "../core/tool.ts";
import type { GovernanceOptions } from "./app-options.ts";
import type { DirectCallOptions } from "./call-options.ts";
import type { Description } from "./description.ts";
import type { AnthropicTool, GeminiTool, OpenAIChatTool, OpenAITool } from "./provider-tools.ts";

export type ToolkitOptions = GovernanceOptions;

export interface Toolkit {
  /**
   * Calls a tool by name, governed. Resolves with the result, also of a refusal or failure; rejects only for a
   * `FatalToolError`, a throwing `beforeTool`, or `toolErrors: "throw"`. `input` is an object, or JSON text.
   * `visibleWhen` and `requires` see the calls that succeeded on this toolkit so far.
   */
  call(name: string, input: unknown, options?: DirectCallOptions): Promise<ToolResult>;
  /** Every tool, of code and of sources, in order. */
  tools(): readonly AnyTool[];
  /** What it is made of, each bound with where it comes from; plain data, without any value of the environment. */
  describe(): Promise<Description>;
  /** The tools as OpenAI's Responses API takes them, or its chat completions. Call them by the names they have there. */
  toOpenAI(): OpenAITool[];
  toOpenAI(api: "chat"): OpenAIChatTool[];
  /** The tools as Anthropic's Messages API takes them. */
  toAnthropic(): AnthropicTool[];
  /** The tools as `functionDeclarations` of the Gemini API. */
  toGemini(): GeminiTool[];
  /** State of each source; a failed one offers no tools and says why. */
  status(): readonly SourceStatus[];
  /** Ends what was started. Calls under way are cancelled. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
