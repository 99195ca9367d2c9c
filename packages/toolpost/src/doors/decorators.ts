// The door `toolpost/decorators`: tools, channels and agents as classes, and what their constructors are given.
// Named exports only; nothing here may reach a `node:` import.

export { Agent } from "../agent/agent-class.ts";
export type { ChannelHandler, ChannelSettings } from "../author/classes/channel-decorator.ts";
export { Channel } from "../author/classes/channel-decorator.ts";
export type { AnyClass } from "../author/classes/class-notes.ts";
export { toolsOf } from "../author/classes/class-tools.ts";
export type { InjectableSettings } from "../author/classes/injectable.ts";
export { Injectable } from "../author/classes/injectable.ts";
export type { Injected } from "../author/classes/parameters.ts";
export { context, input, state } from "../author/classes/parameters.ts";
export type { Binding, Implementation, Provider } from "../author/classes/provider.ts";
export { provide } from "../author/classes/provider.ts";
export type { Dependency, Instances, NamedDependency, Token } from "../author/classes/token.ts";
export { token } from "../author/classes/token.ts";
export type { ToolDecorator, ToolHandler, ToolSettings } from "../author/classes/tool-decorator.ts";
export { Tool } from "../author/classes/tool-decorator.ts";
export { ExecutionContext, SpendRecorder } from "../core/execution-context.ts";
