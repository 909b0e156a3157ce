// @ts-check
// Draws the bar at the top of a room: the game, and buttons for the log, the chat, leaving and the menu.

import { t } from "../lib/messages.js";
import { button, h } from "../lib/virtual_dom.js";
import { applyDisplayPreferences, getPreference, setPreference } from "../lib/preferences.js";
import { birdHead } from "../ui/birds.js";
import { icon } from "../ui/icons.js";

/** @import { Desk } from "../types.d.ts" */

/** Draw the bar at the top of a room. @param {Desk} desk */
export function topBar(desk) {
  const { update, model } = desk;
  const { room, table } = update;
  const game = t(`game.${room.game}`);
  const what = table === null || table.number === 0 ? game : t("bar.hand", { game, number: table.number });
  return h(
    "header",
    { class: "bar", key: "bar" },
    h("a", { class: "home", href: "/", "aria-label": t("nav.home") }, birdHead("rooster")),
    h(
      "h1",
      { class: "what-game" },
      what,
      room.known_cards ? h("small", { class: "known" }, t(`known.${room.known_cards.how}`)) : null,
    ),
    h(
      "span",
      { "data-zone": "tools", class: "tools" },
      table !== null ? logButton(desk) : null,
      update.you.name !== null ? chatButton(desk) : null,
      update.you.name !== null && update.you.role !== "spectator" ? leaveButton(desk) : null,
      button(
        {
          // Without a key, this element would be reused for another button when a match begins, and keep the focus.
          key: "menu",
          class: "tool",
          "aria-expanded": model.sheet === "menu",
          onclick: () => desk.set({ sheet: "menu", form: {} }),
        },
        icon("menu"),
        h("span", { class: "sr-only" }, t("tool.menu")),
      ),
    ),
  );
}

/** Draw the button to leave the room, which asks first. @param {Desk} desk */
function leaveButton(desk) {
  return button(
    {
      key: "leave",
      class: "tool leave-button",
      "data-confirm": "leave",
      onclick: () => desk.set({ sheet: "question", form: { question: { what: "leave" } } }),
    },
    icon("leave"),
    h("span", { class: "sr-only" }, t("menu.leave")),
  );
}

/** From this width, in pixels at usual text size, the log stands beside the table: as in css/table/layout.css. */
const LOG_BESIDE = 1100;

/**
 * Draw the button for the log. It folds the log beside the table; on a narrower page it opens the log in a sheet.
 * @param {Desk} desk
 */
export function logButton(desk) {
  const beside = window.innerWidth / desk.model.felt.text >= LOG_BESIDE;
  const open = beside ? getPreference("log", "shown") === "shown" : desk.model.sheet === "log";
  const fold = () => {
    setPreference("log", open ? "folded" : "shown");
    applyDisplayPreferences();
    desk.set({});
  };
  return button(
    {
      key: "log",
      class: "tool log-button",
      "aria-expanded": open,
      onclick: beside ? fold : () => desk.set({ sheet: "log" }),
    },
    icon("log"),
    h("span", { class: "sr-only" }, t("tool.log")),
  );
}

/** Draw the button that opens the chat, with the number of unread messages. @param {Desk} desk */
function chatButton(desk) {
  const { sheet, chat } = desk.model;
  const count = chat.unread.length;
  return button(
    {
      key: "talk",
      class: "tool talk-button",
      "aria-expanded": sheet === "talk",
      onclick: () => desk.set({ sheet: "talk", chat: { ...chat, unread: [] } }),
    },
    icon("talk"),
    h("span", { class: "sr-only" }, t("tool.talk")),
    count > 0
      ? h(
          "span",
          { class: "unread" },
          h("span", { "aria-hidden": "true" }, count),
          h("span", { class: "sr-only" }, t("chat.unread", { count })),
        )
      : null,
  );
}
