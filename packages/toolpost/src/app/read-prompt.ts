// Reads an agent's prompt: text as it is, Markdown files joined by an empty line.
// Files are looked for where the agent is defined, never where the process happens to run.

import type { AssembledAgent } from "../agent/define-agent.ts";
import { ToolpostError } from "../core/errors.ts";

/** The prompt's text; `undefined` for an agent without one. Throws `config.not-found` with the file's path. */
export function readPrompt({
  name,
  prompt,
  definedIn,
}: Pick<AssembledAgent, "name" | "prompt" | "definedIn">): string | undefined {
  if (prompt === undefined || typeof prompt === "string") return prompt;
  return prompt.files.map((file) => readText(fileUrl(file, definedIn), name)).join("\n\n");
}

function fileUrl(file: string | URL, definedIn: string | undefined): URL {
  if (file instanceof URL) return file;
  const url = process.getBuiltinModule("node:url");
  return new URL(file, definedIn ?? url.pathToFileURL(`${process.cwd()}/`));
}

function readText(file: URL, agent: string): string {
  try {
    return process
      .getBuiltinModule("node:fs")
      .readFileSync(file, "utf8")
      .replace(/^\uFEFF/, "")
      .trim();
  } catch (cause) {
    throw new ToolpostError("config.not-found", `agent \`${agent}\`: the prompt file \`${file.href}\` cannot be read`, {
      cause,
    });
  }
}
