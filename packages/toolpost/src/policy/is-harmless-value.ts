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
  if (value === "") return true;
  if (value.length > maxWord) return false;
  if (value.startsWith(secretMark) && !/\w/.test(value.slice(secretMark.length))) return true;
  if (isReference(value) || typeWord.test(value) || /^x{3,}$/i.test(value)) return true;
  // Shells have their working directory in `PWD`.
  if (/pwd$/i.test(name) && /^(?:[/~]|[A-Za-z]:\\)/.test(value)) return true;
  if (/^auth/i.test(name) && authScheme.test(value)) return true;
  if (!isPasswordName(name) && (value.length === 1 || !/[A-Za-z0-9]/.test(value) || filePath.test(value))) return true;
  return form !== "quoted" && isHarmlessWord(field);
}

/** Whether the text only names where the value comes from (`${TOKEN}`, `$TOKEN`, `{{token}}`, `<token>`), or hides it. */
export function isReference(value: string): boolean {
  return value.length <= maxWord && /[$%{<*•…]|\.{3}/.test(value) && !/\w/.test(value.replace(reference, ""));
}

/** Nothing longer is looked at closely: it is no word of code or prose. */
const maxWord = 256;
const reference =
  /\$\{[^}]*(?:\}|$)|\$\(.*|\$[A-Z_][A-Z0-9_]*|\{\{.*|\{[\w.!]*\}|<[A-Za-z][\w -]*(?:>|$)|%[sdv]|%[A-Z_][A-Z0-9_]*%/gs;
const typeWord =
  /^(?:string|str|text|varchar|number|int|integer|bool|boolean|object|array|bytes|any|unknown|null|none|nil|undefined|true|false|required|optional|redacted|masked|hidden|n\/a|\[(?:redacted|masked|hidden|filtered)\])(?:[?[<|({].*|[^\w]*)$/is;
const authScheme = /^(?:bearer|basic|token|api-?key|key|bot|digest|negotiate|ntlm|hawk|aws4-hmac-sha256)\b/i;
const filePath = /^[\w.~/\\-]+\.(?:pem|key|crt|p8|p12|pfx|json|txt|ya?ml|env)$/i;

function isHarmlessWord({ name, value, form, next }: FieldValue): boolean {
  if (/^[-+]?(?:\d+(?:\.\d+)?|0x[\da-f]+)$/i.test(value)) return value.length < (isPasswordName(name) ? 4 : 6);
  if (call.test(value) || knownPath.test(value) || value.toLowerCase() === name.toLowerCase()) return true;
  if (form === "joined") return false;
  return /^[^A-Za-z0-9]{1,3}$/.test(value) || isIdentifier(name, value, next) || isProse(name, value, next);
}

const call = /^[A-Za-z_$]+(?:(?:\.|\?\.|::|->)[A-Za-z_$]+)*[([]/;
const knownPath =
  /^(?:this|self|process|os|env|req|request|ctx|context|config|settings|options|opts|props|params|args|secrets|vars?)(?:\.|\?\.|->)[A-Za-z_$]/;

/** A variable or type of a program: `accessToken`, `user_password`, `user.password`, `z.ZodString`; for tokens any type. */
function isIdentifier(name: string, value: string, next: string): boolean {
  if (!/^[A-Za-z_$]+(?:\.[A-Za-z_$]+)*$/.test(value)) return false;
  const isPath = value.includes(".");
  if (
    isPath &&
    (/\.[_$]*(?:\w*_)?(?:password|token|secret|key)$/i.test(value) || (!isPasswordName(name) && /[A-Z]/.test(value)))
  )
    return true;
  if (!/^ ?[,;)}\]|&<=]/.test(next)) return false;
  if (variable.test(value) || (isPath && /[A-Z]/.test(value))) return true;
  return !isPasswordName(name) && (isPath || /^I?[A-Z][a-z]+(?:[A-Z][a-z]+)*$/.test(value));
}

/** An inner boundary before or after one of these words. */
const variable =
  /[a-z](?:Password|Secret|Token|Key)|(?:[Pp]assword|[Ss]ecret|[Tt]oken|[Kk]ey)[A-Z]|_(?:password|secret|token|key)\b/;

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
  option options flag flags parameter argument field value example default input output same empty blank
  await async function return typeof include omit`.split(/\s+/),
);
