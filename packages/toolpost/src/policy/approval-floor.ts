// Calls that a person approves whatever their policies say, by tool name or tag.
// A floor lifts an allow to needs-approval; it never denies and never loosens anything.

import type { ApprovalFloor } from "../core/govern.ts";
import type { Verdict } from "../core/policy.ts";
import type { AnyTool } from "../core/tool.ts";

/** `needs-approval` where the floor names the tool or one of its tags, else no opinion. Names and tags match whole. */
export function floorVerdict(floor: ApprovalFloor, tool: Pick<AnyTool, "name" | "tags">): Verdict | undefined {
  const isNamed = floor.names?.includes(tool.name) === true;
  const isTagged = floor.tags !== undefined && tool.tags?.some((tag) => floor.tags?.includes(tag)) === true;
  return isNamed || isTagged ? "needs-approval" : undefined;
}
