// Variables of the environment that tools, sources and models read, by name.
// Never their values: what is told of a configuration must be fit for a log.

/** A variable that something reads. */
export interface EnvironmentName {
  readonly name: string;
  /** Whether it may be unset: something stands in for it. */
  readonly hasDefault: boolean;
}

/** Letters, digits and `_`, not beginning with a digit: what every shell and `${NAME}` can name. */
export function isEnvironmentName(name: unknown): boolean {
  return typeof name === "string" && legal.test(name);
}

const legal: RegExp = /^[A-Za-z_][A-Za-z0-9_]*$/;
