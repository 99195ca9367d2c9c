// What may be broken, to see that the checks notice: `new-keys` for each request, `no-approval` for any refund.
// A fault that does not exist breaks nothing, so it is refused: else the story would look as if the checks were blind.

const faults = ["new-keys", "no-approval"] as const;

export type Fault = (typeof faults)[number];

/** The one that `REFUND_APPROVAL_FAULT` names. */
export function readFault(env: NodeJS.ProcessEnv = process.env): Fault | undefined {
  const named = env.REFUND_APPROVAL_FAULT;
  if (named === undefined || named === "") return undefined;
  const fault = faults.find((each) => each === named);
  if (fault !== undefined) return fault;
  throw new Error(
    `REFUND_APPROVAL_FAULT is \`${named}\`; it may be ${faults.map((each) => `\`${each}\``).join(" or ")}`,
  );
}
