// What the command works on: `npx toolpost list`, `npx toolpost call lookup_order '{"orderId":"A-1042"}'`,
// `npx toolpost run support-desk "The desk lamp of my order A-1042 is broken"`.

import { TerminalUserChannel } from "toolpost";
import { chooseModel } from "./choose-model.ts";
import { openDesk } from "./open-desk.ts";

const { model } = chooseModel(process.env.SUPPORT_DESK_MODEL);
const { app } = await openDesk({ model, channel: new TerminalUserChannel() });

export default app;
