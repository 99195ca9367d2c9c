// What does not compile under standard decorators alone: legacy ones learn of it when the class is defined. Never run.
import { z } from "zod";
import { Tool } from "../../../src/doors/decorators.ts";

const text = { name: "echo", description: "Echoes", input: z.object({ text: z.string() }) } as const;

export class Methods {
  // @ts-expect-error a tool is a method of an instance
  @Tool(text)
  static fixed() {}

  free() {}
}
