// `toolpost approvals reply`: answers a question that a tool asks. What is JSON is given as JSON, all else as a text.
// Where the question has choices, the answer is one of them, by its words or by its number.

import type { ApprovalRecord } from "../app/app-runs.ts";
import type { Json } from "../std/json.ts";
import { parseJson } from "../std/json.ts";
import { type Command, type CommandCall, UsageError } from "./command.ts";
import { listed } from "./command-line.ts";
import { refuseMore } from "./find-id.ts";
import { findWaiting, giveAnswer } from "./give-answer.ts";
import { withKeptRuns } from "./kept-runs.ts";
import { asOption } from "./operator-name.ts";

/** With `--json` the `ApprovalRecord` as it is then. */
export const approvalsReply: Command = {
  name: "approvals reply",
  summary: "answers a question; the run goes on where it is served",
  usage: "approvals reply ID JSON-OR-TEXT",
  options: { as: asOption },
  details:
    "A text that is JSON counts as JSON: write '\"42\"' for the text 42. Of choices give the words or the number.",
  async run(call) {
    refuseMore(call, 2);
    const [id, text] = call.positionals;
    if (id !== undefined && text === undefined)
      throw new UsageError("`toolpost approvals reply` needs the answer, as JSON or text", call.command);
    return withKeptRuns(call, async (app) => {
      const record = await findWaiting("question", app, call);
      return giveAnswer({ pauseId: record.pauseId, reply: replyOf(text ?? "", record, call) }, app, call);
    });
  },
};

function replyOf(text: string, { value }: ApprovalRecord, { command }: CommandCall): Json {
  const choices = value.kind === "question" ? (value.choices ?? []) : [];
  const parsed = parseJson(text);
  if (choices.length === 0) return parsed.ok ? parsed.value : text;
  // Words first, as a choice may be a number itself.
  const chosen = choices.find((choice) => choice === text || (parsed.ok && choice === parsed.value));
  const byNumber = /^\d+$/.test(text) ? choices[Number(text) - 1] : undefined;
  const reply = chosen ?? byNumber;
  if (reply !== undefined) return reply;
  throw new UsageError(`\`${text}\` is none of the choices: ${listed(choices)}`, command);
}
