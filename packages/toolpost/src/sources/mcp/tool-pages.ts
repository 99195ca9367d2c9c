// All pages of a server's list of tools, unread: what one entry holds is judged one by one later.
// A server decides where its list ends, so it must not be able to keep us reading.

/** Reads one page; the first one without a cursor. */
export type ReadPage = (cursor: string | undefined) => Promise<unknown>;

const mostPages = 1_000;

/**
 * The entries of all pages in the server's order.
 * @throws Error when a page is not a list, a cursor comes twice, or there are more than 1,000 pages
 */
export async function readToolPages(readPage: ReadPage): Promise<unknown[]> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const { tools, nextCursor } = ((await readPage(cursor)) ?? {}) as { tools?: unknown; nextCursor?: unknown };
    if (!Array.isArray(tools)) throw new Error("its answer to tools/list has no list `tools`");
    for (const entry of tools) entries.push(entry);
    if (typeof nextCursor !== "string" || nextCursor === "") return entries;
    if (seen.has(nextCursor)) throw new Error("its list of tools does not end: tools/list gave the same cursor twice");
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  throw new Error(`its list of tools does not end: tools/list gave more than ${mostPages} pages`);
}
