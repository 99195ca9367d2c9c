// Breaks of the command: exit codes, what goes to which output, what a terminal may be shown, who is asked.
import type { Mutant } from "../lib/mutant.ts";

const list = "test/cli/list.test.ts";
const call = "test/cli/call.test.ts";
const config = "test/cli/config.test.ts";
const program = "test/cli/program.test.ts";
const describe = "test/cli/describe.test.ts";
const check = "test/cli/check.test.ts";
const chat = "test/cli/chat.test.ts";
const chatTerminal = "test/cli/chat-terminal.test.ts";
const completion = "test/cli/completion.test.ts";
const appToolkit = "test/cli/app-toolkit.test.ts";

export const cli: readonly Mutant[] = [
  {
    guarantee: "a denied call ends the command with 5",
    file: "src/cli/exit-code.ts",
    find: "return exitCodes.denied;",
    replace: "return exitCodes.failed;",
    test: call,
  },
  {
    guarantee: "only a tool that is not there is a wrong command line, not a tool's own error of the same code",
    file: "src/cli/exit-code.ts",
    find: 'source === "unknown" && errorCode === "tool.unknown"',
    replace: 'errorCode === "tool.unknown"',
    test: call,
  },
  {
    guarantee: "foreign text in the list cannot steer the terminal",
    file: "src/cli/shown-line.ts",
    find: 'visible(text.replace(/\\s+/g, " ").trim())',
    replace: 'text.replace(/\\s+/g, " ").trim()',
    test: list,
  },
  {
    guarantee: "NO_COLOR gives no colours",
    file: "src/cli/terminal.ts",
    find: "!isPlain && !io.env.NO_COLOR &&",
    replace: "!isPlain &&",
    test: list,
  },
  {
    guarantee: "where a source failed and no tool is there, the configuration is at fault",
    file: "src/cli/list.ts",
    find: "tools.length === 0 ? exitCodes.configuration : exitCodes.ok",
    replace: "tools.length === 0 ? exitCodes.ok : exitCodes.ok",
    test: list,
  },
  {
    guarantee: "--json is one JSON document whatever the tool gave",
    file: "src/cli/call.ts",
    find: "`${encodeJson(result)}\\n`",
    replace: "`${JSON.stringify(result)}\\n`",
    test: call,
  },
  {
    guarantee: "standard output holds the result alone, whatever a tool writes there",
    file: "src/cli/run-program.ts",
    find: "stdout.write = stderr.write.bind(stderr) as typeof stdout.write;",
    replace: "stderr.write.bind(stderr);",
    test: `${program} > standard output holds the result alone`,
  },
  {
    guarantee: "a command that ends before its result came, by `process.exit(0)` too, is no success",
    file: "src/cli/early-end.ts",
    find: "if (code === exitCodes.ok) process.exitCode = exitCodes.failed;",
    replace: "",
    test: `${program} > a tool that ends the process is no success`,
  },
  {
    guarantee: "a signal closes what is still connecting before the command ends",
    file: "src/cli/open-config.ts",
    find: "await started.app?.close().catch(() => undefined);",
    replace: "",
    test: `${program} > a signal while a server connects closes it before the command ends`,
  },
  {
    guarantee: "SIGTERM and SIGHUP cancel as Ctrl-C does",
    file: "src/cli/signals.ts",
    find: "Object.keys(codes) as EndSignal[]",
    replace: "Object.keys(codes).slice(0, 1) as EndSignal[]",
    test: `${program} > a signal while a server connects closes it before the command ends`,
  },
  {
    guarantee: "a second signal waits for nothing more",
    file: "src/cli/signals.ts",
    find: "if (first !== undefined || isDone || catcher?.isCalled === true) exit(codes[name]);",
    replace: "if (isDone) exit(codes[name]);",
    test: `${program} > a second signal waits for no server`,
  },
  {
    guarantee: "an error of the configuration is shown with its line",
    file: "src/cli/config-failure.ts",
    find: "return `, at ${nearPath(where, path)}:${place}`;",
    replace: 'return "";',
    test: config,
  },
  {
    guarantee: "the approvals of agents count for calls of the command, too",
    file: "src/app/create-app.ts",
    find: "names: floors.flatMap((floor) => floor?.names ?? []),",
    replace: "names: approvals?.names ?? [],",
    test: call,
  },
  {
    guarantee: "what an agent's tool requires is required of a caller",
    file: "src/app/app-tools.ts",
    find: "[...before].every((name) => question.executed.includes(name)) &&",
    replace: "",
    test: appToolkit,
  },
  {
    guarantee: "a bound is told with where it comes from",
    file: "src/app/describe-tool.ts",
    find: '{ ...tell(builtIn), origin: "built-in" } : { ...tell(ofApp), origin }',
    replace: '{ ...tell(builtIn), origin: "built-in" } : { ...tell(ofApp), origin: "own" }',
    test: describe,
  },
  {
    guarantee: "describe tells that an approval floor has a tool's calls wait",
    file: "src/app/describe-tool.ts",
    find: 'if (verdict === "needs-approval" || isLifted) return "waits";',
    replace: 'if (verdict === "needs-approval") return "waits";',
    test: describe,
  },
  {
    guarantee: "describe tells of a denied tool as denied whatever a floor says",
    file: "src/app/describe-tool.ts",
    find: 'if (verdict === "deny") return "denied";',
    replace: "",
    test: describe,
  },
  {
    guarantee: "an agent's own floor counts for its tools in describe",
    file: "src/app/describe.ts",
    find: "approvals === undefined ? place.floors : [...place.floors, approvals]",
    replace: "place.floors",
    test: describe,
  },
  {
    guarantee: "a variable that one reader needs has no default, whatever the others say",
    file: "src/sources/mcp/mcp-server-config.ts",
    find: "hasDefault && byName.get(name) !== false",
    replace: "hasDefault",
    test: "src/sources/mcp/mcp-config.test.ts",
  },
  {
    guarantee: "a name that no environment can have is told",
    file: "src/author/setting-checks.ts",
    find: "value.every(isEnvironmentName)",
    replace: "value.every(isText)",
    test: "src/author/tool-checks.test.ts",
  },
  {
    guarantee: "check tells of models and servers though assembly failed",
    file: "src/cli/check-config.ts",
    find: 'else if (config?.kind === "options")',
    replace: 'else if (config?.kind === "app")',
    test: check,
  },
  {
    guarantee: "a source that cannot be started is a problem",
    file: "src/cli/check-config.ts",
    find: 'states.filter(({ state }) => state === "failed")',
    replace: "states.filter(() => false)",
    test: check,
  },
  {
    guarantee: "warnings do not change the exit code of check",
    file: "src/cli/check.ts",
    find: "return report.problems.length === 0 ?",
    replace: "return report.problems.length + report.warnings.length === 0 ?",
    test: check,
  },
  {
    guarantee: "a run given up in a chat does not hold its thread",
    file: "src/cli/chat.ts",
    find: 'handle.abort("nobody answered in this conversation");',
    replace: "return exitCodeOfRun(result);",
    test: chat,
  },
  {
    guarantee: "a run that fails does not end the conversation",
    file: "src/cli/chat.ts",
    find: "return exitCodeOfError(error);",
    replace: "throw error;",
    test: chat,
  },
  {
    guarantee: "the first Ctrl-C in a chat is meant for the run alone",
    file: "src/cli/signals.ts",
    find: "return catcher.listener();",
    replace: "catcher.listener();",
    test: chatTerminal,
  },
  {
    guarantee: "a second Ctrl-C in a chat waits for nothing more",
    file: "src/cli/signals.ts",
    find: "|| catcher?.isCalled === true",
    replace: "",
    test: chatTerminal,
  },
  {
    guarantee: "a paste of several lines is one message",
    file: "src/cli/chat-input.ts",
    find: 'if (name === "paste-start") this.#isPasting = true;',
    replace: "",
    test: chatTerminal,
  },
  {
    guarantee: "bash completes the word after `--config=`",
    file: "src/cli/completion-bash.ts",
    find: 'elif [[ $previous == "=" ]]',
    replace: 'elif [[ $previous == "-" ]]',
    test: completion,
  },
];
