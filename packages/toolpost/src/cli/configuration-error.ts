// An error of Toolpost that a configuration module threw, as `sqlite` throws of a file that it cannot open: what it says
// is kept, with the module before it. Told by its class, as it never leaves this copy of the package.

import { ToolpostError } from "../core/errors.ts";

export class ConfigurationError extends ToolpostError {
  /** @param file as messages name it */
  constructor(file: string, { code, message, hint, data, cause }: ToolpostError) {
    super(code, `\`${file}\`: ${message}`, { data, cause, ...(hint === undefined ? {} : { hint }) });
  }
}
