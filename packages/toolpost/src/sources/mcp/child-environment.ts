// What of this process's environment a server gets to see: a short list that programs cannot do without.
// A server is foreign code. Keys and tokens of the host reach it only when its configuration gives them.

type Environment = Readonly<Record<string, string | undefined>>;

/** The whole environment of a server: the inherited names of `host`, and over them what its configuration gives. */
export function childEnvironment(given: Readonly<Record<string, string>>, host: Environment): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of process.platform === "win32" ? windowsNames : posixNames) {
    const value = host[name];
    // A value that starts so is a shell function some shells would run.
    if (value !== undefined && !value.startsWith("()")) environment[name] = value;
  }
  return { ...environment, ...given };
}

const posixNames: readonly string[] = ["PATH", "HOME", "LANG", "TMPDIR", "USER", "SHELL", "TERM"];

/** Without these, programs on Windows find neither their libraries nor a place for files. */
const windowsNames: readonly string[] = [
  "APPDATA",
  "COMSPEC",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "PATH",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
];
