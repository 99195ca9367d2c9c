// What keeps a class from being constructed, in words: which parameter of which class, and the mend.
// Words only: what is wrong is found by the container.

import type { Problem } from "../../core/errors.ts";
import { channelSettingsOf } from "./channel-decorator.ts";
import type { AnyClass } from "./class-notes.ts";
import { isClass } from "./class-notes.ts";
import { isToken, nameOfDependency } from "./token.ts";

/** Where a dependency is asked for. `chain` are the classes on the way to it, the asking one last. */
export interface AskingPlace {
  readonly index: number;
  readonly chain: readonly AnyClass[];
}

/** @param given how many `deps` names; `undefined` for a class that says nothing of its parameters */
export function depsMissing(type: AnyClass, given: number | undefined): Problem {
  const wanted = type.length;
  const one = wanted === 1;
  const decorator = channelSettingsOf(type).length > 0 ? "@Channel" : "@Tool";
  const has = given === undefined ? `says nothing of ${one ? "it" : "them"}` : `\`deps\` names ${given}`;
  const mend = `name a dependency for ${one ? "it" : "each"} in \`deps\`, of \`${decorator}\` or of \`@Injectable\` from toolpost/decorators`;
  const message = `"${type.name}": its constructor takes ${wanted} parameter${one ? "" : "s"} and ${has}: ${mend}`;
  return { code: "di.invalid-deps", message };
}

export function depsNoList(type: AnyClass): Problem {
  return { code: "di.invalid-deps", message: `"${type.name}": \`deps\` is no list: write \`deps: [ … ]\`` };
}

export function depsTwice(type: AnyClass): Problem {
  const message = `"${type.name}": two decorators give it \`deps\`: keep one of them`;
  return { code: "di.invalid-deps", message };
}

export function noDependency(dependency: unknown, place: AskingPlace): Problem {
  const has = `${placeText(place)}: \`deps\` has ${shown(dependency)} there: `;
  const mend =
    dependency === undefined
      ? "the class is imported in a circle: write `() => TheClass`, or move one of the two to a file of its own"
      : "expected a class, a token, or `() => TheClass` for one that is declared later";
  return { code: "di.invalid-deps", message: has + mend };
}

export function missing(dependency: unknown, place: AskingPlace): Problem {
  const name = nameOfDependency(dependency);
  const mend = isToken(dependency)
    ? `add \`provide(${name}, …)\` to \`providers\``
    : `add a class that extends it to \`providers\`, or decorate it with \`@Injectable()\` if it is to be constructed itself`;
  const { chain } = place;
  const way = chain.length > 1 ? ` (${chain.map((type) => type.name).join(" → ")} → ${name})` : "";
  return {
    code: "di.missing-implementation",
    message: `${placeText(place)} is ${name}, and nothing provides it${way}: ${mend}`,
  };
}

export function ambiguous(dependency: unknown, providers: readonly unknown[], place: AskingPlace): Problem {
  const name = nameOfDependency(dependency);
  const names = providers.map(nameOfProvider);
  const all = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const first = providers.find(isClass);
  const mend =
    first === undefined ? "leave one of them in `providers`" : `choose one, \`provide(${name}, ${first.name})\``;
  const message = `${placeText(place)} is ${name}, and ${all} provide it: ${mend}`;
  return { code: "di.ambiguous-implementation", message };
}

/** @param chain ends with the class it comes back to */
export function circular(chain: readonly AnyClass[]): Problem {
  const circle = chain.slice(chain.indexOf(chain.at(-1)!), -1).map((type) => type.name);
  // From the same class on, wherever the circle was entered, so that it is told of once.
  const first = circle.indexOf([...circle].sort()[0]!);
  const names = [...circle.slice(first), ...circle.slice(0, first + 1)];
  const message = `${names.join(" → ")}: each needs the next to be constructed: take what two of them share into a class of its own`;
  return { code: "di.circular-dependency", message };
}

function placeText({ index, chain }: AskingPlace): string {
  return `parameter ${index + 1} of the constructor of "${chain.at(-1)?.name}"`;
}

function nameOfProvider(provider: unknown): string {
  return isClass(provider) ? provider.name : `an instance of ${(provider as object).constructor.name}`;
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return `\`${value}\``;
  return typeof value === "string" ? `"${value}"` : `a ${typeof value}`;
}
