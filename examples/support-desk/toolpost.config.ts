// What the command works on, for example:
// npx toolpost list
// npx toolpost call lookup_order '{"orderId":"A-1042"}'
// npx toolpost run "The desk lamp of my order A-1042 came with a broken shade. I would like my money back."
// It asks at the terminal itself where a call needs approval, so no channel is given here.

import { chooseModel } from "./choose-model.ts";
import { openDesk } from "./open-desk.ts";

const { app } = await openDesk({ model: chooseModel(undefined).model });

export default app;
