// Names of tools on the wire: what every provider takes, and what an illegal name becomes.
// It must not rename anything by itself: author reports what it says, catalog makes aliases of it.

/** The longest tool name that all providers take, in characters. */
export const longestName = 64;

/** True for 1 to 64 characters of `[a-zA-Z0-9_-]`. */
export function isLegalName(name: string): boolean {
  return legal.test(name);
}

/** The name with one `_` in place of each character (code point) outside `[a-zA-Z0-9_-]`; its length is not judged. */
export function sanitizeName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/gu, "_");
}

const legal: RegExp = /^[a-zA-Z0-9_-]{1,64}$/;
