// The ES module that an `import` of a CommonJS file of the user gets: the exports of the one instance that `require` gives.
// So a file that is imported here and required there runs once.

import type { CompiledModule } from "./compile-module.ts";

/** Its source. The file itself is loaded when the facade runs, in the order of the imports. */
export function commonjsFacade(path: string, { code, isPlainCommonjs }: CompiledModule): string {
  const { names, stars } = exportsOf(code);
  // Written as an ES module, its default is what it exports by default.
  const whole = isPlainCommonjs ? "exports" : "exports?.__esModule === true ? exports.default : exports";
  return [
    'import { createRequire } from "node:module";',
    ...stars.map((specifier) => `export * from ${specifier};`),
    `const exports = createRequire(import.meta.url)(${JSON.stringify(path)});`,
    `export default ${whole};`,
    ...names.map((name, index) => `const _${index} = exports[${name}];\nexport { _${index} as ${name} };`),
  ].join("\n");
}

/** As JSON texts. esbuild notes them at the end for Node: `0 && (module.exports = { a, ...require("./b") })`. */
function exportsOf(code: string): { readonly names: readonly string[]; readonly stars: readonly string[] } {
  const note = code.slice(code.lastIndexOf("\n0 && (module.exports = {"));
  const body = /^\n0 && \(module\.exports = \{([^}]*)\}\);/.exec(note)?.[1] ?? "";
  const entries = body.split(",").map((entry) => entry.trim());
  const stars = entries.flatMap((entry) => /^\.\.\.require\((".*")\)$/.exec(entry)?.[1] ?? []);
  const names = entries.flatMap((entry) => noted.exec(entry)?.[1] ?? []);
  const quoted = names.map((name) => (name.startsWith('"') ? name : JSON.stringify(name)));
  return { names: quoted.filter((name) => name !== '"default"'), stars };
}

const noted = /^("(?:[^"\\]|\\.)*"|[\p{ID_Start}$_][\p{ID_Continue}$]*)(?:: null)?$/u;
