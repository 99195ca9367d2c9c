// The variables of the environment that a configuration refers to, each once, with all that reads it.
// Names only: no value is looked at.

import type { EnvironmentName } from "../core/environment.ts";
import { modelEnvironment } from "../models/model-string.ts";
import type { Description, EnvironmentDescription, EnvironmentReader } from "./description.ts";

/** In the order models, tools, sources. A variable has a default only if none of its readers needs it. */
export function describeEnvironment({
  agents,
  tools,
  sources,
}: Pick<Description, "agents" | "tools" | "sources">): EnvironmentDescription[] {
  const found = new Map<string, { hasDefault: boolean; readers: EnvironmentReader[] }>();
  const note = ({ name, hasDefault }: EnvironmentName, reader: EnvironmentReader): void => {
    const known = found.get(name) ?? { hasDefault: true, readers: [] };
    found.set(name, known);
    known.hasDefault &&= hasDefault;
    if (!known.readers.some(({ kind, name: other }) => kind === reader.kind && other === reader.name))
      known.readers.push(reader);
  };
  for (const { model } of agents)
    for (const variable of modelEnvironment(model)) note(variable, { kind: "model", name: model });
  for (const { name: tool, environment } of [...tools, ...agents.flatMap((agent) => agent.tools)])
    for (const name of environment) note({ name, hasDefault: false }, { kind: "tool", name: tool });
  for (const { name: source, environment } of sources)
    for (const variable of environment) note(variable, { kind: "source", name: source });
  return [...found].map(([name, { hasDefault, readers }]) => ({ name, hasDefault, readers }));
}
