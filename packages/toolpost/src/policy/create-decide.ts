// The decision on one call: what the tool's own policy said, then every rule, then every floor.
// Pure but for the log. It must not let a call through because a rule could not be asked.

import type { ApprovalFloor, Log, Rule } from "../core/govern.ts";
import type { NormalVerdict, PolicyQuestion, Verdict } from "../core/policy.ts";
import type { AnyTool } from "../core/tool.ts";
import { swallow } from "../std/soon.ts";
import { floorVerdict } from "./approval-floor.ts";
import { combineVerdicts } from "./combine-verdicts.ts";
import { normalVerdict } from "./normal-verdict.ts";

/** What stands above the tools' own policies. */
export interface DecideOptions {
  readonly rules?: readonly Rule[];
  readonly floors?: readonly ApprovalFloor[];
  /** Told what a rule threw. */
  readonly log?: Log;
}

/** A call to decide on, with the tool it calls. */
export type DecideQuestion = PolicyQuestion & { readonly definition: AnyTool };

/**
 * Decides one call. `toolVerdict` is what the tool's policy answered; `undefined` allows only where the tool has no
 * policy, and otherwise is a predicate that gave no verdict. Each rule is asked once. Never throws.
 */
export type Decide = (question: DecideQuestion, toolVerdict: Verdict | undefined) => NormalVerdict;

/**
 * Joins rules and floors to the function that decides calls. A rule that throws denies without a reason for the
 * model; a rule that answers anything but a verdict or `undefined`, a Promise among them, denies too.
 * @example const decide = createDecide({ rules: [({ definition }) => (definition.annotations?.destructive ? "deny" : undefined)] });
 */
export function createDecide({ rules = [], floors = [], log }: DecideOptions): Decide {
  return (question, toolVerdict) => {
    const hasNone = toolVerdict === undefined && question.definition.policy === undefined;
    const own = normalVerdict(hasNone ? "allow" : toolVerdict);
    if (rules.length === 0 && floors.length === 0) return own;
    return combineVerdicts([
      own,
      ...rules.map((rule) => ask(rule, question, log)),
      ...floors.map((floor) => floorVerdict(floor, question.definition)),
    ]);
  };
}

function ask(rule: Rule, question: DecideQuestion, log: Log | undefined): Verdict | undefined {
  try {
    const answer: unknown = rule(question);
    swallow(answer);
    return answer as Verdict | undefined;
  } catch (error) {
    report(log, { tool: question.tool, callId: question.callId, error });
    return "deny";
  }
}

function report(log: Log | undefined, { error, ...data }: { tool: string; callId: string; error: unknown }): void {
  try {
    log?.({ level: "error", message: `a rule threw, so a call of \`${data.tool}\` was denied`, error, data });
  } catch {
    // A log that fails must not turn a refusal into something else.
  }
}
