// A model that reads from the prompt how far its run is. Nothing of it is in memory, so a run that another process goes on
// with meets the same model. It writes down each request it is sent.

import { noUsage } from "../../../src/core/budget.ts";
import type { Model, ModelReply, ReplyPart } from "../../../src/core/model.ts";
import type { Effects } from "./effects.ts";

/** Names of the tools that a turn calls, or what the last one says. */
export type Turn = readonly string[] | string;

export function promptModel(agent: string, turns: readonly Turn[], effects: Effects): Model {
  return {
    id: "prompt:model",
    async call({ prompt }, onDelta) {
      const asked = prompt.findLastIndex(({ role }) => role === "user");
      const turn = prompt.slice(asked).filter(({ role }) => role === "assistant").length;
      const effect = {
        name: `${agent} ${turn}`,
        run: agent,
        step: `model:${turn}`,
        key: `${textOf(prompt[asked])} ${turn}`,
      };
      effects.note({ kind: "model-start", ...effect });
      await nextTurn();
      const reply = replyOf(turns[turn] ?? "", turn);
      for (const part of reply.content)
        if (part.type === "text") onDelta?.({ type: "text-delta", id: "0", text: part.text });
      effects.note({ kind: "model-end", ...effect });
      return reply;
    },
  };
}

function textOf(message: Parameters<Model["call"]>[0]["prompt"][number] | undefined): string {
  const [part] = message?.role === "user" ? message.content : [];
  return part?.type === "text" ? part.text : "";
}

function replyOf(turn: Turn, number: number): ModelReply {
  if (typeof turn === "string") return { content: [{ type: "text", text: turn }], finish: "stop", usage: noUsage };
  const calls = turn.map((toolName, position): ReplyPart => {
    const input = JSON.stringify({ message: `go on with ${toolName}` });
    return { type: "tool-call", toolCallId: `${number}-${position}-${toolName}`, toolName, input };
  });
  return { content: [{ type: "text", text: `Turn ${number}.` }, ...calls], finish: "tool-calls", usage: noUsage };
}

/** The key of a call's branch in its run's journal. */
export function branchOf(callId: string): string {
  const [turn, position] = callId.split("-");
  return `call:${turn}:${position}`;
}

/** What is under way beside it gets its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
