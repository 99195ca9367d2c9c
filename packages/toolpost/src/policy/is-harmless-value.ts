// Whether what stands behind a name like `password` or `token` is plainly no secret: a type, a placeholder, a
// reference, code or prose. In doubt it is a secret: a word hidden too much is a nuisance, one shown is a leak.

import { secretMark } from "./secret-mark.ts";

/** A value as it stands in its text. */
export interface FieldValue {
  /** The name in front of it, as far as it tells that this is a secret. */
  readonly name: string;
  readonly value: string;
  /** `quoted`; `joined` as in `key=value`; `loose` as in `key: value`, `key = value`, `--key value`. */
  readonly form: "quoted" | "joined" | "loose";
  /** The few characters that follow. */
  readonly next: string;
}

/** Passwords are made up by people and may be words; tokens and keys are made by machines and are none. */
export function isPasswordName(name: string): boolean {
  return /^pass|^pwd/i.test(name);
}

export function isHarmlessValue(field: FieldValue): boolean {
  const { name, value, form } = field;
  if (value === "" || value.startsWith(secretMark) && !/\w/.test(value.slice(secretMark.length))) return true;
  if (isReference(value) || /^(?:[*•…]+|x{3,}|\.{3,}|-+)$/i.test(value)) return true;
  if (typeWord.test(value)) return true;
  // Shells have their working directory in `PWD`.
  if (/pwd$/i.test(name) && /^(?:[/~]|[A-Za-z]:\\)/.test(value)) return true;
  if (/^auth/i.test(name) && authScheme.test(value)) return true;
  if (!isPasswordName(name) && (value.length === 1 || filePath.test(value))) return true;
  return form !== "quoted" && isHarmlessWord(field);
}

/** Whether the text only names where the value comes from: `${TOKEN}`, `$TOKEN`, `{{token}}`, `<token>`, `%s`. */
export function isReference(value: string): boolean {
  return reference.test(value);
}

const reference =
  /^(?:\$\{[^}]*\}?|\$\(.*|\$[A-Z_][A-Z0-9_]*|\{\{.*|\{[\w.]*\}|<[A-Za-z][\w -]*>?|%[sdv]|%[A-Z_][A-Z0-9_]*%)[^\w]*$/s;
const typeWord =
  /^(?:string|str|text|varchar|number|int|integer|bool|boolean|object|array|bytes|any|unknown|null|none|nil|undefined|true|false|required|optional|redacted|masked|hidden|n\/a)(?:[?[<|({].*|[^\w]*)$/is;
const authScheme = /^(?:bearer|basic|token|api-?key|key|bot|digest|negotiate|ntlm|hawk|aws4-hmac-sha256)\b/i;
const filePath = /^[\w.~/\\-]+\.(?:pem|key|crt|p8|p12|pfx|json|txt|ya?ml|env)$/i;

function isHarmlessWord({ name, value, form, next }: FieldValue): boolean {
  if (/^[-+]?\d+(?:\.\d+)?$/.test(value)) return value.length < (isPasswordName(name) ? 4 : 6);
  if (call.test(value) || knownPath.test(value)) return true;
  if (form === "joined") return false;
  // Brackets, block marks of YAML, and the like.
  if (/^[[{(&!]|^[^A-Za-z0-9]{1,3}$/.test(value)) return true;
  if (variable.test(value) && /^ ?[,;)}|=]/.test(next)) return true;
  return isProse(name, value, next);
}

const call = /^[A-Za-z_$]+(?:(?:\.|\?\.|::|->)[A-Za-z_$]+)*[([]/;
const knownPath =
  /^(?:this|self|process|os|env|req|request|ctx|context|config|settings|options|opts|props|params|args|secrets|vars?)(?:\.|\?\.|->)[A-Za-z_$]/;
/** `accessToken`, `user_password`: a name with an inner boundary before or after a word such as these. */
const variable = /^[A-Za-z_$.]*(?:[a-z](?:Password|Secret|Token|Key)|(?:[Pp]assword|[Ss]ecret|[Tt]oken|[Kk]ey)[A-Z]|_(?:password|secret|token|key)\b)[A-Za-z_$.]*$/;

function isProse(name: string, value: string, next: string): boolean {
  const word = /^[("']?([A-Z]?[a-z]+(?:['’][a-z]+)?|[A-Z]+)[.,:;!?)\]}"']*$/.exec(value)?.[1]?.toLowerCase();
  if (word === undefined) return false;
  return commonWords.has(word) || (!isPasswordName(name) && /^ \(?[A-Za-z]/.test(next));
}

const commonWords: ReadonlySet<string> = new Set(
  `a an the this that these it its is are was were be been has have had do does did not no yes or and but if when
  at by for from in into of on to with without as than then so your my our their his her you we they i
  must should shall can cannot could may might will would minimum min maximum max length size least
  required optional invalid incorrect wrong missing expired unexpected too only any all some each new old
  click see use using enter type choose set get go visit ask please contact change changed reset updated
  await async function return typeof input output default value example same empty blank field
  include same-origin omit`.split(/\s+/),
);
