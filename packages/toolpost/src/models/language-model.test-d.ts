// What Toolpost declares by structure, against the types of the AI SDK itself: each version of a language model fits,
// and the scripted model is one of version 4.

import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { LanguageModelV2 } from "provider-v2";
import type { LanguageModelV3 } from "provider-v3";
import type { Message } from "../core/message.ts";
import type { LanguageModel, Thinking, ToolChoice } from "../core/model.ts";
import type { ScriptedModel } from "./scripted-model.ts";

type Extends<Part, Whole> = [Part] extends [Whole] ? true : false;

function check<_Holds extends true>(): void {}

check<Extends<LanguageModelV2 | LanguageModelV3 | LanguageModelV4, LanguageModel>>();
check<Extends<ScriptedModel, LanguageModelV4>>();
check<Extends<ScriptedModel, LanguageModel>>();
check<Extends<LanguageModelV4["specificationVersion"], LanguageModel["specificationVersion"]>>();
check<Extends<ToolChoice, Mutable<LanguageModelV4CallOptions["toolChoice"]>>>();
check<Extends<Thinking, LanguageModelV4CallOptions["reasoning"]>>();
// But for readonly and for URLs as text, a message is one of the AI SDK.
check<Extends<Mutable<Exclude<Message, { role: "assistant" | "tool" | "user" }>>, LanguageModelV4Prompt[number]>>();
check<Extends<Message["role"], LanguageModelV4Prompt[number]["role"]>>();

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

// @ts-expect-error a model of specification v1 is none
check<Extends<Omit<LanguageModelV2, "specificationVersion"> & { specificationVersion: "v1" }, LanguageModel>>();
// @ts-expect-error nor is one without doStream
check<Extends<Omit<LanguageModelV4, "doStream">, LanguageModel>>();
