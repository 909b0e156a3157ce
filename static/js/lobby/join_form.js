// @ts-check
// The form to join a room: name, seat and start of play. For the waiting room, a running hand and a full table.

import { button, h } from "../lib/virtual_dom.js";
import { avatar } from "../ui/avatar.js";
import { COLOURS } from "../ui/birds.js";
import { formatList, formatNames, refusalText, formatValue, t, joinSentences } from "../lib/messages.js";
import { isNameError, focusName, nameField, readNameField } from "../ui/name_field.js";
import { rejoinControls } from "./rejoin_request.js";
import { seatReassignedNotice } from "./seat_reassigned.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Desk, Update } from "../types.d.ts"
 */

/** Say when a new player starts to play, if a seat is free. @param {Update} update */
function joinTimeText({ room, table }) {
  if (room.phase === "finished") return t("late.match");
  if (table === null || room.phase === "lobby") return "";
  if (table.newcomers_text !== null) return formatValue(table.newcomers_text);
  if (room.phase === "between_hands") return t("late.pause");
  return t("late.hand", { count: Object.values(table.players).reduce((sum, player) => sum + player.cards, 0) });
}

/** Tell a person without a seat whether a seat is free, which bot holds it, and when they play. @param {Update} update */
function seatAvailabilityText(update) {
  const { room, you } = update;
  const { free, bots, joining } = room.seat_plan;
  const waits = you.role === "waiting";
  if (waits ? joining.includes(you.name ?? "") : free > 0) {
    const bot = room.people.find((person) => person.name === you.name)?.takes_seat_of;
    return joinSentences([joinTimeText(update), waits && bot ? t("late.chair", { bot }) : ""]);
  }
  return t(bots.length > 0 ? (room.phase === "lobby" ? "full.bots.now" : "full.bots") : "full.none");
}

/** Tell a visitor why they can't join, or which seats are free. @param {Update} update */
export function joinInfoText(update) {
  return update.you.join_blocked ? formatValue(update.you.join_blocked) : seatAvailabilityText(update);
}

/** Draw the form to join: name, face, and a choice of seats if there is one. Null if this visitor can't join. @param {Desk} desk */
export function joinForm(desk) {
  if (desk.update.you.join_blocked) return null;
  /** @param {Event} event */
  const onsubmit = async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const { name, problem } = readNameField(form);
    const wrong = problem || (await joinRoom(desk, name, new FormData(form)));
    desk.fill("name_problem", wrong);
    desk.fill("name_taken", wrong === "" ? "" : name.trim());
    if (wrong) focusName(form);
  };
  return h(
    "form",
    { key: "name", class: "name-form", novalidate: true, onsubmit },
    nameField(
      String(desk.model.form.name_problem ?? ""),
      () => desk.fill("name_problem", ""),
      undefined,
      rejoinControls(desk),
    ),
    faceChoice(desk),
    seatSelect(desk),
    h("button", { type: "submit", class: "button main" }, t("join.go")),
  );
}

/** Join with the chosen face, and ask for a chosen bot's seat; return the name's error. @param {Desk} desk @param {string} name @param {FormData} choices @returns {Promise<string>} */
async function joinRoom(desk, name, choices) {
  const [bird, colour] = String(choices.get("face") ?? "").split(" ");
  const answer = await desk.sendCommand(colour ? { t: "join", name, bird, colour } : { t: "join", name });
  if (answer.ok) {
    const chair = String(choices.get("chair") ?? "");
    if (chair !== "") await desk.ask({ t: "take_bot_seat", name: chair });
    return "";
  }
  const why = refusalText(answer);
  if (isNameError(answer.code)) return why;
  desk.showNotice(why, true);
  return "";
}

/**
 * Draw a row of free faces to choose from; the first is proposed. Null without a choice, or if the visitor has saved a
 * face in their profile.
 * @param {Desk} desk
 */
function faceChoice({ model, update, fill }) {
  if (document.getElementById("room")?.dataset.ownFace !== undefined) return null;
  const free = (update.you.free_faces ?? []).map(({ bird, colour }) => ({
    bird,
    hue: COLOURS.indexOf(colour),
    value: `${bird} ${colour}`,
    label: formatList([t(`mine.bird.${bird}`), t(`mine.colour.${colour}`)]),
  }));
  if (free.length < 2) return null;
  const chosen = (free.find(({ value }) => value === model.form.face) ?? free[0])?.value;
  return h(
    "fieldset",
    { key: "faces", class: "plain faces" },
    h("legend", { class: "sr-only" }, t("join.face")),
    free.map(({ bird, hue, value, label }) =>
      h(
        "label",
        { key: value, title: label },
        h("input", {
          type: "radio",
          name: "face",
          value,
          checked: value === chosen,
          "aria-label": label,
          onchange: () => fill("face", value),
        }),
        avatar({ bird, hue }),
      ),
    ),
  );
}

/** Draw the choice of a seat: a free seat, a bot's seat, or waiting. Null if there is nothing to choose. @param {Desk} desk */
function seatSelect({ update }) {
  const { room } = update;
  const { free, bots } = room.seat_plan;
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

/** Tell whether the host took the player's seat in the waiting room and the player still has no seat. @param {Update} update */
function wasRemovedFromSeat({ room, you }) {
  return room.people.some(({ name, role, unseated }) => name === you.name && role === "spectator" && unseated);
}

/** Choose the title above the form: the host's invitation, "no free seat", or why the player lost their seat. @param {Desk} desk */
function joinTitle({ update }) {
  const { room, you } = update;
  if (you.join_blocked) return t("join.shut");
  if (wasRemovedFromSeat(update)) return t("join.title.unseated");
  if (room.seat_plan.free === 0) return t(room.seat_plan.bots.length > 0 ? "full.title.bots" : "full.title");
  return room.host === null ? t("join.title.empty") : t("join.title", { host: room.host });
}

/** Draw the card in the waiting room for a visitor without a seat, with the form to join. @param {Desk} desk */
export function joinCard(desk) {
  const { room, you } = desk.update;
  if (you.name === null && desk.model.watching && room.allow_spectators)
    return h(
      "section",
      { key: "watching", "data-zone": "watching", class: "sheet-card joining in-a-row" },
      h("span", null, t("watch.watching")),
      button({ class: "button", onclick: () => desk.set({ watching: false }) }, t("watch.join")),
    );
  const names = room.people.filter((person) => person.role !== "spectator").map((person) => person.name);
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
    room.allow_spectators ? null : h("p", { key: "closed" }, t("watch.closed")),
    wasRemovedFromSeat(desk.update) ? h("p", { key: "seat-again" }, t("join.unseated")) : null,
    joinForm(desk),
    you.join_blocked ? null : h("p", { class: "quiet" }, t("join.note")),
  );
}

/** Draw the panel beside the table for a spectator or a waiting player. Null if this page has lost its place. @param {Desk} desk */
export function spectatorPanel(desk) {
  const { model, update } = desk;
  const { you } = update;
  // Don't invite a person who is banned or plays on another device now.
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
    button({ key: "watch", class: "button plain", onclick: () => desk.set({ watching: true }) }, t("watch.just")),
  );
}

/** Say when a waiting player gets a seat, with a button for each bot's seat that can be taken. @param {Desk} desk @returns {(VNode | null)[]} */
export function seatQueueControls(desk) {
  const { room, you } = desk.update;
  const { bots, joining } = room.seat_plan;
  return [
    h("p", { key: "chair", "data-zone": "question", class: "ask" }, seatAvailabilityText(desk.update)),
    ...(joining.includes(you.name ?? "") ? [] : bots).map((name) =>
      button(
        {
          key: `take ${name}`,
          class: "button",
          "data-ask": "take_bot_seat",
          onclick: () => desk.ask({ t: "take_bot_seat", name }),
        },
        t("full.take", { name }),
      ),
    ),
  ];
}
