// Every problem that putting an application together finds, as lines of its error.
import assert from "node:assert/strict";
import { type AppOptions, AssemblyError, createApp } from "../../../src/doors/index.ts";

/** `[code] message`, one for each problem; none where the application could be made. */
export function assemblyProblems(options: AppOptions): string[] {
  try {
    createApp(options);
    return [];
  } catch (error) {
    assert.ok(error instanceof AssemblyError, String(error));
    return error.message.split("\n");
  }
}
