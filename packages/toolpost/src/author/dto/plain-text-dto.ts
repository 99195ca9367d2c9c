// The DTO class of one text, for tools that take or give nothing else.
// Its decorator is called by hand: this source runs as it is, and Node has no decorators.

import { TextField } from "./text-field.ts";

/** One field, `text`. */
export class PlainTextDto {
  text!: string;
}

TextField({ prompt: "the text" })(PlainTextDto.prototype, "text");
