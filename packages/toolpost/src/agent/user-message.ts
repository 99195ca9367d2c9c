// What a person says, as a message of the history: what no provider can be sent is refused here.
// It stands alone, as a run is given it before anything that runs is loaded.

import { ToolpostError } from "../core/errors.ts";
import type { FilePart, Message, TextPart } from "../core/message.ts";
import { isContentPart } from "../core/result.ts";
import { wellFormed } from "../std/text.ts";

/** What a run is started with. */
export type UserContent = string | readonly (TextPart | FilePart)[];

/** The user's message. Throws `run.invalid-input`: what no provider can be sent must not get into a thread. */
export function userMessage(content: UserContent): Message {
  if (typeof content === "string") {
    if (content.trim() === "") throw invalidMessage("the message is empty");
    return { role: "user", content: [{ type: "text", text: wellFormed(content) }] };
  }
  if (!Array.isArray(content) || content.length === 0) {
    throw invalidMessage("`message` must be a text or a list of text and file parts");
  }
  return { role: "user", content: content.map(userPart) };
}

function userPart(part: TextPart | FilePart, index: number): TextPart | FilePart {
  if (!isContentPart(part)) {
    throw invalidMessage(
      `\`message[${index}]\` must be \`{ type: "text", text }\` or \`{ type: "file", mediaType, data }\`, where \`data\` is \`{ type: "data", data: base64 }\` or \`{ type: "url", url }\` with an absolute URL`,
    );
  }
  return part.type === "text" ? { ...part, text: wellFormed(part.text) } : part;
}

function invalidMessage(message: string): ToolpostError {
  return new ToolpostError("run.invalid-input", message);
}
