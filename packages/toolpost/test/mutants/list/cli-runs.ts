// Breaks of the command where it looks after stored runs: who may be missing, what is on record, what a state means.
import type { Mutant } from "../lib/mutant.ts";

const runs = "test/cli/runs.test.ts";
const approvals = "test/cli/approvals.test.ts";
const chat = "test/cli/chat.test.ts";
const config = "test/cli/config.test.ts";

export const cliRuns: readonly Mutant[] = [
  {
    guarantee: "a call that nobody can answer in a conversation is told as given up, also where an engine keeps runs",
    file: "src/cli/chat.ts",
    find: "signal, isGivenUp: true",
    replace: "signal",
    test: `${chat} > where an engine keeps runs`,
  },
  {
    guarantee: "an application without agents looks after its stored runs",
    file: "src/cli/kept-runs.ts",
    find: "const app = await openAnyApp(call);",
    replace: "const app = (await openAnyApp(call))?.agents.length === 0 ? undefined : await openAnyApp(call);",
    test: `${runs} > an application that has the engine alone`,
  },
  {
    guarantee: "an application without agents resumes no run, and it is said why",
    file: "src/cli/runs-resume.ts",
    find: "if (everyAgent(app).length === 0) throw needsAgents();",
    replace: "",
    test: `${runs} > an application that has the engine alone`,
  },
  {
    guarantee: "a toolkit, which keeps no runs, is told to need an engine",
    file: "src/cli/kept-runs.ts",
    find: "if (app === undefined) throw needsEngine({ keepsRuns: false });",
    replace: "if (app === undefined) return 0;",
    test: `${runs} > without an engine`,
  },
  {
    guarantee: "who cancelled a run is kept with the reason",
    file: "src/cli/runs-cancel.ts",
    find: "return `cancelled by operator ${operatorName(call)}${",
    replace: "return `${reason === undefined ? `cancelled by operator ${operatorName(call)}` : ''}${",
    test: `${runs} > a run that waits is cancelled`,
  },
  {
    guarantee: "a run whose process is gone is told as left",
    file: "src/cli/settle-runs.ts",
    find: "!lease.isOwn && lease.until <= now;",
    replace: "!lease.isOwn && lease.until < 0;",
    test: `${runs} > a run whose process is gone`,
  },
  {
    guarantee: "a run that another process moves is not told as left",
    file: "src/cli/settle-runs.ts",
    find: "!lease.isOwn && lease.until <= now;",
    replace: "!lease.isOwn;",
    test: `${runs} > a run whose process is gone`,
  },
  {
    guarantee: "whoever answers a closed pause at the command is told where open ones are listed",
    file: "src/cli/give-answer.ts",
    find: "return new ToolpostError(error.code, error.message, { hint, cause: error.cause });",
    replace: "return error;",
    test: `${runs} > a run that waits is cancelled`,
  },
  {
    guarantee: "an error of Toolpost in a configuration keeps its code",
    file: "src/cli/config-failure.ts",
    find: "if (isToolpostError(error)) return new ConfigurationError(file, error);",
    replace: "",
    test: config,
  },
  {
    guarantee: "whatever its code, an error of Toolpost in a configuration ends the command with 3",
    file: "src/cli/exit-code.ts",
    find: "if (error instanceof ConfigurationError) return exitCodes.configuration;",
    replace: "",
    test: config,
  },
  {
    guarantee: "a run that an operator cancelled does not end as if Ctrl-C was pressed here",
    file: "src/cli/runs-resume.ts",
    find: 'if (state === "cancelled") return exitCodes.failed;',
    replace: "",
    test: `${runs} > a run that waits is cancelled`,
  },
  {
    guarantee: "quotes in a comment do not end it",
    file: "src/cli/shown-approval.ts",
    find: "`: ${shownJson(given.comment)}`",
    replace: '`: "${given.comment}"`',
    test: `${approvals} > a comment that has quotes`,
  },
];
