// Which model plays the assistant: the one that was named, one there is a key for, else the scripted one.

import type { ScriptedModel } from "toolpost/testing";
import { scriptedCustomerDesk } from "./scripted-customer-desk.ts";

export interface ChosenModel {
  readonly model: string | ScriptedModel;
  /** Set for the scripted model only. */
  readonly script: ScriptedModel | undefined;
}

/** @param named a model string such as `openai:gpt-5.2`, or `scripted` */
export function chooseModel(named: string | undefined, env: NodeJS.ProcessEnv = process.env): ChosenModel {
  const model =
    named ?? (env.OPENAI_API_KEY ? "openai:gpt-5.2" : env.ANTHROPIC_API_KEY ? "anthropic:claude-sonnet-5" : "scripted");
  if (model !== "scripted") return { model, script: undefined };
  const script = scriptedCustomerDesk();
  return { model: script, script };
}
