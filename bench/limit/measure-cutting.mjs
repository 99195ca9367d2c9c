// What a result of 50 MB costs beyond measuring it: its size is part of what the model reads, so a look at all of it is
// due; a copy, a scan for secrets or a second look is not. And that its text does not hold on to the whole.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createToolkit, defineTool } from "toolpost";
import { z } from "zod";
import { cpuOf, median } from "./measure-cpu.mjs";

const BYTES = 50 * 1024 * 1024;
const kinds = { ascii: "The quick brown fox jumps. ", cjk: "工具的結果很長。", emoji: "🦊🐻 " };

export async function measureCutting() {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  let whole = "";
  const execute = () => whole;
  const toolkit = await createToolkit({
    tools: [defineTool({ name: "long", description: "Gives a long text", input: z.object({}), execute })],
  });
  const byKind = {};
  let isRetained = false;
  for (const [kind, words] of Object.entries(kinds)) {
    // Through a buffer, so that it is one flat string.
    const make = () => Buffer.from(words.repeat(BYTES / Buffer.byteLength(words))).toString();
    const beyond = [];
    for (let round = 0; round < 7; round++) {
      whole = make();
      collect();
      const measuring = await cpuOf(() => Buffer.byteLength(whole) + Number(whole.isWellFormed()));
      const before = process.memoryUsage().heapUsed + process.memoryUsage().external;
      let kept = "";
      const calling = await cpuOf(async () => {
        kept = (await toolkit.call("long", {})).text;
      });
      whole = "";
      collect();
      const after = process.memoryUsage().heapUsed + process.memoryUsage().external;
      isRetained ||= after > before - BYTES / 2 || kept.length > 200_000;
      beyond.push((calling - measuring) / 1_000);
    }
    byKind[kind] = Math.max(0, median(beyond));
  }
  return { figure: Math.max(...Object.values(byKind)), byKind, isRetained };
}
