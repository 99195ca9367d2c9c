import assert from "node:assert/strict";
import { test } from "node:test";
import { floorVerdict } from "./approval-floor.ts";

const refund = { name: "refund_card", tags: ["billing", "money"] };

test("a floor asks for tools it names and for tools with one of its tags", () => {
  assert.equal(floorVerdict({ names: ["refund_card"] }, refund), "needs-approval");
  assert.equal(floorVerdict({ tags: ["money"] }, refund), "needs-approval");
  assert.equal(floorVerdict({ names: ["other"], tags: ["money"] }, refund), "needs-approval");
});

test("a floor has no opinion on other tools", () => {
  assert.equal(floorVerdict({}, refund), undefined);
  assert.equal(floorVerdict({ names: ["refund"], tags: ["bill"] }, refund), undefined);
  assert.equal(floorVerdict({ names: ["billing"], tags: ["refund_card"] }, refund), undefined);
  assert.equal(floorVerdict({ tags: ["billing"] }, { name: "list_orders" }), undefined);
});
