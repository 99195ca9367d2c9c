// The version of the package this command is part of, from its own package.json.
// It must not fail: a version is asked for when something is wrong already.

import { readFileSync } from "node:fs";

/** The package.json stands one folder up from the built command, two from its source. */
export function packageVersion(): string {
  for (const place of ["../package.json", "../../package.json"]) {
    const manifest = readManifest(new URL(place, import.meta.url));
    if (manifest?.name === "toolpost" && manifest.version !== undefined) return manifest.version;
  }
  return "unknown";
}

function readManifest(url: URL): { readonly name?: string; readonly version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(url, "utf8"));
  } catch {
    return undefined;
  }
}
