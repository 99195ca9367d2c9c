// What is wrong with a tool, all of it at once, before anything runs.
// It must take whatever it is given, as tools come from code no compiler looked at; and it must not run the tool.

import type { Problem } from "../core/errors.ts";
import { isLegalName, longestName, sanitizeName } from "../core/name.ts";
import type { ToolSourceKind } from "../core/tool.ts";
import { isRecord } from "../std/is-record.ts";
import { classOriginOf } from "./classes/class-tools.ts";
import { anatomyOf } from "./define-tool.ts";
import { generatorMend, isGenerator } from "./generator-check.ts";
import { schemaProblems } from "./schema-checks.ts";
import { settingProblems } from "./setting-checks.ts";
import { showValue } from "./show-value.ts";

export interface ToolCheckOptions {
  /** Also converts the schemas, tens of microseconds each. Default: true, but for tools of a source. */
  readonly deep?: boolean;
  /** The tool comes from a source: its name may be illegal, as it gets an alias, and its description blank. */
  readonly fromSource?: boolean;
}

/**
 * The problems of one tool; an empty list where there are none. Never throws.
 * @param place where it stands, for example `agent "support"`; messages begin with the name and this.
 */
export function checkTool(tool: unknown, place: string, options: ToolCheckOptions = {}): Problem[] {
  const { fromSource = false, deep = !fromSource } = options;
  if (!isRecord(tool))
    return [
      {
        code: "tool.invalid-setting",
        message: `\`${showValue(tool)}\` in ${place} is no tool: make one with defineTool({ … })`,
      },
    ];
  const read = readerOf(tool);
  const name = read("name");
  const origin = classOriginOf(tool);
  const ofClass = origin === undefined ? "" : ` of "${origin.place}"`;
  const about = `${typeof name === "string" ? JSON.stringify(name) : `\`${showValue(name)}\``}${ofClass} on ${place}`;
  return [
    ...nameProblems(name, about, fromSource),
    ...descriptionProblems(read("description"), about, fromSource),
    ...executeProblems(anatomyOf(tool)?.execute ?? read("execute"), read("constructor"), about),
    ...sourceProblems(read("source"), about),
    ...settingProblems(tool, read, about),
    ...(deep ? schemaProblems(tool, about) : []),
  ];
}

/** Reads a property; `undefined` where reading it throws. */
export type Read = (key: string) => unknown;

const sources: ReadonlySet<unknown> = new Set(
  Object.keys({ native: 0, mcp: 0, skill: 0, builtin: 0, a2a: 0, http: 0, agent: 0, custom: 0 } satisfies Record<
    ToolSourceKind,
    0
  >),
);

function readerOf(tool: object): Read {
  return (key) => {
    try {
      return (tool as Record<string, unknown>)[key];
    } catch {
      return undefined;
    }
  };
}

function nameProblems(name: unknown, about: string, fromSource: boolean): Problem[] {
  if (typeof name !== "string" || name.trim() === "") {
    return [{ code: "tool.name-invalid", message: `${about}: expected a name of letters, digits, \`_\` and \`-\`` }];
  }
  if (fromSource || isLegalName(name)) return [];
  const problems: Problem[] = [];
  const legal = sanitizeName(name);
  if (legal !== name)
    problems.push({
      code: "tool.name-invalid",
      message: `${about}: only letters, digits, \`_\` and \`-\` are allowed: name it "${legal}"`,
    });
  const length = [...name].length;
  if (length > longestName) {
    problems.push({
      code: "tool.name-too-long",
      message: `${about}: has ${length} characters, expected at most ${longestName}: shorten it`,
    });
  }
  return problems;
}

function descriptionProblems(description: unknown, about: string, fromSource: boolean): Problem[] {
  if (typeof description === "string" && (fromSource || description.trim() !== "")) return [];
  return [
    {
      code: "tool.description-missing",
      message: `${about}: expected a description: say what the tool does and when to use it`,
    },
  ];
}

function executeProblems(execute: unknown, type: unknown, about: string): Problem[] {
  if (isGenerator(execute)) return [{ code: "tool.invalid-setting", message: `${about}: execute ${generatorMend}` }];
  if (typeof execute === "function") return [];
  const isOfClass = typeof type === "function" && type !== Object && type.name !== "";
  const message = isOfClass
    ? `The class "${type.name}" does not implement execute(input).`
    : `${about}: has no execute: add execute(input, ctx)`;
  return [{ code: "tool.no-execute", message }];
}

function sourceProblems(source: unknown, about: string): Problem[] {
  if (sources.has(source)) return [];
  return [
    {
      code: "tool.source-invalid",
      message: `${about}: source is \`${showValue(source)}\`, expected one of ${[...sources].join(", ")}`,
    },
  ];
}
