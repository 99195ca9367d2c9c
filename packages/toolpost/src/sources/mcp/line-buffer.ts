// Whole lines out of the chunks of a stream. The client package's buffer copies all it holds at each chunk, which takes
// seconds for a file of some megabytes; here a line is put together once.

/** Splits at line feeds. Holds at most `limit` bytes of a line that is not whole yet. */
export class LineBuffer {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * The lines that the chunk makes whole, without their line feeds.
   * @throws RangeError when a line is longer than the limit; the buffer is of no use then
   */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(Buffer.concat(this.#chunks).toString("utf8"));
      this.clear();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  clear(): void {
    this.#chunks = [];
    this.#size = 0;
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#limit) throw new RangeError(`a line is longer than ${this.#limit} bytes`);
    this.#chunks.push(part);
  }
}

const lineFeed = 0x0a;
