// The `ts` blocks of a Markdown page, each with the line it stands on.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface CodeBlock {
  /** Relative to the workspace: `docs/tools.md`. */
  readonly page: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
  /** What follows `ts` on the fence. */
  readonly flags: readonly string[];
  readonly code: string;
}

export function readCodeBlocks(workspace: string, page: string): CodeBlock[] {
  return codeBlocksOf(page, readFileSync(join(workspace, page), "utf8"));
}

export function codeBlocksOf(page: string, markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, indent = "", fence, info = ""] = /^( *)(`{3,}|~{3,})([^`]*)$/.exec(lines[at] ?? "") ?? [];
    if (fence === undefined) continue;
    const start = at;
    do at++;
    while (at < lines.length && !isClosing(lines[at] ?? "", fence));
    const [language, ...flags] = info.trim().split(/\s+/);
    if (language !== "ts" && language !== "typescript") continue;
    const code = lines.slice(start + 1, at).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    blocks.push({ page, line: start + 1, flags, code: `${code.join("\n")}\n` });
  }
  return blocks;
}

/** The block as a file whose line numbers are those of the page, so that errors point into it. */
export function asSourceFile(block: CodeBlock): string {
  return "\n".repeat(block.line) + block.code;
}

function isClosing(line: string, fence: string): boolean {
  const text = line.trim();
  return text.startsWith(fence) && text.replaceAll(fence.charAt(0), "") === "";
}
