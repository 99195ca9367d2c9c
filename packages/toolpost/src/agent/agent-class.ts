// `@Agent`: an agent as a class, with the settings of `defineAgent`. It notes the definition on the class and does
// nothing else.

import type { AnyClass } from "../author/classes/class-notes.ts";
import { noteOn, ownNote } from "../author/classes/class-notes.ts";
import { ToolpostError } from "../core/errors.ts";
import type { Schema } from "../core/schema.ts";
import type { Agent as AgentDefinition, AgentOptions, AssembledAgent } from "./define-agent.ts";
import { agentFrom } from "./define-agent.ts";

const AGENT = Symbol.for("toolpost.agent");

/**
 * An agent as a class. Prompt files are relative to the file that holds the class.
 * @example \@Agent({ name: "support", description: "Answers customers", model: "openai:gpt-5.2", tools: [SearchIssues] })
 * class Support {}
 */
export function Agent<Output extends Schema | undefined = undefined>(
  options: AgentOptions<Output>,
): (type: AnyClass, context?: ClassDecoratorContext) => void {
  const definition = agentFrom(options, Agent);
  ofClasses.add(definition);
  return (type) => {
    if (ownNote(type, AGENT) !== undefined) {
      const message = `The class "${type.name}" is decorated with @Agent() twice: keep one, or make a class of each`;
      throw new ToolpostError("agent.invalid", message);
    }
    noteOn(type, AGENT, () => definition);
  };
}

/** What a class was decorated with; `undefined` where it was not. */
export function agentOf(type: object): AgentDefinition | undefined {
  return ownNote<AgentDefinition>(type, AGENT);
}

/** An object of a class that is decorated, in the place of the class. */
export function isAgentInstance(value: object): boolean {
  return typeof value.constructor === "function" && agentOf(value.constructor) !== undefined;
}

/** The agent with classes among its tools replaced by what they hold. */
export function withTools(agent: AgentDefinition, tools: AssembledAgent["tools"]): AssembledAgent {
  const derived = Object.freeze({ ...agent, tools });
  if (isAgentOfClass(agent)) ofClasses.add(derived);
  return derived;
}

/** Whether a definition was written on a class. */
export function isAgentOfClass(definition: object): boolean {
  return ofClasses.has(definition);
}

const ofClasses: WeakSet<object> = new WeakSet();
