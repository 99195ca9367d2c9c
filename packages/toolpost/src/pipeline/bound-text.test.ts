import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { boundText, truncationMarker } from "./bound-text.ts";

const plain = (text: string): string => text;

describe("boundText", () => {
  it("leaves a text that fits as it is and counts its bytes", () => {
    assert.deepEqual(boundText("héllo", 6, plain), { text: "héllo", total: 6, kept: 6, isTruncated: false });
  });

  it("cuts at the bound where there is no white space, and says what was really kept", () => {
    assert.deepEqual(boundText("x".repeat(20_000), 1_000, plain), {
      text: `${"x".repeat(1_000)}\n[result truncated: 20,000 bytes, the first 1,000 kept]`,
      total: 20_000,
      kept: 1_000,
      isTruncated: true,
    });
  });

  it("counts raw bytes in the total and masked ones in what is kept", () => {
    const shorten = (text: string): string => text.replaceAll("secret", "*");
    assert.deepEqual(boundText("secret", 3, shorten), { text: "*", total: 6, kept: 1, isTruncated: false });
    const long = `${"secret".repeat(10)}${"y".repeat(5_000)}`;
    assert.deepEqual(boundText(long, 20, shorten), {
      text: `**********yyyyyyyyyy${truncationMarker(5_060, 20)}`,
      total: 5_060,
      kept: 20,
      isTruncated: true,
    });
  });

  it("hands the mask the bound and a window, and tells it whether that is all", () => {
    const seen: [number, boolean][] = [];
    const spy = (text: string, isComplete: boolean): string => {
      seen.push([text.length, isComplete]);
      return text;
    };
    boundText("x".repeat(100), 1_000, spy);
    boundText("x".repeat(5_000), 1_000, spy);
    boundText("x".repeat(1_000_000), 1_000, spy);
    assert.deepEqual(seen, [
      [100, true],
      [5_000, true],
      [5_096, false],
    ]);
  });

  it("holds on to nothing of what it cut from, whatever the mask matched or left", () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const masks = [
      plain,
      (text: string): string => (/b+/.test(text) ? text : ""),
      (text: string): string => text.slice(0, 500),
      (text: string): string => text.replace(/a+/, "[secret]"),
    ];
    const kept: string[] = [];
    // A function of its own, so that no register of this one holds the source.
    const bound = (mask: (text: string) => string): void => {
      kept.push(boundText(`ab${"ab".repeat(20_000_000)}`, 1_000, mask).text);
    };
    collect();
    const before = process.memoryUsage().heapUsed;
    for (const mask of masks) {
      bound(mask);
      collect();
      assert.ok(process.memoryUsage().heapUsed - before < 20_000_000, mask.toString());
    }
    assert.equal(kept.length, 4);
  });

  it("lets a throw of the mask through, so that the caller can refuse", () => {
    assert.throws(
      () =>
        boundText("x", 10, () => {
          throw new Error("no");
        }),
      /no/,
    );
  });
});
