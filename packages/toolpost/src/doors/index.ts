// The door `toolpost`: what an application is written with.
// Named exports only; nothing here may reach a `node:` import.

export type { AgentToolOptions } from "../agent/agent-tool.ts";
export { agentTool } from "../agent/agent-tool.ts";
export type { Agent, AgentOptions, AgentPrompt } from "../agent/define-agent.ts";
export { defineAgent } from "../agent/define-agent.ts";
export type { UserContent } from "../agent/user-message.ts";
export type {
  AppOptions,
  Approvals,
  GovernanceOptions,
  Masking,
  McpOption,
  ModelPrice,
  ToolDefaults,
} from "../app/app-options.ts";
export type {
  ApprovalRecord,
  ApprovalsFilter,
  RunInspection,
  RunSummary,
  RunsFilter,
} from "../app/app-runs.ts";
export type { AppToolkitOptions } from "../app/app-toolkits.ts";
export type { App } from "../app/create-app.ts";
export { createApp } from "../app/create-app.ts";
export { createToolkit } from "../app/create-toolkit.ts";
export type {
  AgentDescription,
  ApprovalNeed,
  BudgetDescription,
  CountBound,
  Description,
  EnvironmentDescription,
  EnvironmentReader,
  FromSomewhere,
  OutputDescription,
  PromptDescription,
  SizeBound,
  SourceDescription,
  TimeBound,
  ToolDescription,
} from "../app/description.ts";
export type { PauseAnswer, PauseAnswerer } from "../app/pause-answer.ts";
export type { AnthropicTool, GeminiTool, OpenAIChatTool, OpenAITool } from "../app/provider-tools.ts";
export type { RunInput, RunOptions } from "../app/run-options.ts";
export type { AppTool, InvokeOptions } from "../app/tool-slices.ts";
export type { Toolkit, ToolkitOptions } from "../app/toolkit.ts";
export { AutoApproveChannel } from "../approvals/auto-approve-channel.ts";
export { AutoRejectChannel } from "../approvals/auto-reject-channel.ts";
export { TerminalUserChannel } from "../approvals/terminal-user-channel.ts";
export { defineTool } from "../author/define-tool.ts";
export { toolDefinitionOf } from "../author/tool-definition-of.ts";
export type {
  ApprovalDecision,
  ApprovalQuestion,
  Ask,
  Channel,
  ChannelAnswer,
  OpenQuestion,
  PendingPause,
  QuestionReply,
} from "../core/approval.ts";
export { awaitReply, decided } from "../core/approval.ts";
export type { Budget, BudgetLimits, Spend, Usage } from "../core/budget.ts";
export type { Catalog } from "../core/catalog.ts";
export type { ModelAskOptions, ToolContext, ToolModels, User } from "../core/context.ts";
export { createToolContext } from "../core/context.ts";
export { currentContext } from "../core/current-context.ts";
export type { EnvironmentName } from "../core/environment.ts";
export type { Problem, ToolErrorOptions } from "../core/errors.ts";
export {
  AssemblyError,
  FatalToolError,
  isToolpostError,
  ToolError,
  ToolpostError,
  UnknownAgentToolError,
} from "../core/errors.ts";
export type { AgentEvent, EventListener } from "../core/event.ts";
export type { ApprovalFloor, ArtefactStore, HookCall, Hooks, Log, LogEntry, Redact, Rule } from "../core/govern.ts";
export type { Message } from "../core/message.ts";
export type { LanguageModel, Model, ModelReply, ModelRequest } from "../core/model.ts";
export { sanitizeName } from "../core/name.ts";
export type { Policy, PolicyQuestion, ToolErrors, Verdict } from "../core/policy.ts";
export type { ContentPart, ToolAsk, ToolOutput, ToolResult, ToolResultStatus } from "../core/result.ts";
export { ask, error, isToolAsk, isToolOutput, ok, toolOutput } from "../core/result.ts";
export type {
  Answer,
  Attempt,
  Engine,
  Failure,
  Flow,
  JournalEntry,
  Kernel,
  PauseRecord,
  PauseRequest,
  Run,
  RunLease,
  RunRecord,
  RunState,
  Serving,
  Settled,
  StepInfo,
  StepOptions,
  Task,
} from "../core/run.ts";
export type { PartialRun } from "../core/run-errors.ts";
export {
  BudgetExceededError,
  ExecutionLeaseLostError,
  LimitExceededError,
  ModelError,
  RunCancelledError,
  RunError,
} from "../core/run-errors.ts";
export type { RunHandle } from "../core/run-handle.ts";
export type { RunResult, StoppedBy } from "../core/run-result.ts";
export type { JsonSchema, Schema } from "../core/schema.ts";
export type { SourceFacts, SourceStatus, ToolSource } from "../core/source.ts";
export type { ThreadStore } from "../core/thread.ts";
export type { Tool, ToolAnnotations, ToolDefinition, ToolSourceKind } from "../core/tool.ts";
export type { Json } from "../std/json.ts";
