// `defineTool`: a tool written as one object, its types inferred from its schemas.
// It must stay cheap (nothing is converted or compiled before it is read) and must not throw for a bad value:
// `checkTool` reports those, all at once and with their place.

import type { ToolContext } from "../core/context.ts";
import { createToolContext } from "../core/context.ts";
import type { Policy, ToolErrors } from "../core/policy.ts";
import type { ToolAsk, ToolOutput } from "../core/result.ts";
import type { JsonSchema, Schema, SchemaParsed, SchemaReturned, SchemaWire, Validate } from "../core/schema.ts";
import type { Tool, ToolAnnotations, VisibilityQuestion } from "../core/tool.ts";
import type { Duration, Size } from "../std/units.ts";
import { compileSchema } from "./compile-schema.ts";
import { lazyValidate } from "./lazy-validate.ts";
import { objectValidator, toObjectSchema } from "./tool-input.ts";

/** The whole anatomy of a tool. What the settings mean stands on `Tool`. */
export interface ToolAnatomy<Input extends Schema, Output extends Schema | undefined, Returned> {
  /** `[a-zA-Z0-9_-]`, at most 64 characters, unique among an agent's tools. */
  readonly name: string;
  /** What the model reads to choose the tool. */
  readonly description: string;
  readonly input: Input;
  /** With it, what `execute` returns is validated and the model reads the parsed output. */
  readonly output?: Output;
  readonly tags?: readonly string[];
  readonly annotations?: ToolAnnotations;
  /** Inputs as the model writes them. */
  readonly examples?: readonly ToolExample<SchemaWire<Input>>[];
  readonly strict?: boolean;
  readonly policy?: Policy<SchemaParsed<Input>>;
  readonly visibleWhen?: (question: VisibilityQuestion) => boolean;
  readonly timeout?: Duration | "none";
  readonly maxResultSize?: Size;
  readonly exclusive?: boolean;
  readonly toolErrors?: ToolErrors;
  /** What becomes of a call that a crash interrupted and that may not be run twice; default `"tell-model"`. */
  readonly onUnknown?: "ask" | "tell-model" | "fail";
  readonly channel?: string;
  readonly environment?: readonly string[];
  /** Called once per call, with the parsed input. */
  readonly execute: Execute<Input, Output, Returned>;
  /** Without an `output` schema it stands after `execute`, to see its type. */
  readonly endsRun?:
    | boolean
    | ((call: {
        readonly input: SchemaParsed<Input>;
        readonly output: SettledOutput<Output, Returned>;
      }) => boolean | Promise<boolean>);
}

/** An example: an object, with the fields the schema takes where it says so. */
export type ToolExample<Wire> = unknown extends Wire ? { readonly [key: string]: unknown } : Wire;

/**
 * The handler. A conditional type as a whole, so that the compiler knows the output while it reads the body: a literal
 * returned for an enum stays one. A method's type, so that a handler may narrow the input of a raw JSON Schema.
 */
export type Execute<Input, Output, Returned> = Output extends Schema
  ? {
      call(
        input: SchemaParsed<Input>,
        ctx: ToolContext,
      ): Returnable<Output, never> | Promise<Returnable<Output, never>>;
    }["call"]
  : { call(input: SchemaParsed<Input>, ctx: ToolContext): Returned | Promise<Returned> }["call"];

/** What `execute` may return: with an `output` schema what that takes, a `ToolOutput` or a `ToolAsk`, else anything. */
export type Returnable<Output, Returned> = Output extends Schema
  ? SchemaReturned<Output> | ToolOutput | ToolAsk
  : Returned;

/** What a successful call gives: the parsed output, or without a schema what `execute` returned. */
export type SettledOutput<Output, Returned> = Output extends Schema
  ? SchemaParsed<Output>
  : Exclude<Returned, ToolOutput | ToolAsk>;

/** A tool made by `defineTool`. `Wire` is what the model writes, `Parsed` what the handler gets. */
export interface DefinedTool<Wire, Parsed, Output, Returned = unknown> extends Tool<Parsed> {
  readonly source: "native";
  /** Without `ctx` it gets a fresh one, for scripts and tests. The input is not validated. */
  execute(input: Parsed, ctx?: ToolContext): Returned | Promise<Returned>;
  readonly validateInput: Validate<Parsed>;
  /** Types only; never there at run time. */
  readonly "~types"?: { readonly wire: Wire; readonly parsed: Parsed; readonly output: Output };
}

/** What the handler of a tool gets. */
export type ToolInput<T extends { readonly "~types"?: unknown }> =
  NonNullable<T["~types"]> extends { readonly parsed: infer P } ? P : never;
/** What a model writes to call a tool. */
export type ToolWire<T extends { readonly "~types"?: unknown }> =
  NonNullable<T["~types"]> extends { readonly wire: infer W } ? W : never;
/** What a successful call of a tool gives. */
export type ToolOutputOf<T extends { readonly "~types"?: unknown }> =
  NonNullable<T["~types"]> extends { readonly output: infer O } ? O : never;

/**
 * Makes a tool. Takes microseconds; JSON Schema and validators are made when first read. The result is frozen.
 * @example
 * const add = defineTool({ name: "add", description: "Adds", input: z.object({ a: z.number(), b: z.number() }),
 *   execute: ({ a, b }) => a + b });
 */
export function defineTool<
  const Input extends Schema,
  Output extends Schema | undefined = undefined,
  Returned = unknown,
>(
  definition: ToolAnatomy<Input, Output, Returned>,
): DefinedTool<SchemaWire<Input>, SchemaParsed<Input>, SettledOutput<Output, Returned>, Returnable<Output, Returned>> {
  // Whatever a caller without a compiler passes is judged at assembly.
  const given: ToolAnatomy<Input, Output, Returned> = Object(definition);
  const { input, output } = given;
  const execute = (parsed: SchemaParsed<Input>, ctx?: ToolContext) =>
    given.execute(parsed, ctx ?? createToolContext()) as Returnable<Output, Returned>;
  const tool = {
    name: given.name,
    description: given.description,
    source: "native" as const,
    validateInput: lazyValidate(() => objectValidator(compileSchema(input, "input"))),
    validateOutput: output === undefined ? undefined : lazyValidate(() => compileSchema(output, "output").validate),
    tags: given.tags,
    annotations: given.annotations,
    examples: given.examples as readonly { readonly [key: string]: unknown }[] | undefined,
    strict: given.strict,
    policy: given.policy,
    visibleWhen: given.visibleWhen,
    endsRun: given.endsRun as Tool<SchemaParsed<Input>>["endsRun"],
    timeout: given.timeout,
    maxResultSize: given.maxResultSize,
    exclusive: given.exclusive,
    toolErrors: given.toolErrors,
    onUnknown: given.onUnknown,
    channel: given.channel,
    environment: given.environment,
    execute: typeof given.execute === "function" ? execute : (given.execute as typeof execute),
  };
  anatomies.set(tool, given);
  Object.defineProperty(tool, "inputSchema", inputSchemaGetter);
  Object.defineProperty(tool, "outputSchema", outputSchemaGetter);
  return Object.freeze(tool as typeof tool & { readonly inputSchema: JsonSchema });
}

/** The definition a tool was made of; `undefined` for tools that were made in another way. */
export function anatomyOf(tool: object): GivenAnatomy | undefined {
  return anatomies.get(tool);
}

/** As its author gave it, whatever that was. */
export interface GivenAnatomy {
  readonly input?: unknown;
  readonly output?: unknown;
  readonly execute?: unknown;
}

const anatomies: WeakMap<object, GivenAnatomy> = new WeakMap();

// Own properties, so that a spread keeps the schemas. Added last and shared, as a getter of its own would give each
// tool a shape of its own, which costs more than all the rest of it.
const inputSchemaGetter: PropertyDescriptor = {
  enumerable: true,
  get(this: object): JsonSchema {
    let schema = inputSchemas.get(this);
    if (schema === undefined) {
      schema = toObjectSchema(compileSchema(anatomies.get(this)?.input as Schema, "input").jsonSchema);
      inputSchemas.set(this, schema);
    }
    return schema;
  },
};

const outputSchemaGetter: PropertyDescriptor = {
  enumerable: true,
  get(this: object): JsonSchema | undefined {
    const output = anatomies.get(this)?.output as Schema | undefined;
    return output === undefined ? undefined : compileSchema(output, "output").jsonSchema;
  },
};

const inputSchemas: WeakMap<object, JsonSchema> = new WeakMap();
