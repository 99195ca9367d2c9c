// What the references of a JSON Schema lead to, within the document: JSON pointers, anchors, `$id`s.
// Sources: JSON Schema core 2020-12, sections 8.2 and 9; RFC 6901. It must not fetch anything.

import type { JsonSchema } from "../../core/schema.ts";
import { isRecord } from "../../std/is-record.ts";

/** What `reference`, standing in the schema `from`, leads to; `undefined` when that is not in the document. */
export type References = (reference: string, from: object) => unknown;

/** Reads the document once. Never throws. */
export function referencesOf(document: unknown): References {
  const marks: Marks = { bases: new Map(), places: new Map([[noBase, document]]) };
  collect(document, marks);
  return (reference, from) => {
    const base = marks.bases.get(from) ?? marks.bases.get(document as object) ?? noBase;
    if (reference.startsWith("#/")) return at(marks.places.get(base), decoded(reference.slice(1)));
    if (!URL.canParse(reference, base)) return undefined;
    const url = new URL(reference, base);
    const fragment = decoded(url.hash.slice(1));
    url.hash = "";
    if (fragment !== "" && !fragment.startsWith("/")) return marks.places.get(`${url.href}#${fragment}`);
    return marks.places.has(url.href) ? at(marks.places.get(url.href), fragment) : undefined;
  };
}

/** The schema that a `$ref` of the form `#/…` leads to. Own properties only. */
export function localTarget(document: unknown, reference: unknown): JsonSchema | undefined {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  const target = at(document, decoded(reference.slice(1)));
  return isRecord(target) ? target : undefined;
}

interface Marks {
  /** Base address of each schema that does not have the document's. */
  readonly bases: Map<object, string>;
  /** By absolute address. */
  readonly places: Map<string, unknown>;
}

/** Reserved by RFC 2606, so that nobody's `$id` is the same. */
const noBase = "https://schema.invalid/";

/** Data, not schemas: an `$id` in there means nothing. */
const data: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

function collect(document: unknown, marks: Marks): void {
  const seen = new Set<unknown>();
  const open: { readonly node: unknown; readonly base: string }[] = [{ node: document, base: noBase }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next;
    if (typeof node !== "object" || node === null || seen.has(node)) continue;
    seen.add(node);
    const base = isRecord(node) ? mark(node, next.base, marks) : next.base;
    for (const [key, part] of Object.entries(node)) if (!data.has(key)) open.push({ node: part, base });
  }
}

/** Notes addresses of the schema; returns its base address. `id` and `$id: "#name"` are older drafts' forms. */
function mark(schema: Readonly<Record<string, unknown>>, outer: string, marks: Marks): string {
  let base = outer;
  for (const id of [schema.$id, schema.id]) {
    if (typeof id !== "string" || !URL.canParse(id, outer)) continue;
    const url = new URL(id, outer);
    if (url.hash.length > 1) marks.places.set(url.href, schema);
    else {
      url.hash = "";
      base = url.href;
      if (!marks.places.has(base)) marks.places.set(base, schema);
      break;
    }
  }
  for (const anchor of [schema.$anchor, schema.$dynamicAnchor]) {
    if (typeof anchor === "string") marks.places.set(`${base}#${anchor}`, schema);
  }
  if (base !== noBase) marks.bases.set(schema, base);
  return base;
}

/** What a JSON pointer leads to. Own properties only. */
function at(document: unknown, pointer: string): unknown {
  let node = document;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
