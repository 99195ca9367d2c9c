// The parser that ESLint reads TypeScript with. It needs a compiler older than the workspace's, so both stand in a member of
// their own and are loaded from there.
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Linter } from "eslint";
import { workspace } from "./run-command.ts";

const member = join(workspace, "packages/typescript-parser/package.json");

export const typescriptParser: Linter.Parser = createRequire(member)("@typescript-eslint/parser");
