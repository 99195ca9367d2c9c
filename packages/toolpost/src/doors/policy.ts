// The door `toolpost/policy`: masks to use or to combine with one's own.
// Rules and policies are plain functions and need no import.

export { combineRedactors } from "../policy/combine-redactors.ts";
export type { PersonalDataKind } from "../policy/mask-personal-data.ts";
export { maskPersonalData } from "../policy/mask-personal-data.ts";
export { maskSecrets } from "../policy/mask-secrets.ts";
