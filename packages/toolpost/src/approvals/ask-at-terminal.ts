// The dialogue with a person at a terminal: what is written, and what each answer means.
// It must not show a text of a model, a tool or a user raw: each stands on one line, with escapes for whatever could
// move the cursor, break the line, or hide and reorder text.

import { type ApprovalQuestion, type ChannelAnswer, decided, type OpenQuestion } from "../core/approval.ts";
import { type Json, parseJson } from "../std/json.ts";
import { visible } from "../std/text.ts";

export interface Dialogue {
  write(text: string): void;
  /** The next line typed, `undefined` when there are no more. */
  readLine(): Promise<string | undefined>;
}

/** Asks until there is an answer; `undefined` when the input ended before. */
export function askAtTerminal(
  question: ApprovalQuestion | OpenQuestion,
  dialogue: Dialogue,
): Promise<ChannelAnswer | undefined> {
  return question.kind === "approval" ? askApproval(question, dialogue) : askQuestion(question, dialogue);
}

async function askApproval(question: ApprovalQuestion, dialogue: Dialogue): Promise<ChannelAnswer | undefined> {
  dialogue.write(approvalText(question));
  for (;;) {
    const word = await prompt(dialogue, "Approve? [y]es / [n]o / [e]dit: ");
    if (word === undefined) return undefined;
    if (/^y(?:es)?$/i.test(word)) return decided({ decision: "approve" });
    if (/^no?$/i.test(word)) return decline(dialogue);
    const edit = /^e(?:dit)?$/i.test(word) ? await askEdit(dialogue) : undefined;
    if (edit !== undefined) return decided({ decision: "approve", arguments: edit.value });
  }
}

async function decline(dialogue: Dialogue): Promise<ChannelAnswer> {
  const comment = await prompt(dialogue, "Comment for the model (may be empty): ");
  return decided(comment === undefined || comment === "" ? { decision: "decline" } : { decision: "decline", comment });
}

/** New arguments; `undefined` when the person thought better of it. */
async function askEdit(dialogue: Dialogue): Promise<{ readonly value: Json } | undefined> {
  for (;;) {
    const line = await prompt(dialogue, "New arguments as one line of JSON, empty to go back: ");
    if (line === undefined || line === "") return undefined;
    const parsed = parseJson(line);
    if (parsed.ok) return parsed;
    dialogue.write(`That is not JSON: ${visible(parsed.message)}\n`);
  }
}

async function askQuestion(question: OpenQuestion, dialogue: Dialogue): Promise<ChannelAnswer | undefined> {
  const { choices = [] } = question;
  dialogue.write(questionText(question));
  for (;;) {
    const line = await prompt(dialogue, choices.length > 0 ? "Answer by number: " : "Answer: ");
    if (line === undefined) return undefined;
    const reply = choices.length > 0 ? chosen(line, choices) : line;
    if (reply !== undefined && reply !== "") return decided({ reply });
  }
}

/** A choice by its own words, else by its number: words first, as a choice may be a number itself. */
function chosen(line: string, choices: readonly string[]): string | undefined {
  return choices.find((choice) => choice === line) ?? (/^\d+$/.test(line) ? choices[Number(line) - 1] : undefined);
}

async function prompt(dialogue: Dialogue, text: string): Promise<string | undefined> {
  dialogue.write(text);
  const line = await dialogue.readLine();
  // Without the person's own line break the next output would stand behind the prompt.
  if (line === undefined) dialogue.write("\n");
  return line?.trim();
}

function approvalText({ tool, description, user, arguments: input }: ApprovalQuestion): string {
  const lines = [`\nApproval needed: ${visible(tool)}`, `  ${visible(description)}`];
  if (user !== undefined) lines.push(`  for user ${visible(user.id)}`);
  lines.push(
    "  arguments:",
    ...JSON.stringify(input, null, 2)
      .split("\n")
      .map((line) => `    ${visible(line)}`),
  );
  return `${lines.join("\n")}\n`;
}

function questionText({ tool, question, choices = [] }: OpenQuestion): string {
  const lines = [`\nQuestion from ${visible(tool)}:`, `  ${visible(question)}`];
  lines.push(...choices.map((choice, index) => `  ${index + 1}. ${visible(choice)}`));
  return `${lines.join("\n")}\n`;
}
