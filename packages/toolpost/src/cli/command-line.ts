// Reads a command line: which command, its options, its words. Options may stand before and after the command's name.
// It must not guess: what is unknown or incomplete is a `UsageError` that names the nearest thing there is.

import { parseArgs } from "node:util";
import { closestName } from "../std/closest-name.ts";
import { type Command, type CommandCall, type CommandOption, type CommandOptions, UsageError } from "./command.ts";

/** Options that every command takes. */
export const globalOptions: CommandOptions = {
  config: { value: "FILE", summary: "the configuration; default: toolpost.config.ts, .js or .mjs here" },
  mcp: { value: "FILE", summary: "an mcp.json; default: mcp.json here, where the configuration names none" },
  json: { summary: "the result as JSON on standard output, and nothing else there" },
  "no-color": { summary: "no colours; NO_COLOR in the environment does the same" },
  help: { short: "h", summary: "this text" },
  version: { short: "v", summary: "the version" },
};

export interface CommandLine extends Pick<CommandCall, "positionals" | "options" | "switches"> {
  /** `undefined` where none is named. */
  readonly command: Command | undefined;
}

/** The command line as data. Throws `UsageError`. */
export function parseCommandLine(argv: readonly string[], commands: readonly Command[]): CommandLine {
  const everyCommand = commands.flatMap((command) => [command, ...(command.parts ?? [])]);
  const everyOption = Object.assign({}, globalOptions, ...everyCommand.map(({ options }) => options)) as CommandOptions;
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(Object.entries(everyOption).map(([name, option]) => [name, toParseOption(option)])),
    allowPositionals: true,
    // Its own messages say nothing of the command; what is wrong is found below.
    strict: false,
    tokens: true,
  });
  const words = tokens.filter((token) => token.kind === "positional").map(({ value }) => value);
  const asksForHelp = words[0] === "help";
  const { command, positionals } = named(asksForHelp ? words.slice(1) : words, commands);
  const known: CommandOptions = command === undefined ? globalOptions : { ...globalOptions, ...command.options };
  const options: Record<string, string> = {};
  const switches = new Set<string>(asksForHelp ? ["help"] : []);
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (option === undefined) throw unknownOption(token.rawName, known, command);
    if (option.value === undefined) switches.add(switchName(token, command));
    else options[token.name] = optionValue(token, option.value, command);
  }
  return { command, positionals, options, switches };
}

/** What `parseArgs` found of one option. */
interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function toParseOption({ value, short }: CommandOption): { type: "boolean" | "string"; short?: string } {
  return { type: value === undefined ? "boolean" : "string", ...(short === undefined ? {} : { short }) };
}

/** The command that the first words name, and what follows them. */
function named(
  [name, ...rest]: readonly string[],
  commands: readonly Command[],
): Pick<CommandLine, "command" | "positionals"> {
  if (name === undefined) return { command: undefined, positionals: [] };
  const command = commandOf(name, commands);
  const [part, ...positionals] = rest;
  if (command.parts === undefined || part === undefined) return { command, positionals: rest };
  return { command: commandOf(`${name} ${part}`, command.parts, command), positionals };
}

/** @param group what the commands are parts of */
function commandOf(name: string, commands: readonly Command[], group?: Command): Command {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  const names = commands.map((command) => command.name);
  // What all parts have in common makes none of them nearer.
  const shared = group === undefined ? 0 : group.name.length + 1;
  const closest = closestName(
    name.slice(shared),
    names.map((each) => each.slice(shared)),
  );
  const nearest = names.find((each) => each.slice(shared) === closest);
  const mend = didYouMean(nearest) || `; there are ${listed(names)}`;
  throw new UsageError(`unknown command \`${name}\`${mend}`, group);
}

function unknownOption(rawName: string, known: CommandOptions, command: Command | undefined): UsageError {
  const closest = closestName(rawName.replace(/^-+/, ""), Object.keys(known));
  const place = command === undefined ? "" : ` of \`toolpost ${command.name}\``;
  return new UsageError(
    `unknown option \`${rawName}\`${place}${didYouMean(closest === undefined ? undefined : `--${closest}`)}`,
    command,
  );
}

function switchName({ name, rawName, inlineValue }: OptionToken, command: Command | undefined): string {
  if (inlineValue === true) throw new UsageError(`\`${rawName}\` takes no value`, command);
  return name;
}

/** An option right after one that takes a value means that the value was forgotten; with `=` it is one. */
function optionValue(
  { rawName, value, inlineValue }: OptionToken,
  placeholder: string,
  command: Command | undefined,
): string {
  const isForgotten = value === undefined || (inlineValue !== true && value.length > 1 && value.startsWith("-"));
  if (isForgotten || value === "")
    throw new UsageError(`\`${rawName}\` needs a value: \`${rawName} ${placeholder}\``, command);
  return value;
}

/** `; did you mean …?`, empty where nothing is near. */
export function didYouMean(name: string | undefined): string {
  return name === undefined ? "" : `; did you mean \`${name}\`?`;
}

/** Names as a sentence has them. */
export function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
