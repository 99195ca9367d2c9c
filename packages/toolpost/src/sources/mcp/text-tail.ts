// The end of a stream of text, for saying what a server wrote last before it failed.
// It must not grow with the stream, and must not begin in the middle of a line.

/** Keeps the last `limit` UTF-16 units. */
export class TextTail {
  readonly #limit: number;
  #text = "";
  #isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(text: string): void {
    const whole = this.#text + text;
    this.#isCut ||= whole.length > this.#limit;
    this.#text = whole.slice(-this.#limit);
  }

  /** What is kept, whole lines where something was cut, without white space at its ends. */
  get text(): string {
    const firstBreak = this.#text.indexOf("\n");
    return (this.#isCut && firstBreak !== -1 ? this.#text.slice(firstBreak + 1) : this.#text).trim();
  }
}
