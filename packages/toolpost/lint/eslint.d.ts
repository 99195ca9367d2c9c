// The types of the plugin, written out so that they need no package: ESLint's own take them.
// What a rule gets and gives is ESLint's matter, and nobody else calls it.

interface Rule {
  readonly meta: {
    readonly type: "problem";
    readonly docs: { readonly description: string };
    readonly messages: Record<string, string>;
    readonly schema: [];
  };
  create(context: object): Record<string, () => void>;
}

interface Config {
  readonly name: string;
  readonly plugins: Record<string, Plugin>;
  readonly rules: Record<string, "error">;
}

interface Plugin {
  readonly meta: { readonly name: string; readonly namespace: string };
  readonly rules: Record<"replayable-flows", Rule>;
  readonly configs: Record<"recommended", Config>;
}

/** `[toolpost.configs.recommended]` in an `eslint.config.js` switches `toolpost/replayable-flows` on. */
declare const plugin: Plugin;
// biome-ignore lint/style/noDefaultExport: that is where linters look for a plugin
export default plugin;
