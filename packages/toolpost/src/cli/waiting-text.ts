// What to do about a call that waits for a person when the command ends.
// One place for it: a call and a run end alike here.

/** @param isAtTerminal whether the command could have asked, so that asking is not what is missing */
export function waitingText(tool: string, isAtTerminal: boolean): string {
  const channel = "give the configuration a channel that answers: `approvals: { channel: … }`";
  const mend = isAtTerminal ? `To go on, ${channel}.` : `Run it at a terminal to be asked, or ${channel}.`;
  return `\`${tool}\` waits for a person, and this command does not stay for the answer. ${mend}`;
}

/** Of a run that an engine would keep, and that is cancelled all the same: others come after it. */
export function givenUpText(tool: string): string {
  return `\`${tool}\` needs a person, and nobody could answer here: the call was given up. To have it kept until somebody answers, use \`toolpost run\`.`;
}

/** Of a run that an engine keeps: nothing is lost, and anybody may answer later. */
export function keptWaitingText(tool: string, pauseId: string | undefined, runId: string): string {
  const shown = pauseId === undefined ? "list" : `show ${pauseId}`;
  return `\`${tool}\` waits for a person: toolpost approvals ${shown}; once it is answered: toolpost runs resume ${runId}`;
}
