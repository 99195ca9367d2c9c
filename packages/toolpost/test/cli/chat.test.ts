// `toolpost chat`: a run per message on one thread, its own few words, and what ends a run and what the conversation.
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { type TestContext, test } from "node:test";
import { keptDesk } from "./lib/kept-desk.ts";
import { project } from "./lib/project.ts";
import { type Ended, runMain, type Surroundings } from "./lib/run-main.ts";

/** An agent that says what it heard, and does what a message that begins with a tool's name asks for. */
const clerk = `
  const heard = ({ prompt }) => prompt.filter(({ role }) => role === "user").map(({ content }) => content[0].text).join("|");
  const answer = (request) => {
    if (request.prompt.at(-1).role === "tool") return "It said: " + request.lastResult;
    const [word] = request.lastUser.split(" ");
    if (["refund", "wait", "add"].includes(word)) return { text: "One moment.", calls: [{ name: word, input: word === "add" ? { a: 1, b: 2 } : {} }] };
    return word === "fail" ? { error: "overloaded" } : "heard " + heard(request);
  };
  const agent = (name) => defineAgent({ name, description: name, model: scriptedModel(answer), tools: named("add", "refund", "wait") });`;

const one = `${clerk} export default { log: () => {}, agents: [agent("clerk")] };`;

function chat(
  t: TestContext,
  { code = one, argv = [], ...more }: { code?: string; argv?: string[] } & Partial<Surroundings>,
): Promise<Ended> {
  return runMain(["chat", "--no-color", ...argv], { cwd: project(t, code), ...more });
}

const duration = /\d+(?:\.\d)? (?:ms|s)/g;

test("elsewhere than at a terminal each line is a message, all on one thread", async (t) => {
  const ended = await chat(t, { stdin: "one\n\n  \nadd\nthree" });
  assert.deepEqual(
    { ...ended, stderr: ended.stderr.replaceAll(duration, "N ms") },
    {
      code: 0,
      stdout: "heard one\nOne moment.\nIt said: 3\nheard one|add|three\n",
      stderr: "add (native): ok, N ms, 1 bytes\n",
    },
  );
  assert.equal((await chat(t, { stdin: "add", argv: ["--quiet"] })).stderr, "");
});

test("a line that ends with a backslash goes on in the next one", async (t) => {
  const { stdout } = await chat(t, { stdin: "one \\\ntwo\\\n\\\nthree\nC:\\\\\nlast\\" });
  assert.equal(
    stdout,
    "heard one \ntwo\n\nthree\nheard one \ntwo\n\nthree|C:\\\\\nheard one \ntwo\n\nthree|C:\\\\|last\n",
  );
});

test("/new begins a new conversation, /exit ends, and no other word after a slash is sent", async (t) => {
  const ended = await chat(t, { stdin: "one\n/new\n/nwe\n/frobnicate\n/etc/passwd is a file\n/exit\ntwo\n" });
  assert.deepEqual(ended, {
    code: 0,
    stdout: "heard one\nheard /etc/passwd is a file\n",
    stderr:
      "a new conversation\nthere is no `/nwe`; did you mean `/new`?\nthere is no `/frobnicate`; there are `/new`, `/help`, `/exit`\n",
  });
});

test("/help tells what can be typed", async (t) => {
  assert.equal(
    (await chat(t, { stdin: "/help" })).stderr,
    `/new   begins a new conversation, which knows nothing of this one
/help  this text
/exit  ends; so does Ctrl-D
A line that ends with \\ goes on in the next one; what is pasted is one message.
Ctrl-C cancels the run under way; at an empty prompt it ends.
`,
  );
});

test("a run that fails is told and the conversation goes on; its code is the command's", async (t) => {
  const ended = await chat(t, { stdin: "fail\ntwo\n" });
  assert.deepEqual([ended.code, ended.stdout], [1, "heard fail|two\n"]);
  assert.match(ended.stderr, /^error \[model\.failed\]: .*overloaded/);
  const person = await chat(t, { isTerminal: true, answers: ["fail", "/exit"] });
  assert.equal(person.code, 0);
  assert.match(person.stderr, /^> error \[model\.failed\]/m);
});

test("a call that nobody here can approve is given up, and does not hold the thread", async (t) => {
  const ended = await chat(t, { stdin: "refund\ntwo\n" });
  assert.deepEqual([ended.code, ended.stdout], [4, "One moment.\nheard refund|two\n"]);
  assert.match(ended.stderr, /^`refund` waits for a person/m);
});

test("where an engine keeps runs it is said as well that the call is given up, and by what it would not be", async (t) => {
  const desk = keptDesk(t);
  const refund = JSON.stringify([{ name: "refund", input: { order: "o-1" } }]);
  const ended = await desk.type(["chat", "--no-color"], { stdin: `${refund}\n` });
  assert.deepEqual(ended, {
    code: 4,
    stdout: "",
    stderr:
      "`refund` needs a person, and nobody could answer here: the call was given up. " +
      "To have it kept until somebody answers, use `toolpost run`.\n",
  });
  const [run] = JSON.parse((await desk.type(["runs", "list", "--json"])).stdout);
  assert.deepEqual([run.state, run.error.message], ["cancelled", "nobody answered in this conversation"]);
});

test("the agent is named where there are several, --model and --thread count for every message", async (t) => {
  const two = `${clerk} const reads = { read: async ({ threadId }) => [{ role: "user", content: [{ type: "text", text: "in " + threadId }] }], append: async () => {} };
    export default { threads: reads, agents: [agent("clerk"), agent("judge")] };`;
  const said = async (argv: string[]) => {
    const { code, stdout, stderr } = await chat(t, { code: two, argv, stdin: "one\ntwo\n" });
    return code === 0 ? stdout : `${code} ${stderr.split("\n")[0]}`;
  };
  assert.equal(await said(["judge", "--thread", "t-1"]), "heard in t-1|one\nheard in t-1|two\n");
  assert.equal(await said([]), "2 error: name the agent to run: `clerk`, `judge`");
  assert.equal(await said(["jugde"]), "2 error: there is no agent `jugde`; did you mean `judge`?");
  assert.match(await said(["clerk", "--model", "opnai:x"]), /^3 error \[model\.unknown-string\]: `opnai:x`/);
});

test("--json prints a result a line", async (t) => {
  const { stdout } = await chat(t, { stdin: "one\ntwo\n", argv: ["--json"] });
  const texts = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).text);
  assert.deepEqual(texts, ["heard one", "heard one|two"]);
});

test("a person at the terminal is prompted, and asked for approvals in between", async (t) => {
  const ended = await chat(t, { isTerminal: true, answers: ["one", "refund", "y", "three"] });
  assert.deepEqual(
    [ended.code, ended.stdout],
    [0, "heard one\nOne moment.\nIt said: refunded undefined\nheard one|refund|three\n"],
  );
  assert.equal(
    ended.stderr.replaceAll(duration, "N ms"),
    `Talking with clerk. /help tells the commands, Ctrl-D ends.
> > 
Approval needed: refund
  Refunds an order
  arguments:
    {}
Approve? [y]es / [n]o / [e]dit: refund (native): ok, N ms, 18 bytes
> > 
`,
  );
});

/** A terminal whose Ctrl-C is pressed by the test. */
function pressable(): {
  interrupt: AbortController;
  catchInterrupt: Surroundings["catchInterrupt"] & {};
  press(): void;
} {
  const interrupt = new AbortController();
  let caught: (() => void) | undefined;
  return {
    interrupt,
    catchInterrupt: (listener) => {
      caught = listener;
      return () => {
        if (caught === listener) caught = undefined;
      };
    },
    press() {
      const listener = caught;
      caught = undefined;
      if (listener === undefined) interrupt.abort("interrupted");
      else listener();
    },
  };
}

test("the first Ctrl-C cancels the run and the conversation goes on; at the prompt it ends with 130", async (t) => {
  const terminal = pressable();
  const answers = ["wait", "two"];
  const pressedAfter = (told: string) => {
    if (told.endsWith("wait: started\n")) terminal.press();
    if (told.endsWith("\n> > ")) terminal.press();
  };
  const ended = await chat(t, { ...terminal, isTerminal: true, answers, onStderr: pressedAfter });
  assert.deepEqual([ended.code, ended.stdout], [130, "One moment.\nheard wait|two\n"]);
  assert.match(ended.stderr, /^wait \(native\): cancelled \(call\.cancelled\), .*\ncancelled: interrupted\n> > \n$/m);
});

test("where no person types, Ctrl-C ends all of it", async (t) => {
  const terminal = pressable();
  const stdin = new PassThrough();
  stdin.write("wait\ntwo\n");
  const onStderr = (told: string) => void (told.endsWith("wait: started\n") && terminal.press());
  const ended = await chat(t, { ...terminal, stdin, onStderr });
  assert.deepEqual([ended.code, ended.stdout], [130, "One moment.\n"]);
});

test("a signal ends it also while it waits for the next line", async (t) => {
  const terminal = pressable();
  const stdin = new PassThrough();
  stdin.write("/new\n");
  const onStderr = (told: string) => void (told === "a new conversation\n" && setImmediate(terminal.press));
  const ended = await chat(t, { ...terminal, stdin, onStderr });
  assert.deepEqual([ended.code, ended.stdout], [130, ""]);
});

test("a configuration without agents cannot chat", async (t) => {
  const ended = await chat(t, { code: "export default { tools };", stdin: "one" });
  assert.deepEqual([ended.code, ended.stdout], [3, ""]);
});
