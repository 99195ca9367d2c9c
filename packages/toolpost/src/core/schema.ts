// Schemas as Toolpost sees them: any Standard Schema, DTO class or raw JSON Schema in, one compiled form out.
// Types only. What a model writes (wire) and what a handler gets (parsed) are two types throughout.
// Source: standardschema.dev 1.1 and json-schema.org draft 2020-12.

import type { StandardSchemaV1 } from "@standard-schema/spec";

export type JsonSchema = { readonly [key: string]: unknown };

/** A class whose fields are decorated with what `toolpost/dto` gives: schema, validator and type in one. */
export type DtoClass<Instance = unknown> = new () => Instance;

/** What `input` and `output` of a tool accept. */
export type Schema = StandardSchemaV1 | DtoClass | JsonSchema;

/** What the model writes for schema `S`. */
export type SchemaWire<S> = S extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<S>
  : S extends DtoClass<infer Instance>
    ? DtoWire<Instance>
    : unknown;

/** What the handler gets for schema `S`. */
export type SchemaParsed<S> = S extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<S>
  : S extends DtoClass<infer Instance>
    ? Instance
    : unknown;

/** What a handler may return for schema `S`, before it is parsed. */
export type SchemaReturned<S> = S extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<S>
  : S extends DtoClass<infer Instance>
    ? DtoReturned<Instance>
    : unknown;

/**
 * What is written for an instance of a DTO class: its fields without its methods, text for a `Date`. No field is
 * required, as types do not tell which ones have a default.
 */
export type DtoWire<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly DtoWire<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value as FieldKey<Value, Key>]?: DtoWire<Value[Key]> | undefined }
      : Value;

/** What a handler may return for a DTO class: an instance, or its fields without its methods. */
export type DtoReturned<Value> = Value extends Date
  ? Date
  : Value extends readonly (infer Item)[]
    ? readonly DtoReturned<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value as FieldKey<Value, Key>]: DtoReturned<Value[Key]> }
      : Value;

type FieldKey<Value, Key extends keyof Value> =
  NonNullable<Value[Key]> extends (...args: never) => unknown ? never : Key;

/** One thing wrong with a value. `path` is like `jobs[2].url`, empty at the root. */
export interface SchemaIssue {
  readonly path: string;
  readonly message: string;
}

export type Validation<T = unknown> =
  | { readonly ok: true; readonly value: T }
  /** `cause` is what a validator threw that could not run, for the log only. */
  | { readonly ok: false; readonly issues: readonly SchemaIssue[]; readonly cause?: unknown };

/** Validates one value; sync where the library is, never throws or rejects for a bad value. */
export type Validate<T = unknown> = (value: unknown) => Validation<T> | Promise<Validation<T>>;

/** A schema ready for use: its JSON Schema for the model (made when first read) and its validator. */
export interface CompiledSchema<Parsed = unknown> {
  readonly jsonSchema: JsonSchema;
  readonly validate: Validate<Parsed>;
}
