// Identifiers: random ones for things that are made, hashes for things that are to be recognised.
// It must not be asked for random ids inside a replayed flow; those are derived from positions.

/**
 * `prefix` followed by 22 URL-safe characters of 6 random bits each, such as `run_q3…`.
 * The randomness is cryptographic, drawn from the system and written out for some hundred ids at a time.
 */
export function randomId(prefix: string): string {
  if (used + idLength > pool.length) {
    pool = (pool === "" ? firstBytes() : crypto.getRandomValues(Buffer.alloc(poolBytes * 4))).toString("base64url");
    used = 0;
  }
  used += idLength;
  return prefix + pool.slice(used - idLength, used);
}

/** SHA-256 (FIPS 180-4) of the text's UTF-8, as 64 hex digits. A lone surrogate counts as U+FFFD. */
export function sha256Hex(text: string): string {
  hash ??= process.getBuiltinModule("node:crypto").hash;
  return hash("sha256", text, "hex");
}

/**
 * 8 hex digits that tell names apart: FNV-1a over UTF-16 units, then the mixing steps of MurmurHash3.
 * Stable over versions and platforms. Two texts may share one; never use it as proof of equality.
 */
export function shortHash(text: string): string {
  let hash32 = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    hash32 = Math.imul(hash32 ^ (unit & 0xff), 0x01000193);
    hash32 = Math.imul(hash32 ^ (unit >>> 8), 0x01000193);
  }
  hash32 = Math.imul(hash32 ^ (hash32 >>> 16), 0x85ebca6b);
  hash32 = Math.imul(hash32 ^ (hash32 >>> 13), 0xc2b2ae35);
  return ((hash32 ^ (hash32 >>> 16)) >>> 0).toString(16).padStart(8, "0");
}

const idLength = 22;
/** A whole number of ids, and of groups of 3 bytes: 4 characters. */
const poolBytes: number = (idLength * 192 * 3) / 4;

/**
 * From the system's own source where it is a device, as loading `node:crypto` costs more than all else of a first run;
 * from `node:crypto` everywhere else, and later on.
 */
function firstBytes(): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(poolBytes);
  return readDevice("/dev/urandom", bytes) ? bytes : crypto.getRandomValues(bytes);
}

function readDevice(path: string, bytes: Buffer): boolean {
  const fs = process.getBuiltinModule("node:fs");
  let file: number | undefined;
  try {
    file = fs.openSync(path, "r");
    return fs.fstatSync(file).isCharacterDevice() && fs.readSync(file, bytes) === bytes.length;
  } catch {
    return false;
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

// Filled on first use, so that importing this file draws nothing.
let pool = "";
let used = 0;
let hash: ((algorithm: string, data: string, encoding: "hex") => string) | undefined;
