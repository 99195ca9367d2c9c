// What a process pays to start, above an empty process: the import of the root door; and the import with a first run, with a
// tool of raw JSON Schema and no schema library, to its result.
// Starts alternate, and differences are taken in pairs: a busy machine slows all three alike.

import { execFileSync } from "node:child_process";
import { median } from "./measure-cpu.mjs";

const empty = "0;";
const imported = 'await import("toolpost");';
const firstRun = `
const { createApp, defineAgent, defineTool } = await import("toolpost");
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
let turn = 0;
const model = { specificationVersion: "v4", provider: "p", modelId: "m", supportedUrls: {}, doGenerate: async () => ({
  content: turn++ === 0 ? [{ type: "tool-call", toolCallId: "c", toolName: "probe", input: '{"n":1}' }] : [{ type: "text", text: "done" }],
  finishReason: { unified: "stop" }, usage, warnings: [] }), doStream() {} };
const probe = defineTool({ name: "probe", description: "Probes", execute: ({ n }) => n,
  input: { type: "object", properties: { n: { type: "integer" } }, required: ["n"], additionalProperties: false } });
const agent = defineAgent({ name: "a", description: "A", model, tools: [probe] });
const { text } = await createApp({ agents: [agent] }).run(agent, "go", { stream: false });
if (text !== "done") throw new Error(text);`;

/** Milliseconds of CPU, medians over `starts` of each. */
export function measureStartUp(starts) {
  const differences = { imported: [], firstRun: [] };
  for (let start = 0; start < starts; start++) {
    const base = cpuOfProcess(empty);
    differences.imported.push(cpuOfProcess(imported) - base);
    differences.firstRun.push(cpuOfProcess(firstRun) - base);
  }
  return { importMs: median(differences.imported), figure: median(differences.firstRun) };
}

function cpuOfProcess(code) {
  const tell = "const { user, system } = process.cpuUsage(); console.log(user + system);";
  const text = execFileSync(process.execPath, ["--input-type=module", "-e", `${code}\n${tell}`], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  return Number(text) / 1_000;
}
