// What the parameters of a class tool are given: by decorators on them, by `inject`, or `(input, ctx)` where neither is.
// Legacy decorators only know parameters; TC39 ones do not, so `inject` says the same there.

import type { ToolContext } from "../../core/context.ts";
import type { Problem } from "../../core/errors.ts";
import { ToolpostError } from "../../core/errors.ts";
import type { AnyClass } from "./class-notes.ts";
import { classChain, noteOn, ownNote } from "./class-notes.ts";

/** What a parameter of `execute` can be given. */
export type Injected = "input" | "context" | "state";

/** The parameters of `execute` in the order of `inject`. */
export type InjectedParameters<Words extends readonly Injected[], Input> = {
  -readonly [Index in keyof Words]: Words[Index] extends "input"
    ? Input
    : Words[Index] extends "context"
      ? ToolContext
      : // The type of a state is its workflow's.
        never;
};

type ParameterDecorator = (target: object, method: string | symbol | undefined, index: number) => void;

/** The parsed input. */
export const input: () => ParameterDecorator = () => noting("input");
/** The call's context. */
export const context: () => ParameterDecorator = () => noting("context");
/** The state of the workflow that the call runs in. */
export const state: () => ParameterDecorator = () => noting("state");

const PARAMETERS = Symbol.for("toolpost.parameters");

interface ParameterNote {
  readonly method: PropertyKey;
  readonly index: number;
  readonly kind: Injected;
}

function noting(kind: Injected): ParameterDecorator {
  return (target, method, index) => {
    const holder = typeof target === "function" ? target : target.constructor;
    noteOn<ParameterNote[]>(holder, PARAMETERS, () => []).push({ method: method ?? "constructor", index, kind });
  };
}

/** How to call a method: what each parameter gets, in order. */
export interface ParameterPlan {
  readonly order: readonly Injected[];
  readonly problems: readonly Problem[];
}

/** @param inject as the tool's settings have it; whatever code without a compiler wrote there */
export function planParameters(type: AnyClass, method: PropertyKey, inject: unknown): ParameterPlan {
  const about = `"${type.name}".${String(method)}`;
  const owner = classChain(type).findLast((each) => Object.hasOwn(each.prototype as object, method)) ?? type;
  const notes = ownNote<readonly ParameterNote[]>(owner, PARAMETERS) ?? [];
  const own = notes.filter((note) => note.method === method);
  const problems = [
    ...notes
      .filter((note) => note.method === "constructor")
      .map(({ index, kind }) =>
        wrong(`parameter ${index + 1} of the constructor of "${type.name}" is @${kind}(): ${constructorMend}`),
      ),
  ];
  if (inject !== undefined) {
    if (own.length > 0)
      problems.push(wrong(`${about}: has both \`inject\` and decorated parameters: keep one of the two`));
    return { order: injectOrder(inject, about, problems), problems };
  }
  if (own.length === 0) return { order: ["input", "context"], problems };
  const count = Math.max(parametersOf(owner, method), ...own.map(({ index }) => index + 1));
  return { order: decoratedOrder(own, count, about, problems), problems };
}

const constructorMend =
  "only parameters of execute are given that; a constructor gets the current call by `deps: [ExecutionContext]`";

function injectOrder(inject: unknown, about: string, problems: Problem[]): Injected[] {
  const words: readonly unknown[] = Array.isArray(inject) ? inject : [inject];
  const strange = words.filter((word) => !isInjected(word));
  for (const word of strange)
    problems.push(wrong(`${about}: \`inject\` has \`${String(word)}\`: use "input", "context" or "state"`));
  const known = words.filter(isInjected);
  for (const word of new Set(known.filter((each, index) => known.indexOf(each) !== index)))
    problems.push(wrong(`${about}: \`inject\` has "${word}" twice: give it to one parameter`));
  return known;
}

function decoratedOrder(
  notes: readonly ParameterNote[],
  count: number,
  about: string,
  problems: Problem[],
): Injected[] {
  const order: Injected[] = [];
  const given = new Set<Injected>();
  for (let index = 0; index < count; index++) {
    const here = notes.filter((note) => note.index === index);
    const place = `${about}: parameter ${index + 1}`;
    if (here.length === 0)
      problems.push(
        wrong(
          `${place} has no decorator beside decorated ones: give it @input(), @context() or @state(), or take it out`,
        ),
      );
    if (here.length > 1) problems.push(wrong(`${place} has ${here.length} decorators, ${listed(here)}: keep one`));
    const kind = here[0]?.kind ?? "input";
    if (here.length > 0 && given.has(kind))
      problems.push(wrong(`${place} is a second @${kind}(): give it to one parameter`));
    order.push(kind);
    for (const note of here) given.add(note.kind);
  }
  return order;
}

function listed(notes: readonly ParameterNote[]): string {
  return notes.map(({ kind }) => `@${kind}()`).join(" and ");
}

function parametersOf({ prototype }: AnyClass, method: PropertyKey): number {
  const value = (prototype as { readonly [key: PropertyKey]: unknown })[method];
  return typeof value === "function" ? value.length : 0;
}

function isInjected(word: unknown): word is Injected {
  return word === "input" || word === "context" || word === "state";
}

function wrong(message: string): Problem {
  return { code: "tool.parameter-invalid", message };
}

/** Calls a method with what its plan says. Throws `ToolpostError` (`tool.no-state`) where there is no state to give. */
export function callPlanned(
  method: (...args: unknown[]) => unknown,
  instance: object,
  { order }: ParameterPlan,
): (parsed: unknown, ctx: ToolContext) => unknown {
  if (order.length === 2 && order[0] === "input" && order[1] === "context")
    return (parsed, ctx) => method.call(instance, parsed, ctx);
  return (parsed, ctx) =>
    method.apply(
      instance,
      order.map((kind) => given(kind, parsed, ctx)),
    );
}

function given(kind: Injected, parsed: unknown, ctx: ToolContext): unknown {
  if (kind === "input") return parsed;
  if (kind === "context") return ctx;
  if (ctx.state !== undefined) return ctx.state;
  throw new ToolpostError("tool.no-state", "a parameter is @state(), and the call runs in no workflow that gives one");
}
