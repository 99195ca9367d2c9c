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
import type { Instances, NamedDependency } from "./token.ts";

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
  Deps extends readonly NamedDependency[],
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

/**
 * Holds `execute` against `input` as far as can be seen: its parameters may be decorated, so their order is free, but one
 * of them takes the parsed input. Where the schema has no type, or `inject` has checked already, there is nothing to see.
 */
export type TakesInput<Method, Parsed, Words> = Words extends readonly Injected[]
  ? unknown
  : unknown extends Parsed
    ? unknown
    : Method extends () => unknown
      ? unknown
      : Method extends (...args: infer Args) => unknown
        ? true extends { [Index in keyof Args]: Parsed extends Args[Index] ? true : false }[number]
          ? unknown
          : { readonly "no parameter takes the input": Parsed }
        : unknown;

/** What `@Tool(…)` gives: the decorator of a method under either system, and of a class, which compilers show last. */
export interface ToolDecorator<Input, Output, Deps extends readonly NamedDependency[], Words> {
  <M extends Executes<Input, Output, Words>>(
    prototype: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<M> & TakesInput<M, SchemaParsed<Input>, Words>,
  ): void;
  <M extends Executes<Input, Output, Words>>(
    method: M & TakesInput<M, SchemaParsed<Input>, Words>,
    context: ClassMethodDecoratorContext & { readonly static: false; readonly private: false },
  ): void;
  <C extends new (...args: Instances<Deps>) => { execute: Executes<Input, Output, Words> }>(
    type: C & TakesInput<InstanceType<C>["execute"], SchemaParsed<Input>, Words>,
    context?: ClassDecoratorContext,
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
  const Deps extends readonly NamedDependency[] = [],
  const Words extends readonly Injected[] | undefined = undefined,
>(settings: ToolSettings<Input, Output, Deps, Words>): ToolDecorator<Input, Output, Deps, Words> {
  const decorate = (target: object, where?: unknown, descriptor?: PropertyDescriptor): void => {
    if (isContext(where)) return noteStandard(target, where, settings);
    if (typeof where === "string" || typeof where === "symbol")
      return noteLegacyMethod(target, where, descriptor, settings);
    noteClass(target, settings);
  };
  return decorate;
}

/** The settings a class itself was decorated with; one, unless something is wrong. */
export function toolSettingsOf(type: object): readonly object[] {
  return ownNote<readonly object[]>(type, TOOL_CLASS) ?? [];
}

/**
 * Methods that are tools by name, with their settings; those that are inherited too. A method that overrides one
 * stands for it.
 */
export function toolMethodsOf(type: object): ReadonlyMap<PropertyKey, readonly object[]> {
  return new Map(notesOf<MethodNotes>(type, TOOL_METHODS).flatMap((methods) => [...methods]));
}

type MethodNotes = Map<PropertyKey, object[]>;

/** The parts of a TC39 decorator's context that are read. */
interface Context {
  readonly kind: string;
  readonly name: string | symbol;
  readonly static?: boolean;
  readonly private?: boolean;
  readonly metadata: object;
}

function isContext(where: unknown): where is Context {
  return typeof where === "object" && where !== null && typeof (where as Partial<Context>).kind === "string";
}

function noteStandard(target: object, { kind, name, metadata, ...about }: Context, settings: object): void {
  if (kind === "class") return noteClass(target, settings);
  const fault =
    kind !== "method" ? kind : about.static ? "static method" : about.private ? "private method" : undefined;
  if (fault !== undefined) throw notAMethod(fault, name);
  noteMethod(metadata, name, settings);
}

function noteLegacyMethod(
  target: object,
  name: string | symbol,
  descriptor: PropertyDescriptor | undefined,
  settings: object,
): void {
  if (typeof target === "function") throw notAMethod("static method", name);
  if (typeof descriptor?.value !== "function") throw notAMethod(descriptor === undefined ? "field" : "accessor", name);
  noteMethod(target.constructor, name, settings);
}

function noteClass(type: object, settings: { readonly deps?: unknown }): void {
  noteDeps(type, settings.deps);
  noteOn<object[]>(type, TOOL_CLASS, () => []).push(settings);
}

function noteMethod(holder: object, name: PropertyKey, settings: object): void {
  const methods = noteOn<MethodNotes>(holder, TOOL_METHODS, () => new Map());
  methods.set(name, [...(methods.get(name) ?? []), settings]);
}

function notAMethod(what: string, name: string | symbol): ToolpostError {
  return new ToolpostError(
    "tool.parameter-invalid",
    `@Tool() on the ${what} \`${String(name)}\`: a tool is a public method of an instance, or a class with \`execute\``,
  );
}
