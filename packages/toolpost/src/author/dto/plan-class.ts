// Plans a DTO class and all it refers to: notes of decorators become fields that can be read and shown.
// All mistakes of all these classes are told at once, each with its class and field; then nothing is kept.

import { ToolpostError } from "../../core/errors.ts";
import type { DtoClass } from "../../core/schema.ts";
import { showValue } from "../show-value.ts";
import { classReader } from "./class-reader.ts";
import type { DtoNote, FieldNote } from "./dto-note.ts";
import { dtoName, dtoNotes } from "./dto-note.ts";
import { planFallback } from "./field-fallback.ts";
import type { ClassPlan, FieldPlan, FieldType, PlannedField, PlanWork, Read } from "./field-type.ts";
import { fieldTypeKey } from "./field-type.ts";
import { constructTwice, own, writeFault } from "./first-instances.ts";
import { carriesType, itemClass } from "./item-class.ts";
import { markPlain } from "./plain-mark.ts";
import { planNested } from "./plan-nested.ts";
import { refused } from "./report.ts";

/** The plan of a class, the same each time. Throws `ToolpostError` (`tool.schema-unusable`) that tells all mistakes. */
export function planClass(type: DtoClass): ClassPlan {
  const kept = plans.get(type);
  if (kept !== undefined) return kept;
  const session: Session = { plans: new Map(), problems: [] };
  const plan = planIn(session, type);
  // What follows asks classes that are whole.
  if (session.problems.length === 0) findEndless(session);
  if (session.problems.length === 0) for (const each of session.plans.values()) planFallbacks(session, each);
  if (session.problems.length > 0) throw new ToolpostError("tool.schema-unusable", session.problems.join("; "));
  for (const each of session.plans.values()) {
    markPlain(each.type);
    plans.set(each.type, each);
  }
  return plan;
}

const plans: WeakMap<object, DraftPlan> = new WeakMap();

interface Session {
  readonly plans: Map<DtoClass, DraftPlan>;
  readonly problems: string[];
}

type DraftField = PlannedField & { shown: PlannedField["shown"] };

class DraftPlan implements ClassPlan {
  readonly type: DtoClass;
  readonly name: string;
  fields: DraftField[] = [];
  /** Classes whose values its own hold directly. */
  readonly holds: Set<DraftPlan> = new Set();
  #recurs: boolean | undefined;
  #read: Read | undefined;

  constructor(type: DtoClass) {
    this.type = type;
    this.name = dtoName(type) || "a class without a name";
  }

  get recurs(): boolean {
    this.#recurs ??= reaches(this, this, new Set());
    return this.#recurs;
  }

  get read(): Read {
    this.#read ??= classReader(this);
    return this.#read;
  }
}

function reaches(from: DraftPlan, target: DraftPlan, seen: Set<DraftPlan>): boolean {
  return [...from.holds].some((held) => {
    if (held === target) return true;
    if (seen.has(held)) return false;
    seen.add(held);
    return reaches(held, target, seen);
  });
}

function planIn(session: Session, type: DtoClass): DraftPlan {
  const known = plans.get(type) ?? session.plans.get(type);
  if (known !== undefined) return known;
  const plan = new DraftPlan(type);
  session.plans.set(type, plan);
  const notes = dtoNotes(type);
  const problem = (message: string): void => void session.problems.push(message);
  for (const note of notes) for (const message of note.problems) problem(`\`${plan.name}\`: ${message}`);
  const fields = mergedFields(notes);
  if (fields.size === 0 && notes.every((note) => note.problems.length === 0))
    problem(
      `the class \`${plan.name}\` has no decorated fields: decorate its fields with @Text() and the like from toolpost/dto`,
    );
  const [first, second] = constructTwice(plan, problem);
  for (const [key, note] of fields) {
    const work = workOf(session, plan, key);
    const field = planField(key, note, work);
    if (field === undefined) continue;
    const given = field.options.default;
    const initial = given ?? own(first, key);
    const fault = writeFault(first, key);
    if (fault !== undefined) work.problem(fault);
    plan.fields.push({
      ...field,
      key,
      isRequired: !note.isOptional && initial === undefined,
      isOptional: note.isOptional,
      isNullable: note.isNullable,
      fallback: given,
      initial,
      second: own(second, key),
      shown: undefined,
    });
  }
  return plan;
}

/** Fields of parents first; a child's field of the same name stands in the place of its parent's. */
function mergedFields(notes: readonly DtoNote[]): ReadonlyMap<string, FieldNote> {
  const fields = new Map<string, FieldNote>();
  for (const note of notes) for (const [key, field] of note.fields) fields.set(key, field);
  return fields;
}

function planField(
  key: string,
  { types, isOptional, isNullable }: FieldNote,
  work: PlanWork,
): (FieldPlan & Pick<PlannedField, "options">) | undefined {
  const [type] = types;
  if (type === undefined) {
    const label = isOptional || !isNullable ? "@Optional()" : "@Nullable()";
    work.problem(`has ${label} and no kind: add @Text() or the like`);
    return undefined;
  }
  if (types.length > 1) {
    work.problem(`has two kinds, ${types.map(({ label }) => label).join(" and ")}: keep one of them`);
    return undefined;
  }
  if (key === "__proto__") {
    work.problem("this name has a meaning of its own in JavaScript: rename the field");
    return undefined;
  }
  checkOptions(type, work);
  return { ...type.plan(work), options: type.options };
}

function checkOptions({ options, label }: FieldType, work: PlanWork): void {
  if (options.prompt !== undefined && typeof options.prompt !== "string")
    work.problem(`${label}: \`prompt\` is \`${showValue(options.prompt)}\`, expected the description the model reads`);
}

function workOf(session: Session, plan: DraftPlan, key: string): PlanWork {
  const work: PlanWork = {
    problem: (message) => void session.problems.push(`\`${plan.name}.${key}\`: ${message}`),
    item: (item, label) => {
      if (carriesType(item)) {
        const type = item[fieldTypeKey];
        checkOptions(type, work);
        if (type.options.default !== undefined)
          work.problem(`${type.label} in ${label} has a \`default\`, which only fields take: remove it`);
        return described(type.plan(work), type.options.prompt);
      }
      const type = itemClass(item, label, work);
      if (type === undefined) return nothing;
      const nested = planIn(session, type);
      plan.holds.add(nested);
      return planNested(nested);
    },
  };
  return work;
}

function described(plan: FieldPlan, prompt: string | undefined): FieldPlan {
  if (prompt === undefined) return plan;
  return { ...plan, schema: (writer) => ({ ...plan.schema(writer), description: prompt }) };
}

/** What stands for an item that cannot be planned; never used, as its problem is told. */
const nothing: FieldPlan = { read: () => refused, schema: () => ({ not: {} }), canEnd: () => true };

/** A class that needs a value of itself has no finite value. */
function findEndless({ plans: drafts, problems }: Session): void {
  // What was planned before was found to end then.
  const held = [...drafts.values()].flatMap((plan) => [...plan.holds]);
  const ending = new Set<object>(held.filter(({ type }) => plans.has(type)));
  const isEnding = (plan: ClassPlan): boolean =>
    plan.fields.every((field) => canBeLeftOut(field) || field.canEnd(ending));
  for (let before = -1; before < ending.size; ) {
    before = ending.size;
    for (const plan of drafts.values()) if (isEnding(plan)) ending.add(plan);
  }
  for (const plan of drafts.values()) {
    const field = plan.fields.find((each) => !canBeLeftOut(each) && !each.canEnd(ending));
    if (!ending.has(plan) && field !== undefined)
      problems.push(
        `\`${plan.name}.${field.key}\`: every value needs another one in it, without end: make it @Optional() or a list`,
      );
  }
}

function canBeLeftOut({ isRequired, isNullable }: PlannedField): boolean {
  return !isRequired || isNullable;
}

function planFallbacks(session: Session, plan: DraftPlan): void {
  for (const field of plan.fields) field.shown = planFallback(field, workOf(session, plan, field.key));
}
