// The command behind `npm run mutants`: `--shard 1/4` runs every fourth mutant, `--only text` those whose guarantee or
// file holds the text. Ends with `N passed, N failed`; a mutant passes when a test noticed it.
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Mutant } from "./lib/mutant.ts";
import { runMutants } from "./lib/run-mutants.ts";
import { readMutants } from "./list.ts";

const { values } = parseArgs({
  options: { shard: { type: "string", default: "1/1" }, only: { type: "string", default: "" } },
});
const chosen = (await readMutants()).filter(inShard(values.shard)).filter(holds(values.only));
const verdicts = await runMutants(chosen, {
  packageRoot: join(import.meta.dirname, "../.."),
  onVerdict(mutant, verdict) {
    if (verdict.outcome === "killed") return;
    console.log(`${verdict.outcome}: ${mutant.guarantee}`);
    console.log(`  ${mutant.file}: ${JSON.stringify(mutant.find)} -> ${JSON.stringify(mutant.replace)}`);
    console.log(`  ${verdict.why.replaceAll("\n", "\n  ")}\n`);
  },
});

const passed = verdicts.filter(({ outcome }) => outcome === "killed").length;
console.log(`${passed} passed, ${chosen.length - passed} failed`);
process.exitCode = passed === chosen.length && passed > 0 ? 0 : 1;

function inShard(shard: string): (mutant: Mutant, index: number) => boolean {
  const [, part, parts] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(shard) ?? [];
  if (Number.isNaN(Number(part)) || Number(part) > Number(parts)) {
    console.error(`--shard is \`${shard}\`; it must be like \`1/4\`, from \`1/4\` to \`4/4\``);
    process.exit(2);
  }
  return (_, index) => index % Number(parts) === Number(part) - 1;
}

function holds(text: string): (mutant: Mutant) => boolean {
  return ({ guarantee, file }) => `${guarantee}\n${file}`.toLowerCase().includes(text.toLowerCase());
}
