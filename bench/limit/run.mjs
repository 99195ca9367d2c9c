// Measures Toolpost against the limit, a loop written by hand: each scenario in several processes, medians and spread.
// `npm run limit --workspace toolpost-bench [-- --only a,b] [--processes 5] [--json] [--write]`; `--write` puts the
// figures in `RESULTS.md`.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { measured } from "./measured.mjs";
import { checkLimit } from "./pin.mjs";
import { resultsPage, table } from "./results-page.mjs";
import { scenarios } from "./scenarios.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    processes: { type: "string", default: "5" },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});

checkLimit();
const rows = [];
for (const letter of values.only?.split(",") ?? Object.keys(scenarios)) {
  if (!Object.hasOwn(scenarios, letter)) {
    throw new Error(`there is no scenario \`${letter}\`; there are ${Object.keys(scenarios).join(", ")}`);
  }
  for (const seam of scenarios[letter].seams) {
    const row = measured(letter, seam, { processes: Number(values.processes) });
    rows.push(row);
    if (!values.json) console.log(table([row]));
  }
}
if (values.json) console.log(JSON.stringify(rows, null, 2));
if (values.write) {
  writeFileSync(new URL("../RESULTS.md", import.meta.url), resultsPage(rows, { processes: values.processes }));
}
