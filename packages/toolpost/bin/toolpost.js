#!/usr/bin/env node
// The command. Node's version is checked first, in syntax that old versions still parse (no static imports, no `?.`, no
// top-level await); only then is the build loaded.
const running = process.versions.node;
const [major, minor] = running.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`toolpost needs Node 22.18 or newer, and this is Node ${running}.`);
  console.error(
    "Install a newer Node (`nvm install 24`), or keep one in the project: `npm install --save-dev node@24`.",
  );
  process.exit(3);
}

const command = new URL("../dist/cli.js", import.meta.url).href;
import(command).catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND" || error.url !== command) throw error;
  console.error("toolpost is not built: `dist/cli.js` is missing. Run `npm run build` in the root of the repository.");
  process.exit(3);
});
