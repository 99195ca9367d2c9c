// Wires the slots of the governed call: masking, verdicts, channels, logging, defaults.
// The only place where policy, approvals and observation meet the pipeline.

import { bindingOf } from "../approvals/binding.ts";
import { checkChannelAnswer } from "../approvals/check-channel-answer.ts";
import type { Ask, Channel, ChannelAnswer } from "../core/approval.ts";
import type { Usage } from "../core/budget.ts";
import { ToolpostError } from "../core/errors.ts";
import type { ApprovalFloor, Log, Redact } from "../core/govern.ts";
import type { ToolErrors } from "../core/policy.ts";
import type { AnyTool } from "../core/tool.ts";
import { createConsoleLog } from "../observe/console-log.ts";
import { createOnceLog } from "../observe/once-log.ts";
import type { CallSlots, Sender } from "../pipeline/call-scope.ts";
import { combineRedactors } from "../policy/combine-redactors.ts";
import { createDecide } from "../policy/create-decide.ts";
import { maskPersonalData } from "../policy/mask-personal-data.ts";
import { maskSecrets } from "../policy/mask-secrets.ts";
import { systemClock } from "../std/clock.ts";
import { swallow } from "../std/soon.ts";
import type { AssembledApprovals, AssembledGovernance, Masking, ModelPrice } from "./app-options.ts";
import { DEFAULT_RESULT_SIZE, DEFAULT_TIMEOUT, DEFAULT_TOOL_CALLS } from "./built-in-bounds.ts";

/** What an agent adds to its application's settings. */
export interface SlotOverrides {
  readonly approvals?: ApprovalFloor | undefined;
  readonly toolErrors?: ToolErrors | undefined;
  readonly maxToolCalls?: number | undefined;
  readonly prices?: { readonly [model: string]: ModelPrice } | undefined;
  readonly openModel?: CallSlots["openModel"];
}

export function createCallSlots(options: AssembledGovernance, overrides: SlotOverrides = {}): CallSlots {
  const redact = redactorOf(options.mask);
  const log = safeLog(options.log ?? createConsoleLog({ redact }));
  const defaults = options.defaults?.tools;
  const floors = [options.approvals, overrides.approvals].filter((floor) => floor !== undefined);
  return {
    clock: options.clock ?? systemClock,
    redact,
    hooks: options.hooks ?? [],
    decide: createDecide({ rules: options.rules ?? [], floors, log }),
    senderFor: sendersBy(options.approvals ?? {}),
    log,
    logOnce: createOnceLog(log),
    artefacts: options.artefacts,
    openModel: overrides.openModel ?? openAnyModel,
    costOf: costBy(overrides.prices ?? {}),
    bindingOf: (tool, input, userId) => bindingOf({ tool, input, userId }),
    approvalExpiry: options.approvals?.expireAfter?.ms,
    defaults: {
      timeout: defaults?.timeout === "none" ? undefined : (defaults?.timeout?.ms ?? DEFAULT_TIMEOUT.ms),
      maxResultSize: defaults?.maxResultSize?.bytes ?? DEFAULT_RESULT_SIZE.bytes,
      toolErrors: overrides.toolErrors ?? defaults?.toolErrors ?? "mask",
      maxToolCalls: overrides.maxToolCalls ?? defaults?.maxToolCalls ?? DEFAULT_TOOL_CALLS,
    },
  };
}

/** Without an agent; loaded when a tool asks a model. */
const openAnyModel: CallSlots["openModel"] = async (model) => (await import("./open-model.ts")).openModel(model);

/** A scripted model is paid by nobody. */
function costBy(prices: { readonly [model: string]: ModelPrice }): CallSlots["costOf"] {
  return ({ id }, usage) => {
    const price = prices[id];
    if (price === undefined) return id.startsWith("scripted:") ? 0 : undefined;
    return dollarsOf(usage, price);
  };
}

/** What a reply costs; prices are per million tokens. */
export function dollarsOf({ inputTokens, outputTokens }: Usage, { input, output }: ModelPrice): number {
  return (inputTokens * input.usd + outputTokens * output.usd) / 1_000_000;
}

function redactorOf(mask: Masking = {}): Redact {
  const redactors: Redact[] = [];
  if (mask.secrets !== false) redactors.push(maskSecrets);
  if (mask.pii !== undefined && mask.pii.length > 0) redactors.push(maskPersonalData(mask.pii));
  redactors.push(...(mask.redactors ?? []));
  // Alone, ours need not be watched.
  return redactors.length === 1 && redactors[0] === maskSecrets ? maskSecrets : combineRedactors(...redactors);
}

/** A log that throws must not fail the call it tells of. */
function safeLog(log: Log): Log {
  return (entry) => {
    try {
      swallow(log(entry));
    } catch {
      // There is nowhere left to say so.
    }
  };
}

function sendersBy({ channel: general, channels = [] }: AssembledApprovals): CallSlots["senderFor"] {
  const all = general === undefined ? channels : [general, ...channels];
  const byName = new Map(all.map((channel) => [channel.name, channel]));
  return (tool) => {
    const channel = tool.channel === undefined ? general : byName.get(tool.channel);
    if (channel !== undefined) return senderThrough(channel);
    if (tool.channel === undefined) return undefined;
    return { channel: tool.channel, send: () => Promise.reject(noChannel(tool)) };
  };
}

function noChannel({ name, channel }: AnyTool): ToolpostError {
  const message = `\`${name}\` names the channel \`${channel}\`, which the application does not have`;
  return new ToolpostError("approval.invalid-answer", message);
}

/** Asks through a channel and checks what it gives back. */
export function senderThrough(channel: Channel): Sender {
  const { name } = channel;
  const send = async (ask: Ask, signal: AbortSignal): Promise<ChannelAnswer> => {
    const checked = checkChannelAnswer(await channel.send(ask, { signal }), ask.value);
    if (checked.ok) return checked.answer;
    throw new ToolpostError(
      "approval.invalid-answer",
      `the channel \`${name}\` gave no usable answer for \`${ask.value.tool}\`: ${checked.problem}`,
    );
  };
  return { channel: name, send };
}
