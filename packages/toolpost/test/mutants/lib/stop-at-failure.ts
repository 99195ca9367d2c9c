// A test reporter that ends the process with the first test that fails: one is enough to notice a mutant.
import type { TestEvent } from "node:test/reporters";

// biome-ignore lint/style/noDefaultExport: that is where node:test looks for a reporter
export default async function* stopAtFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== "test:fail") continue;
    yield `${event.data.name}: ${String(event.data.details.error.cause ?? event.data.details.error)}\n`;
    process.exit(1);
  }
}
