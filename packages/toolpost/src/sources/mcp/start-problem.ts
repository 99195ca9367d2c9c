// Why a program could not be started, told with the mend: a missing directory, a missing command and a command with its
// arguments written into it are all one error to the system.

export interface StartedProgram {
  readonly command: string;
  readonly cwd: string | undefined;
}

/** The reason in words that follow the server's name. */
export function startProblem(error: unknown, { command, cwd }: StartedProgram): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" && cwd !== undefined && !process.getBuiltinModule("node:fs").existsSync(cwd)) {
    return `its working directory \`${cwd}\` does not exist; correct \`cwd\``;
  }
  const mend = /\s/.test(command.trim()) ? "put what follows the command in `args`" : "install it, or give its path";
  if (code === "ENOENT") return `its command \`${command}\` was not found; ${mend}`;
  if (code === "EACCES") return `its command \`${command}\` may not be executed; check its permissions`;
  return `it could not be started: ${message}`;
}
