// Breaks of what operators read.
import type { Mutant } from "../lib/mutant.ts";

export const observe: readonly Mutant[] = [
  {
    guarantee: "log lines hold no secrets",
    file: "src/observe/console-log.ts",
    find: "(text) => redact(text, true)",
    replace: "(text) => text",
    test: "src/observe/console-log.test.ts",
  },
  {
    guarantee: "what could not be masked is not logged",
    file: "src/observe/console-log.ts",
    find: 'return "[an entry that could not be masked]";',
    replace: "return entry.message;",
    test: "src/observe/console-log.test.ts",
  },
  {
    guarantee: "a log entry is one line and moves no cursor",
    file: "src/observe/console-log.ts",
    find: 'visible(maskedText(entry, redact, level === "debug"))',
    replace: 'maskedText(entry, redact, level === "debug")',
    test: "src/observe/console-log.test.ts",
  },
  {
    guarantee: "what keeps failing is logged once",
    file: "src/observe/once-log.ts",
    find: "else objects.add(key);",
    replace: "",
    test: "src/observe/once-log.test.ts",
  },
];
