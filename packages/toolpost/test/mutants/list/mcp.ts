// Breaks of the MCP source: what a server gets to see, what it is believed, when a call is sent again, how it ends.
import type { Mutant } from "../lib/mutant.ts";

const folder = "src/sources/mcp";

export const mcp: readonly Mutant[] = [
  {
    guarantee: "A server sees only what it was given and a short list of the host's environment.",
    file: `${folder}/child-environment.ts`,
    find: "return { ...environment, ...given };",
    replace: "return { ...(host as Record<string, string>), ...environment, ...given };",
    test: [`${folder}/child-environment.test.ts`, `${folder}/mcp-source.test.ts`],
  },
  {
    guarantee: "A list of tools whose cursor never moves is an error, not an endless listing.",
    file: `${folder}/tool-pages.ts`,
    find: "if (seen.has(nextCursor))",
    replace: "if (entries.length < 0)",
    test: `${folder}/tool-pages.test.ts`,
  },
  {
    guarantee: "A hint of a server that nobody trusts loosens nothing.",
    file: `${folder}/mcp-tool.ts`,
    find: "trust || (tightening.has(key) && value)",
    replace: "trust || value",
    test: `${folder}/mcp-tool.test.ts`,
  },
  {
    guarantee: "A tool without an object at the root of its input is set aside, and the others are offered.",
    file: `${folder}/mcp-tool.ts`,
    find: 'if (schema.type !== "object") return',
    replace: 'if (typeof schema.type === "number") return',
    test: `${folder}/tool-list.test.ts`,
  },
  {
    guarantee:
      "A call that a dying server may have run is sent again only where a trusted server says that is harmless.",
    file: `${folder}/mcp-source.ts`,
    find: "error.wasDelivered && !isRepeatable(tool)",
    replace: "isSecond && !isRepeatable(tool)",
    test: `${folder}/server-life.test.ts`,
  },
  {
    guarantee: "A result that is an image alone keeps the image.",
    file: `${folder}/call-output.ts`,
    find: 'case "image":',
    replace: 'case "picture":',
    test: `${folder}/call-output.test.ts`,
  },
  {
    guarantee: "An error that a server reports is an error.",
    file: `${folder}/call-output.ts`,
    find: "const isError = result.isError === true;",
    replace: "const isError = result.isError === undefined;",
    test: `${folder}/call-output.test.ts`,
  },
  {
    guarantee: "Structured content that does not fit its declared schema is an error, not a value.",
    file: `${folder}/structured-output.ts`,
    find: "if (!validation.ok) throw new InvalidOutputError(validation.issues);",
    replace: "",
    test: `${folder}/mcp-source.test.ts`,
  },
  {
    guarantee: "Cancelling a call reaches the server.",
    file: `${folder}/mcp-connection.ts`,
    find: "...(signal && { signal }),",
    replace: "",
    test: `${folder}/mcp-source.test.ts`,
  },
  {
    guarantee: "A progress that comes with its call's result is not lost.",
    file: `${folder}/stdio-transport.ts`,
    find: "await undefined;",
    replace: "",
    test: `${folder}/mcp-source.test.ts`,
  },
  {
    guarantee: "After a server announced other tools they are listed anew.",
    file: `${folder}/mcp-connection.ts`,
    find: "() => options.onToolsChanged()",
    replace: "() => undefined",
    test: `${folder}/mcp-source.test.ts`,
  },
  {
    guarantee: "Closing ends what the server started, not only what we did.",
    file: `${folder}/stdio-transport.ts`,
    find: "process.kill(-this.#child!.pid!, name);",
    replace: "process.kill(this.#child!.pid!, name);",
    test: `${folder}/server-life.test.ts`,
  },
  {
    guarantee: "A server that failed shows the last lines of its standard error.",
    file: `${folder}/kept-server.ts`,
    find: "stderr.push(text);",
    replace: "",
    test: `${folder}/server-life.test.ts`,
  },
  {
    guarantee: "A variable that is not set fails its server, by name.",
    file: `${folder}/mcp-server-config.ts`,
    find: "if (missing.length === 0 || isDisabled)",
    replace: "if (missing.length >= 0 || isDisabled)",
    test: [`${folder}/mcp-config.test.ts`, `${folder}/mcp-sources.test.ts`],
  },
  {
    guarantee: "A misspelt filter or bound in a configuration is a problem, not a filter that is lost.",
    file: `${folder}/mcp-server-config.ts`,
    find: "keys.refuseOthers(elsewhere, harmless);",
    replace: "",
    test: `${folder}/mcp-config.test.ts`,
  },
];
