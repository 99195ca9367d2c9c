// The tools a class or an instance holds, in the one form every tool has: made by `defineTool` around its methods.
// It constructs nothing: the instance is asked for at the first call.

import type { ToolContext } from "../../core/context.ts";
import type { Problem } from "../../core/errors.ts";
import { AssemblyError } from "../../core/errors.ts";
import type { Schema } from "../../core/schema.ts";
import type { AnyTool } from "../../core/tool.ts";
import type { ToolAnatomy } from "../define-tool.ts";
import { defineTool } from "../define-tool.ts";
import { generatorMend, isGenerator } from "../generator-check.ts";
import type { AnyClass } from "./class-notes.ts";
import { isClass, methodOf } from "./class-notes.ts";
import type { ParameterPlan } from "./parameters.ts";
import { callPlanned, planParameters } from "./parameters.ts";
import { toolMethodsOf, toolSettingsOf } from "./tool-decorator.ts";

/** What a tool of a class came from, for messages and checks. */
export interface ClassOrigin {
  /** `SearchIssues`, or `Billing.refund` for a method. */
  readonly place: string;
  readonly needsState: boolean;
}

export interface ClassTools {
  readonly tools: readonly AnyTool[];
  readonly problems: readonly Problem[];
}

/** The tools of a decorated class. `instance` is called at each call of a tool; it gives the same one each time. */
export function classTools(type: AnyClass, instance: () => object): ClassTools {
  const holder: Holder = { type, instance };
  const settings = toolSettingsOf(type);
  const methods = [...toolMethodsOf(type)];
  if (settings.length === 0 && methods.length === 0) {
    const message = `The class "${type.name}" is not decorated with @Tool().`;
    return { tools: [], problems: [{ code: "tool.not-decorated", message }] };
  }
  const made = [
    ...(settings.length === 0 ? [] : [makeTool(holder, "execute", settings, type.name)]),
    ...methods.map(([name, each]) => makeTool(holder, name, each, `${type.name}.${String(name)}`)),
  ];
  return {
    tools: made.flatMap(({ tool }) => tool ?? []),
    problems: made.flatMap(({ problems }) => problems),
  };
}

/**
 * The tools among the methods of an object. Throws `AssemblyError` where a class has none, or a wrong parameter.
 * @example createApp({ tools: [...toolsOf(new Billing(payments))] });
 */
export function toolsOf(instance: object): readonly AnyTool[] {
  const stranger: unknown = typeof instance === "object" ? null : instance;
  if (instance === null || stranger !== null) {
    const given = isClass(stranger) ? `the class "${stranger.name}"` : `\`${String(instance)}\``;
    const message = `toolsOf takes an instance, and was given ${given}: write toolsOf(new …), or give the class itself`;
    throw new AssemblyError([{ code: "tool.not-decorated", message }]);
  }
  const type = instance.constructor as AnyClass;
  const { tools, problems } = classTools(type, () => instance);
  if (problems.length > 0) throw new AssemblyError(problems);
  return tools;
}

/** An object of a class that is decorated, in the place of what it holds. */
export function isToolInstance(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const type: unknown = value.constructor;
  return typeof type === "function" && (toolSettingsOf(type).length > 0 || toolMethodsOf(type).size > 0);
}

/** `undefined` for tools that were not made of a class. */
export function classOriginOf(tool: object): ClassOrigin | undefined {
  return origins.get(tool);
}

const origins: WeakMap<object, ClassOrigin> = new WeakMap();

interface Holder {
  readonly type: AnyClass;
  readonly instance: () => object;
}

interface MadeTool {
  readonly tool?: AnyTool;
  readonly problems: readonly Problem[];
}

function makeTool({ type, instance }: Holder, method: PropertyKey, given: readonly object[], place: string): MadeTool {
  const handler = methodOf(type, method);
  if (handler === undefined) {
    const message = `The class "${type.name}" does not implement ${String(method)}(input).`;
    return { problems: [{ code: "tool.no-execute", message }] };
  }
  const { deps: _, inject, ...anatomy } = given[0] as { readonly deps?: unknown; readonly inject?: unknown };
  const plan = planParameters(type, method, inject);
  const execute = executor(method, instance, plan);
  const tool = defineTool({ ...anatomy, execute } as unknown as ToolAnatomy<Schema, undefined, unknown>) as AnyTool;
  origins.set(tool, { place, needsState: plan.order.includes("state") });
  return { tool, problems: [...plan.problems, ...methodProblems(handler, given, place)] };
}

function methodProblems(method: object, given: readonly object[], place: string): Problem[] {
  const problems: Problem[] = [];
  if (given.length > 1) {
    const message = `"${place}" is decorated with @Tool() ${given.length} times: keep one, or make a class of each`;
    problems.push({ code: "tool.invalid-setting", message });
  }
  if (isGenerator(method)) problems.push({ code: "tool.invalid-setting", message: `"${place}": ${generatorMend}` });
  return problems;
}

/** Looks the method up at the first call, and never again. */
function executor(
  method: PropertyKey,
  instance: () => object,
  plan: ParameterPlan,
): (parsed: unknown, ctx: ToolContext) => unknown {
  let call: ((parsed: unknown, ctx: ToolContext) => unknown) | undefined;
  return (parsed, ctx) => {
    if (call === undefined) {
      const target = instance() as { readonly [key: PropertyKey]: (...args: unknown[]) => unknown };
      call = callPlanned(target[method]!, target, plan);
    }
    return call(parsed, ctx);
  };
}
