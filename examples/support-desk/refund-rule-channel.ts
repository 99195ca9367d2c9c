// Decides refunds by a rule where nobody sits at a terminal.

import { type Ask, awaitReply, type Channel, type ChannelAnswer, decided } from "toolpost";
import { euros } from "./euros.ts";
import { RefundInput } from "./tools/refund-card.ts";

const mostCents = 200_00;

export class RefundRuleChannel implements Channel {
  readonly name = "refund-rule";
  readonly rule = `damaged goods up to ${euros(mostCents)} are approved, all else is declined`;

  send({ value }: Ask): ChannelAnswer {
    if (value.kind !== "approval") return awaitReply();
    const refund = RefundInput.safeParse(value.arguments);
    const isCovered = refund.success && refund.data.reason === "damaged" && refund.data.cents <= mostCents;
    return decided({ decision: isCovered ? "approve" : "decline", comment: `the rule is: ${this.rule}` });
  }
}
