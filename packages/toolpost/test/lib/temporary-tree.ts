// Folders in the temporary directory that are gone when the test or its file ends; the pins are proven on trees in them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, type TestContext } from "node:test";

/** An empty folder for as long as the test file runs, or the test given. */
export function temporaryFolder(t?: TestContext): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolpost-")));
  const remove = () => rmSync(root, { recursive: true, force: true });
  if (t) t.after(remove);
  else after(remove);
  return root;
}

/** A folder that holds the files, path to text. */
export function temporaryTree(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder(t);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
