// What waits for a person, and the answer to it, for an operator at a terminal:
//   node shop/approvals.ts --runs FILE
//   node shop/approvals.ts --runs FILE --approve PAUSE --as NAME     (or --decline PAUSE)
//   node shop/approvals.ts --runs FILE --reply PAUSE --with "WORDS" --as NAME
// It needs the file of the runs and nothing else: no agent, no model, and no worker that is alive.

import { parseArgs } from "node:util";
import { type ApprovalRecord, createApp, isToolpostError, type PauseAnswer } from "toolpost";
import { sqlite } from "toolpost/sqlite";

type Values = Readonly<Record<"runs" | "approve" | "decline" | "reply" | "with" | "as", string | undefined>>;

try {
  await act(readValues());
} catch (error) {
  // A mistake at the command line is told in a line; where it came from is of no use to an operator.
  console.error(error instanceof Error ? lineOf(error) : String(error));
  process.exitCode = 2;
}

async function act(values: Values): Promise<void> {
  const answer = answerOf(values);
  const app = createApp({ engine: sqlite(values.runs ?? "runs.db") });
  try {
    if (answer === undefined) for (const record of await app.approvals()) console.log(whatIsAsked(record));
    else {
      // Who is an operator is for the caller to know; the name goes on record.
      await app.answer(answer, { operator: values.as ?? "" });
      console.log(`${"decision" in answer ? answer.decision : answer.reply} is on record, by ${values.as}`);
    }
  } finally {
    await app.close();
  }
}

function readValues(): Values {
  const text = { type: "string" } as const;
  const options = { runs: text, approve: text, decline: text, reply: text, with: text, as: text };
  return parseArgs({ options }).values as Values;
}

/** The answer that the command line gives; `undefined` where it only asks what waits. */
function answerOf({ approve, decline, reply, with: words, as }: Values): PauseAnswer | undefined {
  const [pauseId, other] = [approve, decline, reply].filter((id) => id !== undefined);
  if (other !== undefined) throw new Error("answer one pause at a time: --approve, --decline or --reply");
  if (words !== undefined && reply === undefined)
    throw new Error(
      '--with is the answer to a question: add --reply PAUSE, such as --reply pause_… --with "it happened"',
    );
  if (pauseId === undefined) return undefined;
  if (!as) throw new Error('say who answers, for the record: add --as NAME, such as --as "Ruth of finance"');
  if (reply === undefined) return { pauseId, decision: approve === undefined ? "decline" : "approve" };
  if (!words) throw new Error('say what the answer is: add --with "WORDS"; without --reply you see what is asked');
  return { pauseId, reply: words };
}

function whatIsAsked({ pauseId, value }: ApprovalRecord): string {
  if (value.kind === "approval")
    return `${pauseId}: ${value.tool} ${JSON.stringify(value.arguments)} for ${value.user?.id ?? "nobody"}`;
  const choices = value.choices === undefined ? "" : ` (${value.choices.map((choice) => `"${choice}"`).join(", ")})`;
  return `${pauseId}: ${value.tool} asks: ${value.question}${choices}`;
}

function lineOf(error: Error): string {
  if (!isToolpostError(error)) return error.message;
  const fix =
    error.code === "approval.unknown-pause" ? "without --approve and the like you see what waits" : error.hint;
  return fix === undefined ? error.message : `${error.message}; ${fix}`;
}
