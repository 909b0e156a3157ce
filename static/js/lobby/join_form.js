// @ts-check
// Coming in: a name, a chair, and when one plays. In the waiting room, beside a hand that runs, and at a full table.

import { button, h } from "../lib/virtual_dom.js";
import { formatNames, refusalText, formatValue, t } from "../lib/messages.js";
import { isNameError, focusName, nameField, readNameField } from "../ui/name_field.js";
import { rejoinControls } from "./rejoin_request.js";
import { seatReassignedNotice } from "./seat_reassigned.js";

/** @typedef {import("../lib/virtual_dom.js").VNode} VNode */
/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Update} Update */

/** From when on a newcomer plays, if there is a chair. @param {Update} update */
function joinTimeText({ room, table }) {
  if (room.phase === "finished") return t("late.match");
  if (table === null || room.phase === "lobby") return "";
  if (table.late !== null) return formatValue(table.late);
  if (room.phase === "pause") return t("late.pause");
  return t("late.hand", { count: Object.values(table.players).reduce((sum, player) => sum + player.cards, 0) });
}

/** What somebody without a chair is told: whether there is one for them, whose, and from when on. @param {Update} update */
function seatAvailabilityText(update) {
  const { room, you } = update;
  const { free, bots, coming } = room.chairs;
  const waits = you.role === "waiting";
  if (waits ? coming.includes(you.name ?? "") : free > 0) {
    const bot = room.people.find((person) => person.name === you.name)?.chair;
    return [joinTimeText(update), waits && bot ? t("late.chair", { bot }) : ""].filter(Boolean).join(" ");
  }
  const full = t("full.table", { max: room.max });
  return `${full} ${t(bots.length > 0 ? (room.phase === "lobby" ? "full.bots.now" : "full.bots") : "full.none")}`;
}

/** What somebody is told before they come in: why they can't, or on which chair. @param {Update} update */
export function joinInfoText(update) {
  return update.you.shut ? formatValue(update.you.shut) : seatAvailabilityText(update);
}

/** The form for a name, and which chair where there is a choice; none for whom the room is shut. @param {Desk} desk */
export function joinForm(desk) {
  if (desk.update.you.shut) return null;
  /** @param {Event} event */
  const onsubmit = async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const chair = String(new FormData(form).get("chair") ?? "");
    const { name, problem } = readNameField(form);
    const wrong = problem || (await joinRoom(desk, name, chair));
    desk.fill("name_problem", wrong);
    desk.fill("name_taken", wrong === "" ? "" : name.trim());
    if (wrong) focusName(form);
  };
  return h(
    "form",
    { key: "name", class: "name-form", novalidate: true, onsubmit },
    nameField(String(desk.model.form.name_problem ?? ""), () => desk.fill("name_problem", "")),
    seatSelect(desk),
    h("button", { type: "submit", class: "button main" }, t("join.go")),
  );
}

/** Join, on the chair of a bot if one was chosen; what is wrong with the name. @param {Desk} desk @param {string} name @param {string} chair @returns {Promise<string>} */
async function joinRoom(desk, name, chair) {
  const answer = await desk.sendCommand({ t: "join", name });
  if (answer.ok) {
    if (chair !== "") await desk.ask({ t: "take_chair", name: chair });
    return "";
  }
  const why = refusalText(answer);
  if (isNameError(answer.code)) return why;
  desk.showNotice(why, true);
  return "";
}

/** Which chair: where bots sit and a chair of one's own is none, or is to be waited for. @param {Desk} desk */
function seatSelect({ update }) {
  const { room } = update;
  const { free, bots } = room.chairs;
  if (bots.length === 0 || (room.phase === "lobby" && free > 0)) return null;
  return h(
    "label",
    { key: "chair", class: "field chair-field" },
    h("span", null, t("join.chair")),
    h(
      "select",
      { name: "chair" },
      free > 0 ? h("option", { key: "own", value: "" }, t("join.chair.own")) : null,
      bots.map((name) => h("option", { key: `bot ${name}`, value: name }, t("join.chair.bot", { name }))),
      free > 0 ? null : h("option", { key: "wait", value: "" }, t("join.chair.wait")),
    ),
  );
}

/** Whether the host took my seat in the waiting room, and I have not taken another. @param {Update} update */
function wasRemovedFromSeat({ room, you }) {
  return room.people.some(({ name, role, unseated }) => name === you.name && role === "watcher" && unseated);
}

/** Who invites, that there is no chair left, or why I have none. @param {Desk} desk */
function joinTitle({ update }) {
  const { room, you } = update;
  if (you.shut) return t("join.shut");
  if (wasRemovedFromSeat(update)) return t("join.title.unseated");
  if (room.chairs.free === 0) return t(room.chairs.bots.length > 0 ? "full.title.bots" : "full.title");
  return room.host === null ? t("join.title.empty") : t("join.title", { host: room.host });
}

/** In the waiting room. @param {Desk} desk */
export function joinCard(desk) {
  const { room } = desk.update;
  const names = room.people.filter((person) => person.role !== "watcher").map((person) => person.name);
  const words = joinInfoText(desk.update);
  return h(
    "section",
    { key: "joining", "data-zone": "joining", class: "sheet-card joining" },
    seatReassignedNotice(desk),
    h("h2", null, joinTitle(desk)),
    h(
      "p",
      null,
      names.length > 0
        ? t("join.who", { names: formatNames(names), game: t(`game.${room.game}`), count: names.length })
        : t("join.nobody", { game: t(`game.${room.game}`) }),
    ),
    words === "" ? null : h("p", { key: "words" }, words),
    wasRemovedFromSeat(desk.update) ? h("p", { key: "seat-again" }, t("join.unseated")) : null,
    joinForm(desk),
    rejoinControls(desk),
    desk.update.you.shut ? null : h("p", { class: "quiet" }, t("join.note")),
  );
}

/** Beside a table at which one has no chair. @param {Desk} desk */
export function spectatorPanel(desk) {
  const { model, update } = desk;
  const { you } = update;
  // Who is kept out, or is at another device now, is not asked in.
  if (model.link === "gone") return null;
  const given = seatReassignedNotice(desk);
  if (given !== null && (you.name !== null || model.watching))
    return h("div", { key: "me", "data-zone": "watching", "data-welcome": true, class: "me watching welcome" }, given);
  if (you.role === "waiting")
    return h(
      "div",
      { key: "me", "data-zone": "watching", "data-welcome": true, class: "me watching welcome" },
      seatQueueControls(desk),
    );
  if (you.name !== null || model.watching)
    return h("div", { key: "me", "data-zone": "watching", class: "me watching" }, h("p", null, t("watch.watching")));
  return h(
    "section",
    {
      key: "welcome",
      "data-zone": "welcome",
      "data-welcome": true,
      class: "welcome",
      "aria-labelledby": "welcome-title",
    },
    given,
    h(
      "div",
      { class: "welcome-text" },
      h("h2", { id: "welcome-title" }, joinTitle(desk)),
      h("p", null, joinInfoText(update)),
    ),
    joinForm(desk),
    rejoinControls(desk),
    button(
      { key: "watch", class: "button quiet-button", onclick: () => desk.set({ watching: true }) },
      t("watch.just"),
    ),
  );
}

/** When one plays; where that isn't sure, the bots that would get up. @param {Desk} desk @returns {(VNode | null)[]} */
export function seatQueueControls(desk) {
  const { room, you } = desk.update;
  const { bots, coming } = room.chairs;
  return [
    h("p", { key: "chair", "data-zone": "question", class: "ask" }, seatAvailabilityText(desk.update)),
    ...(coming.includes(you.name ?? "") ? [] : bots).map((name) =>
      button(
        {
          key: `take ${name}`,
          class: "button",
          "data-ask": "take_chair",
          onclick: () => desk.ask({ t: "take_chair", name }),
        },
        t("full.take", { name }),
      ),
    ),
  ];
}
