// Files in tool results, as far as an API takes them there: kept, told as text, moved into a message that follows, or left
// out with a word in their place. A file that an API refuses would make every later request of the conversation fail.
// It must not lose one in silence: what is not sent is told to the model and to operators.

import type { FilePart, TextPart } from "../core/message.ts";
import type { WireKind } from "./wire-kind.ts";

export type ResultContent = readonly (TextPart | FilePart)[];

export interface FittedContent {
  readonly content: ResultContent;
  /** To be shown to the model in a user's message after the results. */
  readonly moved: readonly FilePart[];
}

/**
 * What of a result's content can stand in a result.
 * - `chat`: results are text; images come after the results
 * - `anthropic`: texts, images and PDFs
 * - `responses`: texts, images and documents
 * - `gemini`: one text, then files, none of them linked; a result without a text would be no result for models before
 *   Gemini 3
 */
export function fitContent(content: ResultContent, wire: WireKind, onLoss: (loss: string) => void): FittedContent {
  const moved: FilePart[] = [];
  const fitted = content.map((part): TextPart | FilePart => {
    if (part.type === "text") return part;
    const fate = fates[wire](part);
    if (fate === "keep") return part;
    if (fate === "tell") return { type: "text", text: decoded(part) };
    if (fate === "move") {
      moved.push(part);
      return { type: "text", text: `[file ${moved.length} of this result, ${part.mediaType}: see below]` };
    }
    if (fate === "link") {
      onLoss(
        `a linked file of type \`${part.mediaType}\` in a tool result was sent as its address: the API takes none there`,
      );
      return { type: "text", text: addressOf(part) };
    }
    onLoss(`a file of type \`${part.mediaType}\` in a tool result was not sent: the API takes none there`);
    return { type: "text", text: `[a file of type ${part.mediaType}, which cannot be shown here]` };
  });
  return { content: wire === "gemini" ? oneTextFirst(fitted) : fitted, moved };
}

type Fate = "keep" | "tell" | "link" | "move" | "leave";

const fates: Readonly<Record<WireKind, (file: FilePart) => Fate>> = {
  chat: (file) => (isImage(file) ? "move" : isText(file) ? "tell" : "leave"),
  anthropic: (file) => (isImage(file) || isPdf(file) ? "keep" : isText(file) ? "tell" : "leave"),
  gemini: (file) => (file.data.type === "url" ? "link" : isGeminiFile(file) ? "keep" : isText(file) ? "tell" : "leave"),
  responses: (file) => (isSvg(file) ? "tell" : /^(?:audio|video)\//.test(file.mediaType) ? "leave" : "keep"),
  other: () => "keep",
};

function isImage(file: FilePart): boolean {
  return file.mediaType.startsWith("image/") && !isSvg(file);
}

/** Text to every API, and refused as an image. */
function isSvg({ mediaType, data }: FilePart): boolean {
  return mediaType === "image/svg+xml" && data.type === "data";
}

function isPdf({ mediaType }: FilePart): boolean {
  return mediaType === "application/pdf";
}

/** Source: "Supported MIME types" of the Gemini API's file inputs. */
function isGeminiFile(file: FilePart): boolean {
  return isImage(file) || isPdf(file) || /^(?:audio|video|text)\//.test(file.mediaType);
}

function isText(file: FilePart): boolean {
  const { mediaType, data } = file;
  return isSvg(file) || (data.type === "data" && (mediaType.startsWith("text/") || mediaType === "application/json"));
}

function addressOf({ data }: FilePart): string {
  return data.type === "url" ? data.url : "";
}

function decoded({ data }: FilePart): string {
  return data.type === "data" ? Buffer.from(data.data, "base64").toString() : data.url;
}

function oneTextFirst(content: ResultContent): ResultContent {
  const files = content.filter((part) => part.type === "file");
  const texts = content.flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []));
  const text = texts.join("\n") || `[${files.length === 1 ? "a file" : `${files.length} files`}]`;
  return [{ type: "text", text }, ...files];
}
