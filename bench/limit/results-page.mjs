// Figures as people read them: a line for each, and the page `RESULTS.md` with the machine they were measured on.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, totalmem } from "node:os";

export function table(rows) {
  return rows.map((row) => `| ${cells(row).join(" | ")} |`).join("\n");
}

export function resultsPage(rows, { processes }) {
  const zod = createRequire(import.meta.url)("zod/package.json").version;
  const [{ model }] = cpus();
  return `# What governance costs

The cost of Toolpost, with policy, approval check, deadline, abort, size bound, secret masking and one listener on, against
a loop written by hand over the same model object, schema library and seam (\`limit/hand-written-loop.mjs\`, its text pinned).
Ratios of CPU time unless the line says otherwise: median and quartiles over ${processes} processes.

| | scenario | seam | figure | spread | gate | aim | reached |
| --- | --- | --- | --- | --- | --- | --- | --- |
${table(rows)}

${details(rows)}

${readFileSync(new URL("causes.md", import.meta.url), "utf8").trim()}

Measured by \`npm run limit --workspace toolpost-bench -- --write\` with Node ${process.version}, zod ${zod}, on ${cpus().length} × ${model},
${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}.
`;
}

function cells({ letter, what, seam, median, low, high, gate, aim }) {
  const reached = median <= aim ? "aim" : median <= gate ? "gate" : "no";
  return [letter, what, seam, median.toFixed(2), `${low.toFixed(2)}-${high.toFixed(2)}`, gate, aim, reached];
}

function details(rows) {
  const one = (letter) => rows.find((row) => row.letter === letter)?.runs[0];
  const lines = [];
  const [g, h, i] = [one("g"), one("h"), one("i")];
  if (g !== undefined)
    lines.push(
      `g: the first run is the whole of it, from an empty process to the result, import included; the import alone ${g.importMs.toFixed(1)} ms (at most 10, aim 5).`,
    );
  if (h !== undefined) lines.push(`h: the first run among 1,000 tools ${h.firstMs.toFixed(1)} ms of CPU.`);
  if (i !== undefined) {
    const kinds = Object.entries(i.byKind).map(([kind, ms]) => `${kind} ${ms.toFixed(2)} ms`);
    lines.push(`i: ${kinds.join(", ")}; the whole text ${i.isRetained ? "is" : "is not"} retained.`);
  }
  return lines.map((line) => `- ${line}`).join("\n");
}
