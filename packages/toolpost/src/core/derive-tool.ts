// A tool that stands for another one with some settings changed: renamed, with a policy, with validators.
// Spreading a tool is not enough: it would convert its schema at once and lose the methods of a class.
// It must not change the tool it is made of.

import type { AnyTool, Tool } from "./tool.ts";

/**
 * A frozen tool with the changes; all else, symbols included, is the original's. Getters stay lazy, and functions run
 * on the original, so those of classes with private fields work. All its properties are its own and enumerable.
 */
export function deriveTool<Changes extends Partial<Tool<never>>>(tool: AnyTool, changes: Changes): AnyTool & Changes {
  const properties: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(changes);
  let holder: object | null = tool;
  while (holder !== null && holder !== Object.prototype) {
    for (const key of Reflect.ownKeys(holder)) {
      if (key === "constructor" || Object.hasOwn(properties, key)) continue;
      properties[key as string] = delegate(tool, key, Object.getOwnPropertyDescriptor(holder, key)!);
    }
    holder = Object.getPrototypeOf(holder);
  }
  return Object.freeze(Object.defineProperties({}, properties)) as AnyTool & Changes;
}

function delegate(tool: AnyTool, key: PropertyKey, { value, get }: PropertyDescriptor): PropertyDescriptor {
  if (get !== undefined) return { enumerable: true, get: () => (tool as unknown as Record<PropertyKey, unknown>)[key] };
  return { enumerable: true, value: typeof value === "function" ? value.bind(tool) : value };
}
