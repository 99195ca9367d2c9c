// What every source file keeps to: its length, its header, its names, what it may export.
// Each rule is a function from a file to what is wrong with it, so that the list below is the whole of the rules.
import { basename } from "node:path";
import type { SourceFile, SourceTree } from "./source-tree.ts";

const maxLines = 500;
const bannedWords = "Manager|Service|Helper|Util|Base|Impl|Common|Shared";

/** Where `any` stands on purpose: path to how often. */
export const anyAllowed: Readonly<Record<string, number>> = {};

export interface FileRuleOptions {
  readonly anyAllowed?: Readonly<Record<string, number>>;
}

export function fileViolations(tree: SourceTree, options: FileRuleOptions = {}): string[] {
  const allowed = options.anyAllowed ?? anyAllowed;
  const rules = [length, header, fileName, exportedNames, exportShape, reExports, doorContent, anyCount(allowed)];
  const unknown = Object.keys(allowed).filter((path) => !tree.files.some((file) => file.path === path));
  return [
    ...tree.files.flatMap((file) => rules.flatMap((rule) => rule(file).map((why) => `${file.path}: ${why}`))),
    ...unknown.map((path) => `${path}: the allow list names it, and there is no such file`),
  ];
}

function length({ text }: SourceFile): string[] {
  const lines = text.trimEnd().split("\n").length;
  return lines > maxLines ? [`has ${lines} lines, ${maxLines} are the limit`] : [];
}

function header({ text, isTest }: SourceFile): string[] {
  if (isTest) return [];
  const comment = /^(?:\/\/[^\n]*\n)+|^\/\*[\s\S]*?\*\/\n/.exec(`${text}\n`)?.[0].trimEnd();
  const lines = comment?.split("\n").length ?? 0;
  return lines < 2 || lines > 6
    ? [`starts with a comment of 2 to 6 lines that says what it is for, not of ${lines}`]
    : [];
}

function fileName({ path }: SourceFile): string[] {
  const folders = path.split("/").slice(0, -1);
  const stem = basename(path).replace(/(?:\.test|\.test-d)?\.[cm]?tsx?$/, "");
  const names = [...folders, stem];
  const words = new RegExp(`^(?:${bannedWords})s?(?:-|$)|(?:^|-)(?:${bannedWords})s?$`, "i");
  return [
    ...names.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)).map((name) => `\`${name}\` is not kebab-case`),
    ...names.filter((name) => words.test(name)).map((name) => `\`${name}\` says nothing of what it holds`),
  ];
}

function exportedNames({ code, isTest }: SourceFile): string[] {
  if (isTest) return [];
  const words = new RegExp(`^(?:${bannedWords})(?![a-z])|(?:${bannedWords})s?$`);
  return namesOf(code)
    .filter((name) => words.test(name))
    .map((name) => `exports \`${name}\`, a name that says nothing of what it is`);
}

function exportShape({ code }: SourceFile): string[] {
  return [
    ...(/(?<![\w$.])export\s+default\b|\bas\s+default\b/.test(code) ? ["has a default export"] : []),
    ...(/(?<![\w$.])export\s*(?:type\s*)?\*/.test(code) ? ["has an `export *`"] : []),
  ];
}

function reExports({ path, imports, isTest }: SourceFile): string[] {
  if (isTest || path.startsWith("doors/")) return [];
  return imports
    .filter((found) => found.reExport && found.target !== undefined)
    .map((found) => `passes ${found.specifier} on; only doors do that`);
}

function doorContent({ path, code, isTest }: SourceFile): string[] {
  if (isTest || !path.startsWith("doors/")) return [];
  const rest = code.replace(/\bexport\s*(?:type\s*)?\{[^{}]*\}\s*from\s*["'][^"']*["']\s*;?/g, "").trim();
  return rest === "" ? [] : [`holds more than lists of exports: ${rest.split("\n")[0]}`];
}

function anyCount(allowed: Readonly<Record<string, number>>): (file: SourceFile) => string[] {
  return ({ path, code, isTest }) => {
    if (isTest) return [];
    const count = [...code.matchAll(/(?<![\w$.])any(?![\w$]|\s*[:(])/g)].length;
    const limit = allowed[path] ?? 0;
    if (count === limit) return [];
    return [`says \`any\` ${count} times, ${limit} are allowed; \`unknown\` says the same and checks it`];
  };
}

function namesOf(code: string): string[] {
  const declared = code.matchAll(
    /(?<![\w$.])export\s+(?:declare\s+|abstract\s+|async\s+)*(?:function\s*\*?|class|interface|type|enum|const|let|var)\s+([\w$]+)/g,
  );
  const listed = code.matchAll(/(?<![\w$.])export\s*(?:type\s*)?\{([^{}]*)\}/g);
  return [
    ...[...declared].map(([, name = ""]) => name),
    ...[...listed].flatMap(([, names = ""]) => names.split(",").map((name) => name.trim().split(/\s+/).at(-1) ?? "")),
  ];
}
