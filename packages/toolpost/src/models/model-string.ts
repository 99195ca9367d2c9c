// What can be told of a model string without opening it: whether it names a provider, and what that reads.
// Looked at when an application is put together, so it must not need what opens models.

import type { EnvironmentName } from "../core/environment.ts";
import type { Dialect } from "../core/model.ts";
import type { WireKind } from "./wire-kind.ts";
import { dialects } from "./wire-kind.ts";

/** What a model string begins with. */
export type ProviderPrefix = "openai" | "anthropic" | "google" | "ollama" | "openai-compatible" | "scripted";

/** Whether a text begins as a model string does; what it names may still be missing. */
export function isModelString(name: string): boolean {
  const separator = name.indexOf(":");
  return (
    separator > 0 && Object.hasOwn(environments, name.slice(0, separator)) && name.slice(separator + 1).trim() !== ""
  );
}

/** The variables that the provider a string names reads; none for a string that names no provider. */
export function modelEnvironment(name: string): readonly EnvironmentName[] {
  const prefix = name.slice(0, Math.max(name.indexOf(":"), 0));
  return Object.hasOwn(environments, prefix) ? environments[prefix as ProviderPrefix] : [];
}

/** How the model a string names takes schemas; `undefined` for one that takes them as they are. */
export function modelDialect(name: string): Dialect | undefined {
  const prefix = name.slice(0, Math.max(name.indexOf(":"), 0));
  return Object.hasOwn(wires, prefix) ? dialects[wires[prefix]!] : undefined;
}

const wires: Readonly<Record<string, WireKind>> = {
  openai: "responses",
  anthropic: "anthropic",
  google: "gemini",
  ollama: "chat",
  "openai-compatible": "chat",
};

const needed = (name: string): EnvironmentName => ({ name, hasDefault: false });
const optional = (name: string): EnvironmentName => ({ name, hasDefault: true });

const environments: Readonly<Record<ProviderPrefix, readonly EnvironmentName[]>> = {
  openai: [needed("OPENAI_API_KEY"), optional("OPENAI_BASE_URL")],
  anthropic: [needed("ANTHROPIC_API_KEY"), optional("ANTHROPIC_BASE_URL")],
  google: [needed("GOOGLE_GENERATIVE_AI_API_KEY")],
  ollama: [optional("OLLAMA_HOST")],
  "openai-compatible": [optional("OPENAI_COMPATIBLE_API_KEY")],
  scripted: [],
};
