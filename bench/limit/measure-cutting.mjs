// What a result of 50 MB costs beyond measuring it: its size is part of what the model reads, so a look at all of it is
// due; a copy, a scan for secrets or a second look is not. And that its text does not hold on to the whole.
// Measuring takes ten times as long as cutting may, so both are done several times over for one figure, in turns; no
// collection is forced between them: it throws away compiled code, and would measure the compiler.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createToolkit, defineTool } from "toolpost";
import { z } from "zod";
import { cpuPerRepeat, median, warmUp } from "./measure-cpu.mjs";

const BYTES = 50 * 1024 * 1024;
const SHORT_BYTES = 256 * 1024;
const CUTS = 4;
const ROUNDS = 25;
const kinds = { ascii: "The quick brown fox jumps. ", cjk: "工具的結果很長。", emoji: "🦊🐻 " };

export async function measureCutting() {
  let whole = "";
  const toolkit = await createToolkit({
    tools: [defineTool({ name: "long", description: "Gives a long text", input: z.object({}), execute: () => whole })],
  });
  const cut = async () => (await toolkit.call("long", {})).text;
  const measure = () => Buffer.byteLength(whole) + Number(whole.isWellFormed());
  // As everywhere else, what is measured is compiled code: texts that are cut alike, but short.
  for (const words of Object.values(kinds)) {
    whole = flat(words, SHORT_BYTES);
    await warmUp([cut, measure], { times: 50, ms: 700 });
  }
  const byKind = {};
  let isRetained = false;
  for (const [kind, words] of Object.entries(kinds)) {
    whole = flat(words, BYTES);
    byKind[kind] = Math.max(0, await beyond(cut, measure));
    whole = "";
    isRetained ||= await retains(async () => {
      whole = flat(words, BYTES);
      const kept = await cut();
      whole = "";
      return kept;
    });
  }
  return { figure: Math.max(...Object.values(byKind)), byKind, isRetained };
}

/** One flat string, as it comes out of a buffer. */
function flat(words, bytes) {
  return Buffer.from(words.repeat(bytes / Buffer.byteLength(words))).toString();
}

/** Milliseconds of CPU that one costs above the other. */
async function beyond(cut, measure) {
  for (const work of [cut, measure]) await cpuPerRepeat(work, 2 * CUTS);
  const differences = [];
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? [cut, measure] : [measure, cut];
    const cost = new Map();
    for (const work of order) cost.set(work, await cpuPerRepeat(work, CUTS));
    differences.push((cost.get(cut) - cost.get(measure)) / 1_000);
  }
  return median(differences);
}

/** Whether what `work` gives holds on to most of what it was cut from. */
async function retains(work) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const memory = async () => {
    for (let round = 0; round < 4; round++) {
      collect();
      await new Promise(setImmediate);
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = await memory();
  const kept = await work();
  return (await memory()) > before + BYTES / 2 || kept.length > 200_000;
}
