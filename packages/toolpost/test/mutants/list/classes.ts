// Breaks of tools and agents as classes: what parameters are given, what constructors are given, whose call it is.
import type { Mutant } from "../lib/mutant.ts";

const authoring = "test/authoring/authoring.test.ts";
const mistakes = "test/authoring/mistakes.test.ts";
const currentCall = "test/authoring/current-call.test.ts";
const container = "src/author/classes/container.test.ts";
const agents = "test/stories/agent-classes.test.ts";

export const mutants: readonly Mutant[] = [
  {
    guarantee: "parameters come in the order the author wrote",
    file: "src/author/classes/parameters.ts",
    find: "order.map((kind) => given(kind, parsed, ctx))",
    replace: "[parsed, ctx]",
    test: authoring,
  },
  {
    guarantee: "an undecorated parameter beside decorated ones is refused",
    file: "src/author/classes/parameters.ts",
    find: "if (here.length === 0)",
    replace: "if (false)",
    test: mistakes,
  },
  {
    guarantee: "a parameter with two decorators is refused",
    file: "src/author/classes/parameters.ts",
    find: "if (here.length > 1)",
    replace: "if (here.length > 2)",
    test: mistakes,
  },
  {
    guarantee: "a state that nobody gives is refused at the call",
    file: "src/author/classes/parameters.ts",
    find: "if (ctx.state !== undefined) return ctx.state;",
    replace: "return ctx.state;",
    test: "src/testing/test-class.test.ts",
  },
  {
    guarantee: "a state that no workflow gives is refused at assembly",
    file: "src/app/check-definitions.ts",
    find: "if (origin?.needsState === true) {",
    replace: "if (false) {",
    test: mistakes,
  },
  {
    guarantee: "one instance of a class serves an application",
    file: "src/author/classes/container.ts",
    find: "this.#instances.set(type, made);",
    replace: "",
    test: container,
  },
  {
    guarantee: "an override stands before all providers",
    file: "src/author/classes/container.ts",
    find: "this.#overrides.findLast(({ contract }) => contract === dependency) ??",
    replace: "",
    test: container,
  },
  {
    guarantee: "a contract that two classes extend is ambiguous",
    file: "src/author/classes/container.ts",
    find: "if (candidates.size > 1)",
    replace: "if (candidates.size > 2)",
    test: mistakes,
  },
  {
    guarantee: "a circle of dependencies is named",
    file: "src/author/classes/container.ts",
    find: 'else if (resolved.kind === "class" && chain.includes(resolved.type)) tell(circular([...chain, resolved.type]));',
    replace: 'else if (resolved.kind === "class" && chain.includes(resolved.type)) return;',
    test: mistakes,
  },
  {
    guarantee: "dependencies of dependencies are checked",
    file: "src/author/classes/container.ts",
    find: 'else if (resolved.kind === "class") this.#walk(resolved.type, chain, tell);',
    replace: "",
    test: mistakes,
  },
  {
    guarantee: "a constructor that takes more than `deps` names is refused",
    file: "src/author/classes/container.ts",
    find: "if (wanted > (deps?.length ?? 0))",
    replace: "if (wanted > (deps?.length ?? wanted))",
    test: mistakes,
  },
  {
    guarantee: "instances are disposed of, the last one first",
    file: "src/author/classes/container.ts",
    find: "[...this.#instances.values()].reverse()",
    replace: "[...this.#instances.values()]",
    test: container,
  },
  {
    guarantee: "closing an application closes what it constructed",
    file: "src/app/create-app.ts",
    find: "await disposeAll(this.#assembly.container, this.#log);",
    replace: "",
    test: currentCall,
  },
  {
    guarantee: "the current call is read where the tool runs",
    file: "src/pipeline/execute-tool.ts",
    find: "runInContext(context, callThrough, execution)",
    replace: "callThrough(execution)",
    test: currentCall,
  },
  {
    guarantee: "a policy reads the call it decides",
    file: "src/pipeline/admit-call.ts",
    find: "return runInContext(callView(call.callId, scope), () => admitTo(tool, call, scope), undefined);",
    replace: "return admitTo(tool, call, scope);",
    test: currentCall,
  },
  {
    guarantee: "between calls there is no idempotency key",
    file: "src/pipeline/call-context.ts",
    find: 'if (this.callId === "")',
    replace: "if (false)",
    test: currentCall,
  },
  {
    guarantee: "a run does not begin with a tool that cannot be constructed",
    file: "src/app/create-app.ts",
    find: "this.#assembly.construct(found);",
    replace: "",
    test: currentCall,
  },
  {
    guarantee: "a tool called alone is in a run of its own each time",
    file: "src/app/direct-call.ts",
    find: '"runId" in options ? options.runId : ',
    replace: "",
    test: currentCall,
  },
  {
    guarantee: "a toolkit remembers a tool once, however often it was called",
    file: "src/app/direct-call.ts",
    find: "if (!executed.names.includes(name)) ",
    replace: "",
    test: "src/app/create-toolkit.test.ts",
  },
  {
    guarantee: "a class that is not decorated is no tool",
    file: "src/author/classes/class-tools.ts",
    find: "if (settings === undefined && methods.size === 0) {",
    replace: "if (false) {",
    test: mistakes,
  },
  {
    guarantee: "prompt files of a class are relative to its file",
    file: "src/agent/agent-class.ts",
    find: "agentFrom(options, Agent)",
    replace: "agentFrom(options, agentFrom)",
    test: agents,
  },
  {
    guarantee: "agents and channels are held to the naming rule",
    file: "src/author/naming-rule.ts",
    find: "(words.at(-1) === kind && words.length > 1 ? words : [...words, kind])",
    replace: '(words.at(-1) === "tool" && words.length > 1 ? words : [...words, "tool"])',
    test: agents,
  },
  {
    guarantee: "a mock says which member it lacks",
    file: "src/testing/mock-of.ts",
    find: 'if (typeof key === "symbol" || key === "then" || key === "toJSON") return undefined;',
    replace: "return undefined;",
    test: "src/testing/mock-of.test.ts",
  },
];
