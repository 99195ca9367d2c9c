// Tells what a provider or its specification cannot be given, and what was sent instead.
// It must not tell the same twice: a warning comes with every request that has the same cause.

/** Takes the warnings of each reply; `tell` hears each once, and must not throw. */
export function warningTeller(tell: (warning: string) => void): (warnings: readonly string[]) => void {
  const told = new Set<string>();
  return (warnings) => {
    for (const warning of warnings) {
      if (told.has(warning) || told.size >= mostWarnings) continue;
      told.add(warning);
      tell(warning);
    }
  };
}

/** A provider may put changing text into its warnings; an application lives long. */
const mostWarnings = 256;
