// Breaks of the command: exit codes, what goes to which output, what a terminal may be shown, who is asked.
import type { Mutant } from "../lib/mutant.ts";

const list = "test/cli/list.test.ts";
const call = "test/cli/call.test.ts";
const config = "test/cli/config.test.ts";
const program = "test/cli/program.test.ts";
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
    test: program,
  },
  {
    guarantee: "a command that ends before its result came, by `process.exit(0)` too, is no success",
    file: "src/cli/early-end.ts",
    find: "if (code === exitCodes.ok) process.exitCode = exitCodes.failed;",
    replace: "",
    test: program,
  },
  {
    guarantee: "a signal closes what is still connecting before the command ends",
    file: "src/cli/open-config.ts",
    find: "await started.app?.close().catch(() => undefined);",
    replace: "",
    test: program,
  },
  {
    guarantee: "SIGTERM and SIGHUP cancel as Ctrl-C does",
    file: "src/cli/signals.ts",
    find: "Object.keys(codes) as EndSignal[]",
    replace: "Object.keys(codes).slice(0, 1) as EndSignal[]",
    test: program,
  },
  {
    guarantee: "a second signal waits for nothing more",
    file: "src/cli/signals.ts",
    find: "if (first !== undefined || isDone) exit(codes[name]);",
    replace: "if (isDone) exit(codes[name]);",
    test: program,
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
];
