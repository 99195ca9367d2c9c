// Channels as classes: constructed once, when first asked through, with what they ask for; found by the name they were given.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { AnyClass } from "../../src/author/classes/class-notes.ts";
import type { ChannelHandler } from "../../src/doors/decorators.ts";
import {
  type AppOptions,
  type Ask,
  AutoApproveChannel,
  AutoRejectChannel,
  type Channel,
  createApp,
  createToolkit,
  defineAgent,
  TerminalUserChannel,
} from "../../src/doors/index.ts";
import { scriptedModel } from "../../src/doors/testing.ts";
import { importCompiled } from "../lib/compile-fixture.ts";

type CountedChannel = AnyClass<ChannelHandler> & { made: number };
interface Classes {
  readonly Inbox: new () => { asks: Ask[] };
  readonly Managers: CountedChannel;
  readonly Post: CountedChannel;
  readonly Broken: AnyClass<ChannelHandler>;
  readonly Leave: AnyClass;
  readonly Letter: AnyClass;
  readonly Free: AnyClass;
}

for (const system of ["legacy", "standard"] as const) {
  const { Inbox, Managers, Post, Broken, Leave, Letter, Free } = await importCompiled<Classes>(
    "authoring/both/channels.ts",
    system,
  );

  const office = (calls: readonly string[], approvals: AppOptions["approvals"], tools = [Leave, Letter, Free]) => {
    const model = scriptedModel([
      { calls: calls.map((name) => ({ name })) },
      ({ lastResults }) => lastResults.map((result) => result.text).join("; "),
    ]);
    const agent = defineAgent({ name: "office", description: "Books", model, tools });
    return { agent, app: createApp({ agents: [agent], approvals, log: () => undefined }) };
  };

  suite(`${system} decorators`, () => {
    test("a channel is constructed when it is first asked through, once, over the application's container", async () => {
      Managers.made = Post.made = 0;
      const { agent, app } = office(["leave", "leave"], { channel: Post, channels: [Managers] });
      assert.equal(Managers.made, 0);
      const { text } = await app.run(agent, "go");
      // The tool's inbox is the channel's.
      assert.equal(text, "booked after 2; booked after 2");
      assert.deepEqual([Managers.made, Post.made], [1, 0]);
      const toolkit = await app.toolkit();
      assert.equal((await toolkit.call("leave", {})).text, "booked after 3");
      assert.equal(Managers.made, 1);
      await app.close();
    });

    test("a tool names any channel by its decorator's name, the general one too; without a name the general one asks", async () => {
      const { agent, app } = office(["free", "leave", "letter"], { channel: Managers, channels: [Post] });
      const { status, pending } = await app.run(agent, "go");
      assert.deepEqual([status, pending.map(({ value }) => value.tool)], ["waiting", ["letter"]]);
      const records = await app.approvals({ answered: true });
      assert.deepEqual(
        records.map(({ value, state, answeredBy }) => [value.tool, state, answeredBy]),
        [
          ["free", "answered", { channel: "managers" }],
          ["leave", "answered", { channel: "managers" }],
          ["letter", "waiting", undefined],
        ],
      );
      await app.close();
    });

    test("in a toolkit, too", async () => {
      const inbox = new Inbox();
      const approvals = { channels: [Managers] };
      const toolkit = await createToolkit({ tools: [Leave], approvals, providers: [inbox] });
      assert.equal((await toolkit.call("leave", {})).text, "booked after 1");
      assert.deepEqual(
        inbox.asks.map(({ value }) => value.tool),
        ["leave"],
      );
      await toolkit.close();
    });

    test("a channel that cannot be constructed fails the call that needs it", async () => {
      const { agent, app } = office(["free"], { channel: Broken }, [Free]);
      const { calls } = await app.run(agent, "go");
      assert.deepEqual(
        calls.map((call) => [call.status, call.errorCode]),
        [["failed", "tool.failed"]],
      );
      await app.close();
    });

    test("what the package brings stands as a class or an object", async () => {
      for (const [channel, expected] of [
        [AutoApproveChannel, ["ok", "auto-approve"]],
        [new AutoApproveChannel(), ["ok", "auto-approve"]],
        [AutoRejectChannel, ["declined", "auto-reject"]],
        [new AutoRejectChannel({ comment: "no" }), ["declined", "auto-reject"]],
      ] as const) {
        const by: unknown[] = [];
        const { agent, app } = office(["free", "letter"], { channel, channels: [Post] }, [Free, Letter]);
        const { calls } = await app.run(agent, "go");
        for (const { answeredBy } of await app.approvals({ answered: true })) by.push(answeredBy);
        assert.deepEqual([calls[0]?.status, by[0]], [expected[0], { channel: expected[1] }]);
        await app.close();
      }
      const approvals = { channels: [TerminalUserChannel, AutoApproveChannel, AutoRejectChannel] };
      createApp({ names: "kebab-tool", name: "desk-application", agents: [], approvals });
    });

    test("a plain object is a channel as ever", async () => {
      const plain: Channel = { name: "managers", send: () => ({ type: "decided", answer: { decision: "approve" } }) };
      const { agent, app } = office(["leave"], { channels: [plain] }, [Leave]);
      assert.equal((await app.run(agent, "go")).text, "booked after 0");
      await app.close();
    });
  });
}
