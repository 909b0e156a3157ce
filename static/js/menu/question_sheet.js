// @ts-check
// The question before an action that can't be undone: its consequence, and two buttons.

import { button, h } from "../lib/virtual_dom.js";
import { formatNames, joinSentences, t } from "../lib/messages.js";
import { unreadyNames } from "../lobby/seat_ring.js";
import { isMatchRunning, isSeated } from "../model/state.js";
import { dialog } from "../table/sheet.js";

/** @import { Command, Desk } from "../types.d.ts" */

/** The command of each question. @satisfies {Record<string, (name: string, number: number) => Command>} */
const COMMANDS = {
  leave: () => /** @type {const} */ ({ t: "leave" }),
  watch: () => /** @type {const} */ ({ t: "watch" }),
  start: () => /** @type {const} */ ({ t: "start" }),
  stop: () => /** @type {const} */ ({ t: "stop" }),
  rotate_code: () => /** @type {const} */ ({ t: "rotate_code" }),
  transfer_host: (/** @type {string} */ name) => /** @type {const} */ ({ t: "transfer_host", name }),
  unseat: (/** @type {string} */ name) => /** @type {const} */ ({ t: "remove", name, ban: false }),
  ban: (/** @type {string} */ name) => /** @type {const} */ ({ t: "remove", name, ban: true }),
  ban_guest: (/** @type {string} */ _, /** @type {number} */ number) =>
    /** @type {const} */ ({ t: "remove_spectator", number, ban: true }),
};

/** @typedef {{ what: keyof typeof COMMANDS, who?: string | number, from?: string | null }} Question `who`: whom it is about, a name or the number of a guest. `from`: the sheet that asked. */

/** Say what the action does. @param {Desk} desk @param {Question} question */
function consequence({ update }, { what, who: name = "" }) {
  const { room, you } = update;
  if (what === "start") {
    const missing = unreadyNames(room);
    return missing.length === 0
      ? t("lobby.ready.all")
      : t("menu.ask.start.text", { names: formatNames(missing), count: missing.length });
  }
  const playing = isMatchRunning(update) && isSeated(update);
  const hasOtherPerson = room.people.some((person) => person.bot === null && person.name !== you.name);
  return joinSentences([
    t(what === "leave" && playing ? "menu.ask.leave.playing" : `menu.ask.${what}.text`, { name }),
    what === "leave" && you.host && hasOtherPerson ? t("menu.ask.leave.host") : "",
  ]);
}

/** Draw the question. @param {Desk} desk */
export function questionSheet(desk) {
  const question = /** @type {Question | undefined} */ (desk.model.form.question);
  if (question === undefined) return null;
  const { what, who = "", from = null } = question;
  const command = COMMANDS[what](String(who), Number(who));
  const { person: _, ...form } = desk.model.form;
  const yes = async () => {
    // Return to the list of people at once: the host may have more to do there.
    if (who !== "") desk.set({ sheet: from, form });
    else desk.fill("sending", question);
    if (what === "start") desk.set({ startsUnready: true });
    if (await desk.ask(command)) desk.close("question");
    else desk.fill("sending", null);
  };
  const title = what === "ban_guest" ? t("menu.remove.ban") : t(`menu.ask.${what}`, { name: who });
  return dialog(desk, title, [
    h("p", { key: "text", id: "question-text" }, consequence(desk, question)),
    h(
      "div",
      { key: "answers", class: "buttons answers" },
      button(
        {
          class: "button",
          autofocus: true,
          "aria-describedby": "question-text",
          "data-confirm": "no",
          onclick: () => desk.set({ sheet: from }),
        },
        t("menu.ask.no"),
      ),
      button(
        { class: "button main", "data-ask": command.t, disabled: desk.model.form.sending === question, onclick: yes },
        t(what === "ban_guest" ? "menu.ask.ban.yes" : `menu.ask.${what}.yes`),
      ),
    ),
  ]);
}
