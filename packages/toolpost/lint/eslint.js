// The door `toolpost/eslint`: a plugin for ESLint's flat configuration, with the rules that only source can be held to.
// Plain JavaScript without dependencies and without a build: ESLint loads it where nothing of Toolpost runs.

import { replayableFlows } from "./replayable-flows.js";

const rules = { "replayable-flows": replayableFlows };
const plugin = { meta: { name: "toolpost", namespace: "toolpost" }, rules, configs: {} };

plugin.configs.recommended = {
  name: "toolpost/recommended",
  plugins: { toolpost: plugin },
  rules: { "toolpost/replayable-flows": "error" },
};

// biome-ignore lint/style/noDefaultExport: that is where linters look for a plugin
export default plugin;
