// A DTO class as a compiled schema, its JSON Schema and validator made when first needed.
// It must not throw for a value, whatever its getters, or the class's constructor, do.

import type { CompiledSchema, DtoClass, JsonSchema, Validate } from "../../core/schema.ts";
import { toSchemaIssues } from "../json-schema/finding-issues.ts";
import { lazyValidate } from "../lazy-validate.ts";
import type { SchemaDirection } from "../library-json-schema.ts";
import { unvalidated } from "../schema-issues.ts";
import { classSchema } from "./class-schema.ts";
import { planClass } from "./plan-class.ts";
import { Report, refused } from "./report.ts";

/** Reading its `jsonSchema` throws `ToolpostError` (`tool.schema-unusable`) for a class that cannot be used. */
export function compileDto(type: DtoClass, direction: SchemaDirection): CompiledSchema {
  return new DtoSchema(type, direction);
}

class DtoSchema implements CompiledSchema {
  readonly #type: DtoClass;
  readonly #direction: SchemaDirection;
  #jsonSchema: JsonSchema | undefined = undefined;
  readonly validate: Validate;

  constructor(type: DtoClass, direction: SchemaDirection) {
    this.#type = type;
    this.#direction = direction;
    this.validate = lazyValidate(() => dtoValidator(type, direction));
  }

  get jsonSchema(): JsonSchema {
    this.#jsonSchema ??= classSchema(planClass(this.#type), this.#direction);
    return this.#jsonSchema;
  }
}

function dtoValidator(type: DtoClass, direction: SchemaDirection): Validate {
  const { read } = planClass(type);
  const isNative = direction === "output";
  return (value) => {
    const report = new Report(isNative);
    try {
      const kept = read(value, report);
      return kept === refused ? { ok: false, issues: toSchemaIssues(report.findings) } : { ok: true, value: kept };
    } catch (error) {
      return unvalidated(error);
    }
  };
}
