// What the story writes on the terminal: numbered steps, each a sentence or two, with the processes' own lines below.

let step = 0;

export function write(text: string): void {
  process.stdout.write(text);
}

export function tell(text: string): void {
  write(`\n${++step}. ${text}\n`);
}

/** Rows of a name and a text. */
export function table(rows: readonly (readonly string[])[]): void {
  for (const [name = "", text = ""] of rows) write(`   ${name.padEnd(10)} ${text}\n`);
}
