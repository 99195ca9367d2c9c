// Private keys in PEM, OpenSSH, PGP and SSH2 armour (RFC 7468, RFC 4716), also URL-encoded or inside JSON.
// A block that is opened and not closed is secret to the end of the text: nothing tells where its key stops.

import type { Redact } from "../core/govern.ts";
import { once } from "../std/once.ts";
import { secretMark } from "./secret-mark.ts";

export const maskKeyBlocks: Redact = (text) => (text.includes("PRIVATE") ? text.replace(keyBlock(), secretMark) : text);

const title = String.raw`[A-Z0-9 +%]{1,50}?PRIVATE[0-9 +%]{1,3}KEY`;
const keyBlock = once(
  () => new RegExp(String.raw`-{4,5} ?BEGIN${title}[^]*?(?:-{4,5} ?END${title}[A-Z0-9 +%]{0,12}-{4,5}|$)`, "g"),
);
