// Reads a value into an instance of its class, field by field. The hot path of validation: it allocates the instance
// and next to nothing else as long as the value is good.
// It must take own properties only, and not keep any that is no field.

import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";
import { readFallback } from "./field-fallback.ts";
import type { ClassPlan, PlannedField, Read } from "./field-type.ts";
import { oddKind } from "./object-kind.ts";
import type { Report } from "./report.ts";
import { refused } from "./report.ts";
import type { Sure } from "./sure.ts";
import { isSure, nothingSure } from "./sure.ts";

export function classReader({ type, fields, recurs }: ClassPlan): Read {
  const slots = fields.map((field) => new Slot(field));
  const read: Read = (value, report) => {
    if (!isRecord(value)) return report.refuseObject(value);
    if (!isSurelyPlain(value) && isOdd(value, report)) return report.refuseObject(value);
    const start = report.count;
    const instance = new type() as Instance;
    let reading: Reading | undefined;
    let next = 0;
    // While keys come in the order of the fields they are walked, which is much faster than to look each one up.
    for (const key in value) {
      const slot = slots[next];
      if (slot === undefined || slot.key !== key) break;
      next++;
      const given = value[key];
      if (isSure(slot.sure, given)) instance[key] = given;
      else (reading ??= new Reading(instance, report)).take(slot, given);
    }
    // Inherited keys come last: if the last one walked is the value's own, all are. Else nothing read so far counts.
    if (next > 0 && !hasOwn.call(value, slots[next - 1]!.key)) {
      report.takeFrom(start);
      return readByName(value, report);
    }
    if (next < slots.length) {
      reading ??= new Reading(instance, report);
      while (next < slots.length) reading.look(slots[next++]!, value);
    }
    return reading === undefined || reading.isGood ? instance : refused;
  };
  // An instance of the class itself is good whatever it extends.
  const isOdd = (value: object, report: Report): boolean =>
    oddKind(value, report.isNative) !== undefined && !(value instanceof type);
  const readByName = (value: JsonSchema, report: Report): unknown => {
    const reading = new Reading(new type() as Instance, report);
    for (const slot of slots) reading.look(slot, value);
    return reading.isGood ? reading.instance : refused;
  };
  return recurs ? bounded(read) : read;
}

const { hasOwnProperty: hasOwn } = Object.prototype;

/** Asking for the prototype costs a quarter of reading a small object; this is read in no time, and false says nothing. */
function isSurelyPlain(value: { readonly constructor?: unknown }): boolean {
  return value.constructor === Object;
}

type Instance = Record<string, unknown>;

/** A field as it is read. One shape for all, which is read fastest. */
class Slot {
  readonly key: string;
  readonly sure: Sure;
  readonly read: Read;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly field: PlannedField;

  constructor(field: PlannedField) {
    this.key = field.key;
    this.sure = field.sure ?? nothingSure;
    this.read = field.read;
    this.isRequired = field.isRequired;
    this.isNullable = field.isNullable;
    this.field = field;
  }
}

/** One value on its way into an instance. */
class Reading {
  readonly instance: Instance;
  readonly report: Report;
  isGood: boolean;
  /** Findings from here on are of the field that is read next. */
  mark: number;

  constructor(instance: Instance, report: Report) {
    this.instance = instance;
    this.report = report;
    this.isGood = true;
    this.mark = report.count;
  }

  /** Reads what the value itself has for a field. */
  look(slot: Slot, value: JsonSchema): void {
    const given = hasOwn.call(value, slot.key) ? value[slot.key] : undefined;
    if (isSure(slot.sure, given)) this.instance[slot.key] = given;
    else this.take(slot, given);
  }

  take(slot: Slot, given: unknown): void {
    const { instance, report } = this;
    const kept = given === undefined || given === null ? readNone(slot, given, this) : slot.read(given, report);
    if (kept !== refused) {
      instance[slot.key] = kept;
      return;
    }
    this.isGood = false;
    report.within(slot.key, this.mark);
    this.mark = report.count;
  }
}

function readNone(slot: Slot, given: undefined | null, { instance, report }: Reading): unknown {
  if (given === null && slot.isNullable) return null;
  // Models write null for what they leave out.
  if (!slot.isRequired) {
    // What the class itself gives. Own, as a prototype has values too.
    const own = hasOwn.call(instance, slot.key) ? instance[slot.key] : undefined;
    return isSure(slot.sure, own) && slot.field.fallback === undefined ? own : readFallback(slot.field, own, report);
  }
  return given === undefined ? report.say("required") : slot.read(given, report);
}

/** Values of classes that recur can be as deep as their author likes, or lie within themselves. */
function bounded(read: Read): Read {
  return (value, report) => {
    report.enter();
    const kept = read(value, report);
    report.leave();
    return kept;
  };
}
