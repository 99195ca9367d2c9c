// The door `toolpost/testing`: tools, models and time under a test's control.
// Nothing here reaches a network or waits for real time.

export type { Binding } from "../author/classes/provider.ts";
export type { ScriptedAnswer, ScriptedModel, ScriptedModelOptions, ScriptedStep } from "../models/scripted-model.ts";
export { scriptedModel } from "../models/scripted-model.ts";
export type { ScriptedCall, ScriptedReply } from "../models/scripted-reply.ts";
export type { ScriptedMatch, ScriptedRequest, ScriptedResult } from "../models/scripted-request.ts";
export type { ContractOptions, CreateEngineStore, EngineStore } from "../testing/engine-contract/engine-store.ts";
export { engineContract } from "../testing/engine-contract.ts";
export type { FakeClock } from "../testing/fake-clock.ts";
export { fakeClock } from "../testing/fake-clock.ts";
export type { CreateKernelStore, KernelStore } from "../testing/kernel-contract.ts";
export { kernelContract } from "../testing/kernel-contract.ts";
export { mockOf, override } from "../testing/mock-of.ts";
export type { TestedCall, TestedTool, TestToolOptions } from "../testing/test-tool.ts";
export { testTool } from "../testing/test-tool.ts";
export type { CreateThreadStore } from "../testing/thread-store-contract.ts";
export { threadStoreContract } from "../testing/thread-store-contract.ts";
