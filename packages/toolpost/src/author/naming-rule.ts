// The application's naming rule: what a name has to look like beyond being legal.
// It must not rename anything: it says the name to use.

import type { Problem } from "../core/errors.ts";
import { longestName } from "../core/name.ts";

/** `kebab-tool`: kebab-case ending in the kind, as `-tool` and `-agent`; `snake_case`; `any`: whatever is legal. */
export type NamingRule = "kebab-tool" | "snake_case" | "any";

/** What carries a name that people and models read. */
export type ComponentKind = "tool" | "agent" | "channel" | "application";

/** What a name stands on. */
export interface NamedComponent {
  readonly kind: ComponentKind;
  /** As messages say it, for example `@Tool` or `defineTool`. */
  readonly place: string;
}

/**
 * A `name.kind-suffix` problem where a name breaks the rule; its message says the name to use.
 */
export function checkNamingRule(rule: NamingRule, name: string, { kind, place }: NamedComponent): Problem | undefined {
  if (rule === "any") return undefined;
  const wanted = rule === "snake_case" ? toWords(name).join("_") : toKebab(name, kind);
  if (wanted === name) return undefined;
  return { code: "name.kind-suffix", message: `"${name}" on ${place}: ${mendOf(wanted, kind)}` };
}

function mendOf(wanted: string, kind: ComponentKind): string {
  if (wanted === "") return `name it with words, such as "search-${kind}"`;
  if (wanted.length <= longestName) return `name it "${wanted}"`;
  return `"${wanted}" would have ${wanted.length} characters, of ${longestName} at most: shorten it`;
}

function toKebab(name: string, kind: ComponentKind): string {
  const words = toWords(name);
  if (words.length === 0) return "";
  return (words.at(-1) === kind && words.length > 1 ? words : [...words, kind]).join("-");
}

/** Lower-case words of a name in any case: `getHTTPUser`, `get_http_user` and `get http user` alike. */
function toWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^a-zA-Z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}
