// Makes the decorators of fields: one function for both decorator systems, which notes a field's type on its class.
// It must not judge or throw for a mistake: the class is not known yet, and all mistakes are told together, with it.

import { ToolpostError } from "../../core/errors.ts";
import { noteOn } from "../classes/class-notes.ts";
import { showValue } from "../show-value.ts";
import { compileDto } from "./compile-dto.ts";
import type { DtoNote, FieldNote } from "./dto-note.ts";
import { dtoNoteKey } from "./dto-note.ts";
import type { CarriesType, FieldType } from "./field-type.ts";
import { fieldTypeKey, modifierKey } from "./field-type.ts";

/**
 * Decorates an instance field whose type takes a `Value`; under legacy decorators and TC39 ones.
 * Its result can be given to `ListOf` and the like instead, as the type of their items.
 */
export interface FieldDecorator<Value> extends FieldModifier<Value>, CarriesType<Value> {}

/** Decorates a field that has a kind already, or gets one by another decorator. */
export interface FieldModifier<Value> {
  <Target extends object, Key extends keyof Target>(
    prototype: Target,
    key: Key & FieldMustTake<Value, Target[Key]>,
  ): void;
  (value: undefined, context: FieldContext<Value>): void;
}

/** What the type of a decorated field has to take; the wrong one makes the key wrong, and the message shows both. */
export type FieldMustTake<Value, Property> = [Value] extends [Property]
  ? unknown
  : { readonly "the field's type must take": Value };

/** The part of a TC39 field's context that matters: a `set` that is a function property is checked strictly. */
export interface FieldContext<Value> {
  readonly kind: "field";
  readonly name: string;
  readonly static: false;
  readonly private: false;
  readonly access: { readonly set: (object: never, value: Value) => void };
  readonly metadata: object | undefined;
}

/** The decorator of a kind. */
export function fieldDecorator<Value>(type: FieldType<Value>): FieldDecorator<Value> {
  const decorate = (target: unknown, place: unknown, descriptor?: unknown): void =>
    note(target, place, descriptor, { label: type.label, change: (field) => void field.types.push(type) });
  return Object.assign(decorate, { [fieldTypeKey]: type }) as FieldDecorator<Value>;
}

/** A decorator that changes a field of any kind. */
export function fieldModifier<Value>(label: string, change: (field: FieldNote) => void): FieldModifier<Value> {
  const decorate = (target: unknown, place: unknown, descriptor?: unknown): void =>
    note(target, place, descriptor, { label, change });
  return Object.assign(decorate, { [modifierKey]: label }) as FieldModifier<Value>;
}

interface Change {
  readonly label: string;
  readonly change: (field: FieldNote) => void;
}

/** What both decorator systems say of what is decorated. */
interface Decorated {
  /** The class, or its metadata. */
  readonly holder: object;
  readonly key: unknown;
  /** What it is, where it is no instance field. */
  readonly fault: string | undefined;
}

function note(target: unknown, place: unknown, descriptor: unknown, { label, change }: Change): void {
  const { holder, key, fault } = isContext(place)
    ? fromContext(place, label)
    : fromLegacy(target, place, descriptor, label);
  const own = noteOn<DtoNote>(holder, dtoNoteKey, () => ({ fields: new Map(), problems: [], compile: compileDto }));
  if (fault !== undefined || typeof key !== "string") {
    const what = fault ?? "a field whose key is a symbol";
    own.problems.push(`\`${String(key)}\`: ${label} decorates ${what}: it takes instance fields with a name`);
    return;
  }
  let field = own.fields.get(key);
  if (field === undefined) {
    field = { types: [], isOptional: false, isNullable: false };
    own.fields.set(key, field);
  }
  change(field);
}

interface AnyContext {
  readonly kind: string;
  readonly name: unknown;
  readonly static?: boolean;
  readonly private?: boolean;
  readonly metadata?: object;
}

function isContext(place: unknown): place is AnyContext {
  return typeof place === "object" && place !== null && typeof (place as AnyContext).kind === "string";
}

function fromContext(
  { kind, name, static: isStatic, private: isPrivate, metadata }: AnyContext,
  label: string,
): Decorated {
  if (metadata === undefined)
    throw new ToolpostError(
      "tool.schema-unusable",
      `${label} on \`${String(name)}\`: the compiler gives decorators no metadata: use TypeScript 5.2, esbuild 0.21.3 or newer`,
    );
  const faults = [
    kind !== "field" && (kind === "accessor" ? "an accessor" : `a ${kind}`),
    isStatic === true && "a static field",
    isPrivate === true && "a private field",
  ];
  return { holder: metadata, key: name, fault: faults.find((fault) => fault !== false) };
}

function fromLegacy(target: unknown, key: unknown, descriptor: unknown, label: string): Decorated {
  if (typeof target === "function")
    return { holder: target, key, fault: key === undefined ? "a class" : "a static field" };
  const holder: unknown = (target as { constructor?: unknown } | null | undefined)?.constructor;
  if (typeof holder !== "function" || key === undefined)
    throw new ToolpostError(
      "tool.schema-unusable",
      `${label} was called with \`${showValue(target)}\`: write it before a field of a class`,
    );
  return { holder, key, fault: isMethod(descriptor) ? "a method or accessor" : undefined };
}

/** Some compilers give fields a descriptor too, one with an initialiser. */
function isMethod(descriptor: unknown): boolean {
  if (typeof descriptor !== "object" || descriptor === null) return false;
  const { value, get, set } = descriptor as PropertyDescriptor;
  return typeof value === "function" || get !== undefined || set !== undefined;
}
