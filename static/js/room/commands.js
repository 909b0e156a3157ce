// @ts-check
// Sends commands to the room and applies their answers to this page.

import { withContext } from "../net/command_context.js";
import { withoutPrototype } from "../lib/null_prototype.js";
import { spokenCardNames } from "../model/card_names.js";
import { refusalText } from "../lib/messages.js";
import { createNotice } from "../model/notice_timeout.js";
import { setPreference, getPreference } from "../lib/preferences.js";
import { confirmationText } from "../events/labels.js";
import { loadDeferredAssets } from "../lib/deferred_assets.js";
import { actionControl } from "../model/state.js";

/** @import { Command, Update } from "../types.d.ts" */
/** @typedef {ReturnType<typeof createCommands>} Commands */

/**
 * Create the commands of a room's page.
 * @param {import("./model_store.js").ModelStore} store
 * @param {(command: Command) => Promise<import("../types.d.ts").Answer>} send
 * @param {{ say: (text: string) => void, urge: (text: string) => void }} voices for screen readers; `urge` interrupts
 */
export function createCommands({ get, set, reduce }, send, { say, urge }) {
  let told = 0;
  const unanswered = new Set(); // actions, each with its request, as JSON

  /** @param {string} text @param {boolean} [bad] @param {import("../types.d.ts").Ruled | null} [rule] the rule that refuses */
  function tell(text, bad = false, rule = null) {
    const id = ++told;
    set({ notice: createNotice({ id, text, bad, rule }, get().update, Date.now()) });
    // An open sheet reads notices aloud itself.
    if (get().sheet === null) (bad ? urge : say)(text);
  }

  /** @param {Update} update the update that the page showed @param {Command} command */
  async function ask(update, command) {
    const answer = await request(update, command);
    if (answer.ok) return true;
    const { rule, rule_name: name } = answer;
    tell(refusalText(answer), true, rule && name ? { id: rule, name } : null);
    return false;
  }

  /** Send a command and apply a successful answer to the page. The caller shows a refusal. @param {Update} update as shown @param {Command} command */
  async function request(update, command) {
    if (command.t === "join" && typeof command.name === "string") setPreference("name", command.name);
    const answer = await send(withContext(update, command));
    if (!answer.ok) {
      // Texts of refusals are deferred assets, so load them first.
      await loadDeferredAssets().catch(() => undefined);
      return answer;
    }
    if (command.t !== "preview_cards" && get().notice?.bad) set({ notice: null });
    if (command.t === "preview_cards") {
      const found = { plays: answer.plays ?? [], why: answer.message ? refusalText(answer) : "" };
      set({ looked: { ...get().looked, [String(command.cards)]: found } });
      say(found.why);
    } else if (command.t === "join") set({ sheet: null });
    else if (command.t === "leave") location.assign("/");
    return answer;
  }

  /** Send an action, unless the same one waits for its answer: the server would refuse it as too late. @param {Update} update the update that the page showed @param {import("../types.d.ts").Action} action */
  async function act(update, action) {
    const asks = getPreference("confirm", "off") === "on" && actionControl(update, action) === "cards";
    if (asks && get().sure !== action) {
      set({ sure: action });
      urge(confirmationText(action, spokenCardNames));
      return false;
    }
    const key = JSON.stringify([update.you.request, action]);
    if (unanswered.has(key)) return false;
    unanswered.add(key);
    // Before the answer, because the update that precedes it may bring new cards.
    reduce((model) => ({ ...model, sure: null, fresh: [] }));
    const done = await ask(update, { t: "act", action }).finally(() => unanswered.delete(key));
    if (done) set({ chosen: [], basket: withoutPrototype(), notice: null });
    return done;
  }

  return { tell, ask, request, act };
}
