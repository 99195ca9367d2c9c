// Of alternatives that all fail, the findings of the one that was meant: the one whose kind fits the value.
// Where none does, one finding says what each would have taken.

import type { Finding } from "./describe-error.ts";
import { kindOf } from "./kinds.ts";
import type { LocatedError } from "./locate-error.ts";

/**
 * @param error the `anyOf` or `oneOf`
 * @param failed findings of each alternative that failed, none for a `false`; of `oneOf` several may have fitted instead
 * @param got what the value is called
 */
export function chooseAlternative(
  { keyword, node, path, value }: LocatedError,
  failed: readonly (readonly Finding[])[],
  got: string = kindOf(value),
): readonly Finding[] {
  const total = Array.isArray(node[keyword]) ? (node[keyword] as unknown[]).length : failed.length;
  if (total - failed.length > 1) {
    const message = `fits ${total - failed.length} of the alternatives, expected exactly one`;
    return [{ kind: "other", path, expected: [], got: "", message }];
  }
  const depth = path.length;
  const possible = failed.filter((findings) => findings.length > 0);
  const meant = possible.filter((findings) => !findings.some((finding) => tellsApart(finding, depth)));
  if (meant.length > 0) return fewest(meant);
  const isOfKind = (finding: Finding): boolean => finding.path.length > depth || !tellsApart(finding, depth);
  const ofKind = possible.filter((findings) => findings.every(isOfKind));
  // Objects of the right kind, told apart by a constant that none has.
  if (ofKind.length > 0) return joined(ofKind, depth + 1) ?? fewest(ofKind);
  return joined(possible, depth, got) ?? fewest(possible);
}

/** A wrong type of the value itself, or a wrong constant of it or right below it. */
function tellsApart({ kind, path }: Finding, depth: number): boolean {
  return (kind === "type" && path.length === depth) || (kind === "value" && path.length <= depth + 1);
}

function fewest(alternatives: readonly (readonly Finding[])[]): readonly Finding[] {
  return alternatives.reduce(
    (best, findings) => (findings.length < best.length ? findings : best),
    alternatives[0] ?? [],
  );
}

/** One finding for all, if each has one at the same place. Types and constants join to types. */
function joined(
  alternatives: readonly (readonly Finding[])[],
  depth: number,
  got = "",
): readonly Finding[] | undefined {
  const telling = alternatives.map((findings) =>
    findings.find(({ kind, path }) => kind !== "other" && path.length === depth),
  );
  const [first] = telling;
  if (first === undefined || !telling.every((finding) => finding?.path.at(-1) === first.path.at(-1))) return undefined;
  const kind = telling.every((finding) => finding?.kind === "value") ? "value" : "type";
  return [{ ...first, kind, got, expected: [...new Set(telling.flatMap((finding) => finding?.expected ?? []))] }];
}
