// Loads the configuration a command works with: an app, a toolkit, or the options for one of them.
// The module runs in this process, TypeScript as `typescript/` loads it. Apps and toolkits are told by their shape, as the
// project may have another copy of the package than the command.

import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { AppOptions } from "../app/app-options.ts";
import type { App } from "../app/create-app.ts";
import type { Toolkit } from "../app/toolkit.ts";
import { ToolpostError } from "../core/errors.ts";
import { closestName } from "../std/closest-name.ts";
import { isPromiseLike } from "../std/soon.ts";
import type { CommandCall } from "./command.ts";
import { didYouMean, listed } from "./command-line.ts";
import { configFailure } from "./config-failure.ts";
import { findConfig } from "./find-config.ts";
import { untilInterrupted } from "./interrupt.ts";
import { registerTypescript } from "./typescript/register-hooks.ts";

/** `file`: as messages name it. */
export type LoadedConfig =
  | { readonly kind: "app"; readonly app: App; readonly file: string }
  | { readonly kind: "toolkit"; readonly toolkit: Toolkit; readonly file: string }
  | { readonly kind: "options"; readonly options: AppOptions; readonly file: string };

/** Throws `config.not-found`, `config.syntax` or `config.invalid`; an `AssemblyError` of the module as it is. */
export async function loadConfig({ io, options }: CommandCall): Promise<LoadedConfig> {
  const paths = findConfig(io.cwd, options);
  if (paths.config === undefined)
    return { kind: "options", options: { mcp: paths.mcp! }, file: relativeTo(io.cwd, paths.mcp!) };
  const file = relativeTo(io.cwd, paths.config);
  const loaded = classify(await untilInterrupted(defaultExport(paths.config, file), io.interrupt), file);
  if (loaded.kind === "options") {
    const mcp = paths.isMcpNamed ? paths.mcp : (loaded.options.mcp ?? paths.mcp);
    return { ...loaded, options: mcp === undefined ? loaded.options : { ...loaded.options, mcp } };
  }
  if (!paths.isMcpNamed) return loaded;
  const hint = `Give it \`mcp: "${options.mcp}"\` in \`${file}\`, or export plain options there.`;
  throw new ToolpostError(
    "config.invalid",
    `\`--mcp\` cannot be added to the ${loaded.kind} that \`${file}\` exports`,
    { hint },
  );
}

function relativeTo(cwd: string, path: string): string {
  return relative(cwd, path) || path;
}

async function defaultExport(path: string, file: string): Promise<unknown> {
  const typescript = registerTypescript(path);
  try {
    const loaded = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    // Compiled to CommonJS, the whole of the exports is what Node gives as default.
    const { default: value } = isRecord(loaded.default) && loaded.default.__esModule === true ? loaded.default : loaded;
    return isPromiseLike(value) ? await value : value;
  } catch (error) {
    throw configFailure(error, { path, file, typescript });
  }
}

function classify(value: unknown, file: string): LoadedConfig {
  if (value === undefined) {
    const hint = "Add `export default createApp({ … })`, or the options alone: `export default { tools: [ … ] }`.";
    throw new ToolpostError("config.invalid", `\`${file}\` has no default export`, { hint });
  }
  if (isApp(value)) return { kind: "app", app: value, file };
  if (isToolkit(value)) return { kind: "toolkit", toolkit: value, file };
  checkOptions(value, file);
  return { kind: "options", options: value, file };
}

function isApp(value: unknown): value is App {
  return isRecord(value) && typeof value.run === "function" && Array.isArray(value.agents);
}

function isToolkit(value: unknown): value is Toolkit {
  return isRecord(value) && typeof value.call === "function" && typeof value.tools === "function";
}

function checkOptions(value: unknown, file: string): asserts value is AppOptions {
  const expected = "expected an app (`createApp`), a toolkit (`createToolkit`), or an object with their options";
  if (!isRecord(value) || Array.isArray(value)) {
    throw new ToolpostError("config.invalid", `\`${file}\` exports ${kindOf(value)} by default: ${expected}`);
  }
  const strangers = Object.keys(value).filter((key) => !Object.hasOwn(optionKeys, key));
  const [first] = strangers;
  if (first === undefined) return;
  const nearest = didYouMean(closestName(first, Object.keys(optionKeys)));
  throw new ToolpostError(
    "config.invalid",
    `\`${file}\` exports an object with ${listed(strangers)}${nearest || `: ${expected}`}`,
    {
      hint: `Options are ${listed(Object.keys(optionKeys))}.`,
    },
  );
}

/** Typed, so that a new option cannot be forgotten here. */
const optionKeys: Readonly<Record<keyof AppOptions, true>> = {
  name: true,
  tools: true,
  providers: true,
  agents: true,
  mcp: true,
  sources: true,
  approvals: true,
  rules: true,
  hooks: true,
  mask: true,
  defaults: true,
  artefacts: true,
  log: true,
  clock: true,
  names: true,
  listeners: true,
  threads: true,
  prices: true,
  engine: true,
  version: true,
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "function" ? "a function" : `a ${typeof value}`;
}
