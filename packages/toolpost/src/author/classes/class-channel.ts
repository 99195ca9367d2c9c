// The channel a class is, in the one form every channel has.
// It constructs nothing: the instance is asked for when somebody is to be asked.

import type { Ask, Channel, ChannelAnswer } from "../../core/approval.ts";
import type { Problem } from "../../core/errors.ts";
import type { ChannelHandler, ChannelSettings } from "./channel-decorator.ts";
import { channelSettingsOf } from "./channel-decorator.ts";
import type { AnyClass } from "./class-notes.ts";
import { methodOf } from "./class-notes.ts";

export class ClassChannel implements Channel {
  readonly name: string;
  readonly type: AnyClass;
  readonly #instance: () => object;

  /** `instance` is called for each question; it gives the same one each time. */
  constructor(name: string, type: AnyClass, instance: () => object) {
    this.name = name;
    this.type = type;
    this.#instance = instance;
  }

  send(ask: Ask, about: { readonly signal: AbortSignal }): ChannelAnswer | Promise<ChannelAnswer> {
    return (this.#instance() as ChannelHandler).send(ask, about);
  }
}

/** What a class is decorated as, with what is wrong with that. No channel where it cannot even be named. */
export function classChannel(
  type: AnyClass,
  instance: () => object,
): { readonly channel: ClassChannel | undefined; readonly problems: readonly Problem[] } {
  const given = channelSettingsOf(type) as readonly Partial<ChannelSettings<[]>>[];
  if (given.length === 0) {
    const message = `The class "${type.name}" is not decorated with @Channel().`;
    return { channel: undefined, problems: [{ code: "channel.not-decorated", message }] };
  }
  const { name, description } = given[0]!;
  const problems: Problem[] = [];
  const wrong = (what: string): void =>
    void problems.push({ code: "channel.invalid", message: `"${type.name}"${what}` });
  if (given.length > 1) wrong(` is decorated with @Channel() ${given.length} times: keep one, or make a class of each`);
  if (!isText(name)) wrong(`: \`name\` is ${shown(name)}, expected the text by which tools name the channel`);
  if (!isText(description)) wrong(`: \`description\` is ${shown(description)}, expected a text that says who is asked`);
  if (methodOf(type, "send") === undefined) {
    const message = `The class "${type.name}" does not implement send(ask).`;
    problems.push({ code: "channel.no-send", message });
  }
  return { channel: isText(name) ? new ClassChannel(name, type, instance) : undefined, problems };
}

/** An object of a class that is decorated, in the place of the class. */
export function isChannelInstance(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const type: unknown = value.constructor;
  return typeof type === "function" && channelSettingsOf(type).length > 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function shown(value: unknown): string {
  return `\`${typeof value === "string" ? JSON.stringify(value) : String(value)}\``;
}
