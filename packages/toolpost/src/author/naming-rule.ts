// The application's naming rule: what a name has to look like beyond being legal.
// It must not rename anything: it says the name to use.

import type { Problem } from "../core/errors.ts";

/** `kebab-tool`: kebab-case ending in `-tool`; `snake_case`; `any`: whatever is legal. */
export type NamingRule = "kebab-tool" | "snake_case" | "any";

/**
 * A `name.kind-suffix` problem where a name breaks the rule; its message says the name to use.
 * @param place where the name stands, for example `@Tool` or `defineTool`.
 */
export function checkNamingRule(rule: NamingRule, name: string, place: string): Problem | undefined {
  if (rule === "any") return undefined;
  const wanted = rule === "snake_case" ? toWords(name).join("_") : toKebabTool(name);
  if (wanted === name || wanted === "") return undefined;
  return { code: "name.kind-suffix", message: `"${name}" on ${place}: name it "${wanted}"` };
}

function toKebabTool(name: string): string {
  const words = toWords(name);
  if (words.length === 0) return "";
  return (words.at(-1) === "tool" && words.length > 1 ? words : [...words, "tool"]).join("-");
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
