// Schemas as Toolpost sees them: any Standard Schema or raw JSON Schema in, one compiled form out.
// Types only. What a model writes (wire) and what a handler gets (parsed) are two types throughout.
// Source: standardschema.dev 1.1 and json-schema.org draft 2020-12.

import type { StandardSchemaV1 } from "@standard-schema/spec";

export type JsonSchema = { readonly [key: string]: unknown };

/** What `input` and `output` of a tool accept. */
export type Schema = StandardSchemaV1 | JsonSchema;

/** What the model writes for schema `S`. */
export type SchemaWire<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferInput<S> : unknown;

/** What the handler gets for schema `S`. */
export type SchemaParsed<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : unknown;

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
