// `@Tool`: a class with `execute`, or a method, as a tool. Under legacy and TC39 decorators alike.
// It only notes what it is given: tools are made of classes when an application is put together.

import type { ToolContext } from "../../core/context.ts";
import { ToolpostError } from "../../core/errors.ts";
import type { ToolAsk, ToolOutput } from "../../core/result.ts";
import type { Schema, SchemaParsed } from "../../core/schema.ts";
import type { Returnable, ToolAnatomy } from "../define-tool.ts";
import { noteOn, notesOf, ownNote } from "./class-notes.ts";
import { noteDeps } from "./injectable.ts";
import type { Injected, InjectedParameters } from "./parameters.ts";
import type { Dependency, Instances } from "./token.ts";

const TOOL_CLASS = Symbol.for("toolpost.tool-class");
const TOOL_METHODS = Symbol.for("toolpost.tool-methods");

/**
 * Types `execute` of a class whole: `class SearchIssues implements ToolHandler<IssueQuery, IssueList>`. With decorated
 * parameters, whose order is free, leave it out.
 */
export interface ToolHandler<Input, Output> {
  execute(input: Input, ctx: ToolContext): Output | ToolOutput | ToolAsk | Promise<Output | ToolOutput | ToolAsk>;
}

/** The anatomy of a tool without its handler, which the class or method is. */
export interface ToolSettings<
  Input extends Schema,
  Output extends Schema | undefined,
  Deps extends readonly Dependency[],
  Words extends readonly Injected[] | undefined,
> extends Omit<ToolAnatomy<Input, Output, unknown>, "execute"> {
  /** What the constructor is given, in order. On a class only. */
  readonly deps?: Deps;
  /** What the parameters of `execute` are given, in order; default `["input", "context"]`. */
  readonly inject?: Words;
}

/** `execute` as the compiler holds it against the settings. Without `inject` its parameters may be decorated, in any order. */
export type Executes<Input, Output, Words> = Words extends readonly Injected[]
  ? (...args: InjectedParameters<Words, SchemaParsed<Input>>) => Returns<Output>
  : (...args: never[]) => Returns<Output>;

type Returns<Output> = Returnable<Output, unknown> | Promise<Returnable<Output, unknown>>;

/** What `@Tool(…)` gives: the decorator of a class, and of a method under either system. */
export interface ToolDecorator<Input, Output, Deps extends readonly Dependency[], Words> {
  <C extends new (...args: Instances<Deps>) => { execute: Executes<Input, Output, Words> }>(
    type: C,
    context?: ClassDecoratorContext,
  ): void;
  <M extends Executes<Input, Output, Words>>(
    prototype: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
  <M extends Executes<Input, Output, Words>>(
    method: M,
    context: ClassMethodDecoratorContext & { readonly static: false; readonly private: false },
  ): void;
}

/**
 * A tool as a class, or as a method. The settings are those of `defineTool`, checked when an application is put
 * together. A class is given to an application or agent in `tools`; methods are, too, or collected by `toolsOf(instance)`.
 * @example
 * \@Tool({ name: "search_issues", description: "Searches the issues", input: IssueQuery, output: IssueList, deps: [IssuesApi] })
 * class SearchIssues implements ToolHandler<IssueQuery, IssueList> {
 *   constructor(private readonly issues: IssuesApi) {}
 *   execute({ query }: IssueQuery, ctx: ToolContext) { return this.issues.search(query, ctx.signal); }
 * }
 */
export function Tool<
  const Input extends Schema,
  Output extends Schema | undefined = undefined,
  const Deps extends readonly Dependency[] = [],
  const Words extends readonly Injected[] | undefined = undefined,
>(settings: ToolSettings<Input, Output, Deps, Words>): ToolDecorator<Input, Output, Deps, Words> {
  const decorate = (target: object, where?: unknown): void => {
    if (isMethodContext(where)) noteMethod(where.metadata, where, settings);
    else if (typeof where === "string" || typeof where === "symbol") noteLegacyMethod(target, where, settings);
    else noteClass(target, settings);
  };
  return decorate;
}

/** What was noted of a class tool. */
export interface ClassToolNote {
  readonly settings: object;
}

/** The settings a class itself was decorated with. */
export function toolSettingsOf(type: object): object | undefined {
  return ownNote<ClassToolNote>(type, TOOL_CLASS)?.settings;
}

/** Methods that are tools by name, those that are inherited too; a method that overrides one stands for it. */
export function toolMethodsOf(type: object): ReadonlyMap<PropertyKey, object> {
  return new Map(notesOf<ReadonlyMap<PropertyKey, object>>(type, TOOL_METHODS).flatMap((methods) => [...methods]));
}

interface MethodContext {
  readonly kind: "method";
  readonly name: string | symbol;
  readonly static: boolean;
  readonly private: boolean;
  readonly metadata: object;
}

function isMethodContext(where: unknown): where is MethodContext {
  return typeof where === "object" && where !== null && (where as { readonly kind?: unknown }).kind === "method";
}

function noteClass(type: object, settings: { readonly deps?: readonly unknown[] }): void {
  if (settings.deps !== undefined) noteDeps(type, settings.deps);
  noteOn<ClassToolNote>(type, TOOL_CLASS, () => ({ settings }));
}

function noteLegacyMethod(target: object, name: string | symbol, settings: object): void {
  const isStatic = typeof target === "function";
  noteMethod(isStatic ? target : target.constructor, { name, static: isStatic, private: false }, settings);
}

function noteMethod(
  holder: object,
  { name, static: isStatic, private: isPrivate }: Pick<MethodContext, "name" | "static" | "private">,
  settings: object,
): void {
  if (isStatic || isPrivate) {
    const what = isStatic ? "static" : "private";
    throw new ToolpostError(
      "tool.parameter-invalid",
      `@Tool() on the ${what} method \`${String(name)}\`: a tool is a public method of an instance`,
    );
  }
  noteOn<Map<PropertyKey, object>>(holder, TOOL_METHODS, () => new Map()).set(name, settings);
}
