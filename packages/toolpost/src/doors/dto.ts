// The door `toolpost/dto`: classes that are schema, validator and type in one.
// Its names are what is written before fields, so `Number` here is the decorator.

export type { ChoiceEnum, ChoiceValue } from "../author/dto/choice-field.ts";
export { ChoiceField as Choice } from "../author/dto/choice-field.ts";
export type { FieldDecorator, FieldModifier } from "../author/dto/field-decorator.ts";
export type { FieldOptions, ItemType, ItemValue } from "../author/dto/field-type.ts";
export { FlagField as Flag } from "../author/dto/flag-field.ts";
export type { ListOptions } from "../author/dto/list-field.ts";
export { ListField as ListOf } from "../author/dto/list-field.ts";
export { MapField as MapOf } from "../author/dto/map-field.ts";
export type { MomentOptions } from "../author/dto/moment-field.ts";
export { MomentField as Moment } from "../author/dto/moment-field.ts";
export { NestedField as Nested } from "../author/dto/nested-field.ts";
export type { NumberOptions } from "../author/dto/number-field.ts";
export { IntegerField as Integer, NumberField as Number } from "../author/dto/number-field.ts";
export { OneOfField as OneOf } from "../author/dto/one-of-field.ts";
export { NullableField as Nullable, OptionalField as Optional } from "../author/dto/optional-field.ts";
export { PlainTextDto } from "../author/dto/plain-text-dto.ts";
export type { TextFormat, TextOptions } from "../author/dto/text-field.ts";
export { TextField as Text } from "../author/dto/text-field.ts";
export type { DtoClass } from "../core/schema.ts";
