// `toolpost chat` at a real terminal: keys, pastes, Ctrl-C and Ctrl-D as a terminal sends them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { project } from "./lib/project.ts";
import { type Keystrokes, noTerminal, typeAt } from "./lib/pseudo-terminal.ts";

const code = `
  const hold = { name: "hold", description: "Lets go of nothing", source: "custom", inputSchema: { type: "object" },
    execute(_input, ctx) {
      ctx.onDispose(() => (console.log("letting go"), new Promise(() => {})));
      ctx.progress("started");
      return new Promise(() => {});
    } };
  const answer = (request) => {
    if (request.prompt.at(-1).role === "tool") return "It said: " + request.lastResult;
    const [word] = request.lastUser.split(" ");
    return ["refund", "wait", "hold"].includes(word) ? { calls: [{ name: word, input: {} }] } : "heard " + JSON.stringify(request.lastUser);
  };
  export default { log: () => {}, agents: [defineAgent({ name: "clerk", description: "c", model: scriptedModel(answer), tools: [...named("refund", "wait"), hold] })] };`;

const prompt = "> \x1b[3G";
const [ctrlC, ctrlD, up] = ["\x03", "\x04", "\x1b[A"];

const cases: ReadonlyArray<[what: string, keystrokes: Keystrokes, code: number, shown: RegExp[]]> = [
  [
    "a paste of several lines is one message",
    [
      [prompt, "\x1b[200~one\rtwo\n\n  three\x1b[201~"],
      [/three/, "\r"],
      [prompt, ctrlD],
    ],
    0,
    [/heard "one\\ntwo\\n\\n {2}three"\r\n/],
  ],
  [
    "approvals are asked at the same terminal, and typing goes on after them",
    [
      [prompt, "refund\r"],
      ["[e]dit: ", "y\r"],
      [prompt, "more\r"],
      [prompt, ctrlD],
    ],
    0,
    [/It said: refunded undefined\r\n/, /heard "more"\r\n/],
  ],
  [
    "Ctrl-C cancels the run, drops what was typed, ends at an empty prompt; the last message can be had again",
    [
      [prompt, "wait\r"],
      [/wait: started\r\n$/, ctrlC],
      [prompt, "typed"],
      [/typed$/, ctrlC],
      [prompt, `${up} not\r`],
      [/wait: started\r\n$/, ctrlC],
      [prompt, ctrlC],
    ],
    130,
    [/cancelled: interrupted\r\n.*> .*typed\^C\r\n.*> wait.* not\r\r?\n.*cancelled: interrupted\r\n/s],
  ],
  [
    "a second Ctrl-C waits for nothing more",
    [
      [prompt, "hold\r"],
      ["hold: started\r\n", ctrlC],
      ["letting go\r\n", ctrlC],
    ],
    130,
    [/letting go\r\n\^C$/],
  ],
  [
    "Ctrl-C cancels a run that asks for approval, too",
    [
      [prompt, "refund\r"],
      ["[e]dit: ", ctrlC],
      [prompt, "more\r"],
      [prompt, ctrlD],
    ],
    0,
    [/cancelled: interrupted\r\n/, /heard "more"\r\n/],
  ],
];

for (const [what, keystrokes, exit, shown] of cases) {
  test(what, { skip: noTerminal }, async (t) => {
    const ended = await typeAt(["chat"], project(t, code), keystrokes);
    for (const pattern of shown) assert.match(ended.screen, pattern);
    assert.equal(ended.code, exit, ended.screen);
    // The terminal is left as it was: without marks around what is pasted.
    assert.equal(ended.screen.lastIndexOf("\x1b[?2004l") > ended.screen.lastIndexOf("\x1b[?2004h"), true);
  });
}
