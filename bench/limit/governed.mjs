// The governed side of every scenario: policy, approval check, deadline, abort, size bound, secret masking and one
// listener are on, as they are by default in an application.

import { createApp, createToolkit, defineAgent, defineTool } from "toolpost";
import { seconds } from "toolpost/units";
import { execute, schema } from "./workload.mjs";

export function probeTool(name = "probe") {
  return defineTool({
    name,
    description: `Probes ${name}`,
    input: schema,
    timeout: seconds(30),
    policy: ({ input }) => (input.limit > 500 ? "needs-approval" : "allow"),
    execute,
  });
}

export function createGoverned({ model, tools = [probeTool()], isStreaming, isObserved = true }) {
  const agent = defineAgent({
    name: "bench",
    description: "Probes",
    model,
    tools,
    maxToolCalls: 100_000,
    maxSteps: 100_000,
  });
  let heard = 0;
  const listen = () => {
    heard++;
  };
  const app = createApp({ agents: [agent], listeners: isObserved ? [listen] : [] });
  return {
    heard: () => heard,
    /** Resolves with the run's result; no function around it, as an application awaits the run itself. */
    run: (message) => app.run(agent, message, { stream: isStreaming }),
  };
}

export async function createGovernedCalls() {
  const toolkit = await createToolkit({ tools: [probeTool()] });
  const onEvent = () => undefined;
  return (input) => toolkit.call("probe", input, { onEvent });
}
