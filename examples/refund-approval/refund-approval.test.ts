// Runs the example as its users do, as a program of its own, and breaks it to see that it notices.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { createApp, defineAgent } from "toolpost";
import { sqlite } from "toolpost/sqlite";
import { scriptedModel } from "toolpost/testing";

interface Finished {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

function runStory(fault?: string, ...args: string[]): Promise<Finished> {
  return runProgram(["refund-approval.ts", ...args], { REFUND_APPROVAL_FAULT: fault });
}

async function runProgram(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const child = spawn(process.execPath, args, {
    cwd: import.meta.dirname,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  const ended = once(child, "close");
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, output, errors };
}

function assertLines(output: string, lines: readonly RegExp[]): void {
  for (const line of lines) assert.match(output, line);
}

describe("the story", { concurrency: 3 }, () => {
  test("a refund that a kill cut off is asked for twice and made once, and a person approves the large one", async () => {
    const { code, output, errors } = await runStory();
    assert.equal(code, 0, output + errors);
    assert.equal(errors, "");
    assertLines(output, [
      /^The model is scripted/,
      /^ {3}payments {3}re-5001 is paid: €9\.50 for A-1041$/m,
      /^ {3}payments {3}whoever asked about re-5001 was gone before the answer$/m,
      /^ {3}worker 2 {3}finds the run run_\S+, which is running$/m,
      /^ {3}payments {3}asked again under the key of re-5001: nothing is paid, the answer is re-5001$/m,
      /^ {3}worker 2 {3}refund_card ok: \{"refundId":"re-5001","orderId":"A-1041","cents":950\}\n {3}worker 2 {3}calls refund_card \{"orderId":"A-1042","cents":8900\}\n {3}worker 2 {3}the run waits for approval$/m,
      /^ {3}operator {3}pause_\S+: refund_card \{"orderId":"A-1042","cents":8900\} for dana$/m,
      /^ {3}worker 3 {3}finds the run run_\S+, which is queued$/m,
      /^ {3}payments {3}re-5001: €9\.50 for A-1041, asked for 2 times under the key run_\S+:refund-A-1041$/m,
      /^ {3}payments {3}re-5002: €89\.00 for A-1042, asked for once under the key run_\S+:refund-A-1042$/m,
      /^ {3}approval {3}refund_card \{"orderId":"A-1042","cents":8900\}: \{"decision":"approve"\} by \{"operator":"Ruth of finance"\}, asked at [\d:.]+, answered at [\d:.]+$/m,
      /^ {3}run {8}run_\S+ of dana, on \d{4}-\d\d-\d\d: done$/m,
      /^ {3}journal {4}[\d:.]+ {2}14 {2}call:2:0\/approval {2} a person answered$/m,
      /^ {3}answer {5}I am sorry about the damage\. Your refunds: €9\.50 \(re-5001\), €89\.00 \(re-5002\)\.$/m,
      /\nEverything is as expected\.\n$/,
    ]);
    // What had ended before the kill is not done again.
    const readers = [...output.matchAll(/^ {3}(\S+ \d) +reads order (\S+)/gm)].map(
      ([, worker, id]) => `${worker}: ${id}`,
    );
    assert.deepEqual(readers.sort(), ["worker 1: A-1041", "worker 1: A-1042"]);
  });

  test("a refund that is asked for again under another key is made twice, and the story says what differs", async () => {
    const { code, output, errors } = await runStory("new-keys");
    assert.equal(code, 1, output + errors);
    assertLines(output, [
      /^- 2 refunds were made for A-1041, not 1$/m,
      /^- the refund for A-1041 was asked for under 2 keys, not 1$/m,
    ]);
  });

  test("a large refund that nobody approved is noticed", async () => {
    const { code, output, errors } = await runStory("no-approval");
    assert.equal(code, 1, output + errors);
    assertLines(output, [/^- a refund over €50\.00 was made for A-1042 that Ruth of finance has not approved$/m]);
  });

  test("where the tool is not idempotent a person is asked what came of the refund, and it is made once", async () => {
    const { code, output, errors } = await runStory(undefined, "--ask");
    assert.equal(code, 0, output + errors);
    assert.equal(errors, "");
    assertLines(output, [
      /^ {3}worker 2 {3}the run waits for an answer$/m,
      /^ {3}operator {3}pause_\S+: refund_card asks: .*: what happened\? \("it happened", "run it again", "nobody knows"\)$/m,
      /^ {3}operator {3}it happened is on record, by Ruth of finance$/m,
      /^ {3}worker 3 {3}refund_card ok: A person confirmed .*\n {3}worker 3 {3}calls refund_card \{"orderId":"A-1042"/m,
      /^ {3}payments {3}re-5001: €9\.50 for A-1041, asked for once /m,
      /^ {3}answer {5}.* Your refunds: one that a person has seen, €89\.00 \(re-5002\)\.$/m,
      /\nEverything is as expected\.\n$/,
    ]);
  });
});

const allowed = "REFUND_APPROVAL_FAULT is `slow`; it may be `new-keys` or `no-approval`\n";

test("a fault that does not exist is refused in words, by the story and by a worker", async () => {
  const story = await runStory("slow");
  assert.equal(story.code, 1);
  assert.ok(story.output.endsWith(`The story broke off: ${allowed}`), story.output);
  const worker = await runProgram(["shop/worker.ts"], { REFUND_APPROVAL_FAULT: "slow" });
  assert.deepEqual(worker, { code: 2, output: "", errors: allowed });
});

test("approvals answers a question by its words, and tells a mistake in one line with its mend", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "refund-approval-test-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const runs = join(folder, "runs.db");
  const call = { name: "ask-user", input: { question: "Which?", choices: ["red", "blue"] } };
  const model = scriptedModel([{ calls: [call] }]);
  const painter = defineAgent({ name: "painter", description: "Paints", model, tools: [], asks: true });
  const app = createApp({ agents: [painter], engine: sqlite(runs) });
  const [{ pauseId = "" } = {}] = (await app.run(painter, "Paint")).pending;
  await app.close();
  const approvals = (...args: string[]) => runProgram(["shop/approvals.ts", "--runs", runs, ...args]);
  const mistakes: ReadonlyArray<[args: string[], told: RegExp]> = [
    [["--approve", pauseId], /^say who answers, for the record: add --as NAME, [^\n]+\n$/],
    [["--reply", pauseId, "--as", "Ruth"], /^say what the answer is: add --with "WORDS"; [^\n]+\n$/],
    [["--with", "red", "--as", "Ruth"], /^--with is the answer to a question: add --reply PAUSE, [^\n]+\n$/],
    [["--approve", pauseId, "--decline", pauseId], /^answer one pause at a time: [^\n]+\n$/],
    [["--aprove", pauseId], /^Unknown option '--aprove'[^\n]*\n$/],
    [["--reply", pauseId, "--with", "green", "--as", "Ruth"], /must be one of the choices: `red`, `blue`; [^\n]+\n$/],
    [
      ["--reply", "pause_0", "--with", "red", "--as", "Ruth"],
      /^there is no waiting pause `pause_0`; without --approve [^\n]+\n$/,
    ],
  ];
  for (const [args, told] of mistakes) {
    const { code, output, errors } = await approvals(...args);
    assert.match(errors, told);
    assert.deepEqual([code, output], [2, ""]);
  }
  assert.equal((await approvals()).output, `${pauseId}: ask-user asks: Which? ("red", "blue")\n`);
  const answered = await approvals("--reply", pauseId, "--with", "red", "--as", "Ruth");
  assert.deepEqual(answered, { code: 0, output: "red is on record, by Ruth\n", errors: "" });
  assert.equal((await approvals()).output, "");
});
