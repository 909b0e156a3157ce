// @ts-check
// What can be done now, under the thumb: each action with what it is done with, and the ways back to the cards.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { giving, offering, playing } from "./play_buttons.js";
import { choosing, counting, naming, plain, ranking } from "../table/action_controls.js";
import { asked, isAsked, resting, takingBack } from "../table/proposals.js";
import { finishing } from "./bot_settings.js";
import { passing } from "./auto_pass_buttons.js";
import { answers } from "../table/question.js";
import { sureAsked } from "./confirm_play.js";
import { picked } from "../input/card_input.js";
import { cardsText } from "../model/card_names.js";
import { isMeant, mayMean, meant } from "../model/premove.js";
import { controlOf, legal, purpose } from "../model/state.js";

/** @typedef {import("../lib/virtual_dom.js").VNode} VNode */
/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Action} Action */
/** @typedef {import("../types.d.ts").Control} Control */

/** What may be done now, whether somebody waits for it or not, each once. @param {Desk} desk @returns {Action[]} */
function open({ update }) {
  const { room, you } = update;
  const all = [...legal(update), ...(room.phase === "finished" ? [] : (you.may ?? []))];
  return [...new Map(all.map((action) => [JSON.stringify(action), action])).values()];
}

/** Those of one control, as often as there are names among them. @param {Desk} desk @param {Control} control @param {(desk: Desk, name: string, all: Action[]) => VNode[]} drawn */
function each(desk, control, drawn) {
  const all = open(desk).filter((action) => controlOf(desk.update, action) === control);
  const names = new Set(all.map((action) => action.do));
  return [...names].flatMap((name) =>
    drawn(
      desk,
      name,
      all.filter((action) => action.do === name),
    ),
  );
}

/** What is done with cards, or beside them. @param {Desk} desk */
function withCards(desk) {
  if (desk.update.room.phase !== "playing") return [];
  return [
    ...(purpose(desk.update) === "gifts" ? giving(desk) : []),
    ...each(desk, "rank", naming),
    ...each(desk, "ranks", ranking),
    ...each(desk, "free_cards", offering),
    ...playing(desk),
  ];
}

/** The button that plays the chosen cards when it is my turn. While it is pressed, it takes that back. @param {Desk} desk */
function ahead(desk) {
  const { model, update } = desk;
  if (model.chosen.length === 0 || !mayMean(update)) return null;
  const on = isMeant(model);
  const cards = cardsText(picked(desk));
  return button(
    {
      key: "ahead",
      class: `button${on ? " passing on" : ""}`,
      "data-ahead": String(on),
      "aria-pressed": on,
      onclick: () => desk.set({ ahead: on ? null : meant(model) }),
    },
    h("span", null, t(on ? "ahead.on" : "ahead.play", { cards })),
    on ? h("span", { class: "stop" }, t("passing.stop")) : null,
  );
}

/** The way back for whoever let a bot play, or has said that they go. @param {Desk} desk */
function back(desk) {
  const { room, you } = desk.update;
  const mine = room.people.find((person) => person.name === you.name);
  if (!mine) return [];
  return [
    mine.going !== null && !mine.unseated && room.phase !== "finished"
      ? button(
          {
            key: "stay",
            class: "button",
            "data-ask": "join",
            onclick: () => desk.ask({ t: "join", name: mine.name }),
          },
          t("me.stay"),
        )
      : null,
    mine.playing_for && mine.going === null
      ? button(
          {
            key: "back",
            class: "button main",
            "data-ask": "back",
            onclick: () => desk.ask({ t: "back" }),
          },
          t("me.back"),
        )
      : null,
  ];
}

/** For whoever only looks on. @param {Desk} desk */
function comeIn({ model, update, set }) {
  const { table, you } = update;
  const seated = you.name !== null && table?.seats.includes(you.name);
  if (seated || you.role === "waiting" || (you.name === null && !model.watching)) return null;
  return button({ key: "join", class: "button main", onclick: () => set({ sheet: "come_in" }) }, t("watch.join"));
}

/** @param {VNode} part */
function isMain({ props }) {
  return /\bmain\b/.test(String(props.class));
}

/** Put the main button last, if there is one alone: it has the same place in every turn. @param {VNode[]} parts */
function mainLast(parts) {
  const main = parts.filter(isMain);
  return main.length === 1 ? [...parts.filter((part) => !isMain(part)), ...main] : parts;
}

/** Whether the buttons are few and have fixed places (css/table/action_bar.css): while tricks are played. @param {Desk} desk @param {VNode[]} parts */
function inPlaces({ update }, parts) {
  const { room, table } = update;
  const playing =
    room.phase === "playing" && room.rest === null && table?.trick !== undefined && table.phase === "play";
  return playing && parts.length <= 3 && parts.every(({ tag }) => tag === "button") && parts.filter(isMain).length <= 1;
}

/** @param {Desk} desk */
export function actions(desk) {
  if (desk.update.table === null) return null;
  const { room } = desk.update;
  const { sure } = desk.model;
  const now =
    sure !== null
      ? sureAsked(desk, sure)
      : isAsked(desk.update)
        ? asked(desk)
        : room.rest !== null
          ? [resting(desk)]
          : playingOn(desk);
  const parts = mainLast([...back(desk), ...now, comeIn(desk)].filter((part) => part !== null));
  return h(
    "div",
    {
      // How it goes on after a hand is said in another place, with other buttons.
      key: room.phase === "playing" ? "actions" : "onward",
      "data-zone": "actions",
      class: [
        "actions",
        room.phase === "playing" ? "" : "onward",
        inPlaces(desk, parts) ? "places" : "",
        parts.length === 0 ? "none" : "",
      ]
        .filter(Boolean)
        .join(" "),
      role: "group",
      "aria-label": t("actions.label"),
    },
    parts,
  );
}

/** List the buttons while the table does not rest; those that answer a decree stand elsewhere (table/question.js). @param {Desk} desk */
function playingOn(desk) {
  const answered = new Set(answers(desk).map((action) => action.do));
  return [
    ...asked(desk),
    ...withCards(desk),
    ahead(desk),
    ...passing(desk),
    ...each(desk, "number", counting),
    ...each(desk, "each", choosing),
    ...each(desk, "button", (_, __, all) =>
      all.filter((action) => !answered.has(action.do)).map((action) => plain(desk, action)),
    ),
    takingBack(desk),
    finishing(desk),
    ...(desk.after?.onward(desk) ?? []),
  ];
}
