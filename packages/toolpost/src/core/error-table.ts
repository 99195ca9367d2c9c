// The one table of error codes: what each means and how to mend it. `docs/errors.md` is made from it.
// A code is never reused with another meaning.

/** What one code means and how to mend it. `docs/errors.md` is generated from this. */
export interface ErrorEntry {
  readonly meaning: string;
  readonly fix: string;
}

/** Codes by area. A code is never reused with another meaning. */
export const errorTable: Readonly<Record<string, ErrorEntry>> = {
  "agent.needs-run": {
    meaning: "An agent that is a tool was called alone, and its call is a run below another.",
    fix: "Start a run of the agent itself, by `app.run` or `toolpost run`, or of one whose tool it is.",
  },
  "agent.not-decorated": {
    meaning: "A class among the agents is not decorated with @Agent().",
    fix: "Decorate it, or give what defineAgent returns.",
  },
  "agent.unknown": {
    meaning: "No agent of that name is registered in the application.",
    fix: "Pass one of the agents given to createApp, or its name.",
  },
  "agent.unknown-tool": {
    meaning: "An agent lists a tool name that the application does not have.",
    fix: "Add the tool to the application's `tools` or sources, or correct the name.",
  },
  "agent.invalid": {
    meaning: "An agent definition is incomplete or has a setting that cannot be used.",
    fix: "Give the named field a value of the kind the message asks for.",
  },
  "agent.requires-unknown": {
    meaning: "`requires` names a tool the agent does not have.",
    fix: "Use names of tools of the same agent on both sides.",
  },
  "app.closed": {
    meaning: "An application was used after `close()`, or closed while somebody had a handle of a run.",
    fix: "Use it before closing, or create a new one; a run that an engine keeps goes on where it is served: `attach` gives a new handle.",
  },
  "app.invalid": {
    meaning: "Assembly found problems in the definitions; the error lists all of them.",
    fix: "Mend each listed problem; nothing was started.",
  },
  "approval.already-answered": {
    meaning: "The pause was answered before.",
    fix: "Nothing to do: the first answer counts.",
  },
  "approval.declined": { meaning: "A person declined the call.", fix: "Nothing to mend: the model reads the refusal." },
  "approval.expired": {
    meaning: "Nobody approved the call before its approval expired.",
    fix: "Answer sooner, or give the approval a longer expiry.",
  },
  "approval.invalid-answer": {
    meaning: "A channel or caller gave an answer that is not a decision of the asked kind.",
    fix: 'Give `app.resume` or `app.answer` a `decision` ("approve" or "decline") for an approval, a `reply` for a question; from a channel\'s `send` return `awaitReply()` or `decided(…)` of the same.',
  },
  "approval.unknown-pause": {
    meaning: "No waiting pause has that id.",
    fix: "Use the `pauseId` of an entry of `result.pending`.",
  },
  "approval.wrong-answerer": {
    meaning: "A pause was answered without saying who answers.",
    fix: "Pass `{ answeredBy }` with the name of the person or system a channel asked, or `{ operator }` with that of an operator.",
  },
  "budget.exceeded": {
    meaning: "A budget of money, tokens, calls or time is used up.",
    fix: "Raise the budget, or make the task smaller.",
  },
  "call.cancelled": {
    meaning: "The call's run was cancelled.",
    fix: "Nothing to mend: the reason says who cancelled it.",
  },
  "channel.invalid": {
    meaning: "A channel's name or description is no text, or a name is taken.",
    fix: "Give each channel a name of its own and a description of who is asked.",
  },
  "channel.no-send": { meaning: "A channel class has no `send` method.", fix: "Add `send(ask)`." },
  "channel.not-decorated": {
    meaning: "A class that is no channel stands in `approvals`.",
    fix: "Decorate the class with `@Channel()` and give the class itself.",
  },
  "config.invalid": {
    meaning: "A configuration file has a value that cannot be used.",
    fix: "Correct the value at the path in the message.",
  },
  "config.not-found": {
    meaning: "A configuration file that was named does not exist or cannot be read.",
    fix: "Check the path; it is relative to the working directory or the file that names it.",
  },
  "config.syntax": {
    meaning: "A configuration file is not well-formed.",
    fix: "Correct the text at the line and column in the message.",
  },
  "context.none": {
    meaning: "The current call was asked for outside of a run.",
    fix: "Read it in a tool, its policy or what they call; in tests call the tool through testTool.",
  },
  "di.ambiguous-implementation": {
    meaning: "A constructor asks for a class that several providers extend.",
    fix: "Leave one of them in `providers`, or choose by `provide(Contract, Implementation)`.",
  },
  "di.circular-dependency": {
    meaning: "Classes need each other to be constructed.",
    fix: "Take what two of them share into a class of its own.",
  },
  "di.construction-failed": {
    meaning: "The constructor of a class threw.",
    fix: "See the error's `cause`.",
  },
  "di.invalid-deps": {
    meaning: "The `deps` of a class do not fit its constructor.",
    fix: "Name a class or token for each parameter of the constructor, in order.",
  },
  "di.missing-implementation": {
    meaning: "A constructor asks for something that nothing provides.",
    fix: "Add a class that extends it to `providers`, or `provide(TOKEN, …)`.",
  },
  "engine.cannot-open": {
    meaning: "The file of an engine could not be opened, or is not one of SQLite.",
    fix: "Give `sqlite` a file that is new or an engine's own, in a folder that exists and that the process may write in.",
  },
  "engine.closed": {
    meaning: "An engine was used after `close()`, or moved a run when it was closed.",
    fix: "Nothing to do for the run: whoever serves its flow goes on with it. Otherwise use the engine before closing it.",
  },
  "engine.codec": {
    meaning: "The codec of an engine could not encode a value.",
    fix: "See the cause; `encode` and `decode` take bytes and give bytes, at once.",
  },
  "engine.invalid": {
    meaning: "An engine was given an option that cannot be used.",
    fix: "Give the named option a value of the kind the message asks for.",
  },
  "engine.newer-schema": {
    meaning: "The engine's file was written by a newer version of Toolpost.",
    fix: "Use that version, or another file.",
  },
  "engine.unreachable": {
    meaning: "The engine's store did not answer for too long.",
    fix: "Look which process holds the file, and whether its disk has room.",
  },
  "engine.unreadable": {
    meaning:
      "A stored value cannot be read: its codec is another one, it was written by a newer version, or it is damaged.",
    fix: "Give the engine the codec that the value was written through.",
  },
  "environment.unset": {
    meaning: "A tool or a model's provider reads an environment variable that is not set where `toolpost check` runs.",
    fix: "Set it where the application runs; here it is only a warning.",
  },
  "limit.tool-calls": {
    meaning: "The run started as many tool calls as `maxToolCalls` allows.",
    fix: "Raise `maxToolCalls` on the agent or in `defaults.tools`.",
  },
  "mcp.failed": {
    meaning: "An MCP server could not be started, or answered with an error.",
    fix: "Run its command by hand; its standard error is in the source's status.",
  },
  "mcp.missing-package": {
    meaning: "An MCP server is configured, but the MCP client package is not installed.",
    fix: "Run the `npm install` in the message.",
  },
  "mock.missing-member": {
    meaning: "A tool under test used a member that its mock does not have.",
    fix: "Give the member to mockOf.",
  },
  "model.failed": {
    meaning: "The model's provider answered with an error.",
    fix: "See the cause; check key, model name and quota.",
  },
  "model.missing-package": {
    meaning: "The provider package that a model string needs is not installed.",
    fix: "Run the `npm install` in the message.",
  },
  "model.no-answer": {
    meaning: "The model ended without giving the structured answer its agent declares.",
    fix: "Say in the prompt when to answer, or use a stronger model.",
  },
  "model.no-price": {
    meaning: "A tool asked a model without a price in a run that has a budget of money.",
    fix: "Give the model's price in `prices`; usd(0) where it costs nothing.",
  },
  "model.stream-cut": {
    meaning: "The model's stream ended before its finish part.",
    fix: "Run again; if it repeats, check proxies and provider status.",
  },
  "model.unknown-string": {
    meaning: "A model string has no known provider.",
    fix: "Use `openai:…`, `anthropic:…`, `google:…`, `ollama:…`, `openai-compatible:URL#model` or `scripted:FILE`.",
  },
  "model.unsupported": {
    meaning: "A model object is not an AI SDK language model of specification v2, v3 or v4.",
    fix: 'Pass what a provider package returns, for example `openai("gpt-5.2")`.',
  },
  "name.kind-suffix": {
    meaning: "A name breaks the application's naming rule.",
    fix: "Use the name in the message.",
  },
  "policy.denied": {
    meaning: "The tool's policy or a rule denied the call.",
    fix: "Nothing to mend: the reason is in the text.",
  },
  "run.cancelled": { meaning: "The run was cancelled.", fix: "Nothing to mend: the reason is the error's `cause`." },
  "run.invalid-input": {
    meaning: "A run was started, or runs were asked for, with a message or an option that cannot be used.",
    fix: "Give what the message names, of the kind it asks for; nothing was stored.",
  },
  "run.lease-lost": {
    meaning: "Another instance took the run over.",
    fix: "Nothing to do: the other instance goes on with it.",
  },
  "run.misuse": {
    meaning: "A flow waited in a way that cannot be replayed.",
    fix: "Use `run.all`, `run.next` or `run.branch` instead of native promise combinators.",
  },
  "run.needs-engine": {
    meaning: "A run without an engine was asked for something only an engine can do.",
    fix: "Give the application an engine.",
  },
  "run.other-version": {
    meaning: "A run was to go on with code of another version than started it.",
    fix: "Serve the version that started it until it has ended, or cancel the run.",
  },
  "run.replay-mismatch": {
    meaning: "The journal of a run was written by code that does not match the code that was to go on with it.",
    fix: "The message has the key. Usual causes: the flow has changed, a tool has become idempotent, what a person was asked is not asked any more. Serve the old code until its runs have ended, or cancel them; give changed flows a new `version`.",
  },
  "run.unknown": {
    meaning: "No stored run has that id.",
    fix: "Use the `runId` of a handle or of `app.runs()`; runs that ended may have been pruned.",
  },
  "scripted.file-invalid": {
    meaning: "A scripted model's file has a value that cannot be used.",
    fix: "Correct the value at the path in the message.",
  },
  "scripted.unexpected-request": {
    meaning: "A scripted model was asked once more than it has replies, or with an unexpected request.",
    fix: "Add the reply, or find out why the request was made.",
  },
  "scripted.unused-reply": {
    meaning: "A scripted model has replies left that nobody asked for.",
    fix: "Remove them, or find out why the run ended early.",
  },
  "source.failed": {
    meaning: "A tool source could not list its tools; its tools are not offered.",
    fix: "See the cause in the source's status.",
  },
  "thread.busy": {
    meaning: "An earlier run of the thread has not ended, and the new one was to be refused then.",
    fix: 'Wait for the run the message names, or use `onBusy: "queue"` or `"supersede"`.',
  },
  "thread.foreign": {
    meaning: "Messages were added to a thread that belongs to another owner.",
    fix: "Use the thread's own `ownerId`, or another `threadId`.",
  },
  "tool.description-missing": {
    meaning: "A tool has a blank description.",
    fix: "Say what the tool does and when to use it.",
  },
  "tool.duplicate-name": { meaning: "Two tools of one agent have the same name.", fix: "Rename one of them." },
  "tool.failed": {
    meaning: "A tool threw an error.",
    fix: "See the log, which is given the error whole: the default one prints its message, a `log` of your own gets its stack too. The model reads only a generic text unless `toolErrors` says otherwise.",
  },
  "tool.fatal": { meaning: "A tool threw `FatalToolError`, which ends the run.", fix: "See the error's `cause`." },
  "tool.invalid-input": {
    meaning: "The arguments of a call are not JSON or do not fit the tool's schema.",
    fix: "Nothing to mend in code: the model reads the path and can correct it.",
  },
  "tool.invalid-output": {
    meaning: "A tool returned something its `output` schema refuses.",
    fix: "Mend the tool or its schema at the path in the message.",
  },
  "tool.invalid-setting": {
    meaning: "A tool's setting has a value that cannot be used.",
    fix: "Give it a value of the kind the message asks for.",
  },
  "tool.name-invalid": {
    meaning: "A tool name has characters outside `[a-zA-Z0-9_-]`.",
    fix: "Use the name in the message.",
  },
  "tool.name-too-long": { meaning: "A tool name is longer than 64 characters.", fix: "Shorten it." },
  "tool.no-execute": { meaning: "A tool has no `execute` function.", fix: "Add `execute(input, ctx)`." },
  "tool.no-state": {
    meaning: "A parameter of a class tool is @state(), and no workflow gives one.",
    fix: "Use the tool in a workflow with a state, or take the parameter out.",
  },
  "tool.not-decorated": {
    meaning: "A class among the tools is not decorated with @Tool().",
    fix: "Decorate the class, or a method of it, or give what defineTool returns.",
  },
  "tool.outcome-unknown": {
    meaning: "A call was cut off under way and may have had its effect.",
    fix: "Check the outside system before repeating it; mark the tool `idempotent` or `readOnly` where that is true.",
  },
  "tool.parameter-invalid": {
    meaning: "A parameter of a class tool cannot be given what its decorator or `inject` says.",
    fix: "Mend the parameter that the message names.",
  },
  "tool.reported": {
    meaning: "A tool reported an error as its output.",
    fix: "Nothing to mend: the model reads the content.",
  },
  "tool.schema-unusable": {
    meaning: "A tool's schema cannot be read as JSON Schema of an object.",
    fix: "Use an object schema of a library with JSON Schema support, or raw JSON Schema.",
  },
  "tool.source-invalid": {
    meaning: "A tool's `source` is not one of the known kinds.",
    fix: "Use native, mcp, skill, builtin, a2a, http, agent or custom.",
  },
  "tool.timed-out": {
    meaning: "A call passed its deadline.",
    fix: "Raise the tool's `timeout`, or make the tool faster.",
  },
  "tool.unknown": {
    meaning:
      "A call names a tool that is not offered in this step, or that is gone from the code that goes on with a stored run.",
    fix: "Nothing to mend in code: the model reads it. Remove tools with a new `version`: then runs under way end with the code that has them.",
  },
  "tools.max-result-size-invalid": {
    meaning: "A `maxResultSize` is not a whole number of bytes from 1.",
    fix: "Use kilobytes(64), megabytes(1) or another positive size.",
  },
  "tools.timeout-invalid": {
    meaning: "A `timeout` is not a positive duration.",
    fix: "Use seconds(10), minutes(2) or another positive duration.",
  },
};
