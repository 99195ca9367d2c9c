// A support desk that answers one customer: `npm start`, or `npm start -- --model openai:gpt-5.2`. It is compiled first,
// as Node strips types but does not know decorators.
// Exits with 0 when everything went as it should, with 1 and the differences when not. To see that, break something:
// SUPPORT_DESK_FAULT=payments-down, or SUPPORT_DESK_FAULT=masking-off.

import { parseArgs } from "node:util";
import { TerminalUserChannel } from "toolpost";
import { checkRun } from "./check-run.ts";
import { chooseModel } from "./choose-model.ts";
import { type Fault, openDesk } from "./open-desk.ts";
import { printEvents } from "./print-events.ts";
import { RefundRuleChannel } from "./refund-rule-channel.ts";
import { summariseRun } from "./summarise-run.ts";

const message =
  "Hello, this is Dana. The desk lamp of my order A-1042 came with a broken shade. I would like my money back for it. " +
  "And where is the rest of the order?";

const { values } = parseArgs({ options: { model: { type: "string" } } });
const { model, script } = chooseModel(values.model);
const write = (text: string): void => void process.stdout.write(text);
const isAtTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
const rule = isAtTerminal ? undefined : new RefundRuleChannel();
const fault = process.env.SUPPORT_DESK_FAULT as Fault | undefined;

const startedAt = performance.now();
const desk = await openDesk({ model, channel: rule ?? new TerminalUserChannel(), fault });
try {
  write(
    script === undefined
      ? `The model is ${values.model ?? model}.\n`
      : "The model is scripted: its words are written down, its figures come from what the tools return.\n" +
          "With OPENAI_API_KEY, ANTHROPIC_API_KEY or `npm start -- --model STRING` a real one takes its place.\n",
  );
  write(`All else is real: an MCP server, ${desk.database.file}, payments at ${desk.payments.url}.\n`);
  write(`Refunds over €50.00 are approved ${rule ? `by a rule, as no terminal is here: ${rule.rule}` : "by you"}.\n`);
  write(`\ncustomer   ${message}\n`);
  const run = desk.app.run(desk.agent, message, { user: { id: "dana" } });
  const events = await printEvents(run.events, write);
  const result = await run;
  write(`\n${summariseRun(desk, result, performance.now() - startedAt)}\n`);
  const prompts = script?.requests.map(({ prompt }) => prompt);
  const differences = checkRun({ desk, result, events, prompts, isScripted: script !== undefined });
  write(
    differences.length === 0 ? "\nEverything is as expected.\n" : `\nNot as expected:\n- ${differences.join("\n- ")}\n`,
  );
  process.exitCode = differences.length === 0 ? 0 : 1;
} catch (error) {
  write(`\nThe run failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await desk.close();
}
