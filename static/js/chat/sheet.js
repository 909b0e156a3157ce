// @ts-check
// The chat sheet: reactions, quick messages, a field for a message, and all recent chat lines.

import { lineText } from "./incoming.js";
import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { isMuted } from "./muted_people.js";
import { reactionButtons } from "./stickers.js";
import { dialog } from "../table/sheet.js";

/** @import { Desk, Quick } from "../types.d.ts" */

/** Quick messages in their displayed order. The server declares them in rooms/people/chat.py. @type {Record<Quick, true>} */
const QUICK_MESSAGES = {
  well_played: true,
  thanks: true,
  good_luck: true,
  wait_for_me: true,
  here_again: true,
  take_your_time: true,
  one_more: true,
  good_night: true,
};

/** The longest message that the server accepts, in characters. */
const LONGEST = 200;

/** @type {WeakMap<Element, number>} How many lines each list had when it was last drawn. */
const lengths = new WeakMap();

/** @param {Element} list */
function scrollToNewest(list) {
  // Scroll in the next frame: the list has no height before it is visible.
  if (lengths.get(list) !== list.childElementCount) requestAnimationFrame(() => (list.scrollTop = list.scrollHeight));
  lengths.set(list, list.childElementCount);
}

/** @param {Desk} desk */
function chatLines({ model, update }) {
  const lines = model.chat.lines.filter(({ by }) => !isMuted(update.room.code, by));
  return h(
    "ol",
    {
      key: "said",
      "data-zone": "chat",
      class: "chat-lines",
      role: "log",
      "aria-label": t("chat.title"),
      tabindex: "0",
      ref: scrollToNewest,
    },
    lines.length === 0 ? h("li", { key: "none", class: "quiet" }, t("chat.none")) : null,
    lines.map((line) => h("li", { key: line.id }, h("b", null, line.by), " ", h("span", null, lineText(line)))),
  );
}

/** @param {Desk} desk */
function chatInputs(desk) {
  /** @param {Event} event */
  const onsubmit = async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const text = String(new FormData(form).get("text") ?? "").trim();
    if (text !== "" && (await desk.ask({ t: "send_chat", text }))) form.reset();
  };
  return [
    h(
      "div",
      { key: "quick", class: "quick-words", role: "group", "aria-label": t("chat.quick") },
      /** @type {Quick[]} */ (Object.keys(QUICK_MESSAGES)).map((quick) =>
        button(
          {
            key: quick,
            class: "button small",
            "data-quick": quick,
            onclick: () => desk.ask({ t: "send_chat", quick }),
          },
          t(`chat.quick.${quick}`),
        ),
      ),
    ),
    h(
      "form",
      { key: "own-words", class: "own-words", onsubmit },
      h(
        "label",
        { class: "field" },
        h("span", { class: "sr-only" }, t("chat.own")),
        h("input", {
          name: "text",
          maxlength: LONGEST,
          autocomplete: "off",
          enterkeyhint: "send",
          placeholder: t("chat.own"),
        }),
      ),
      h("button", { type: "submit", class: "button" }, t("chat.send")),
    ),
  ];
}

/** @param {Desk} desk */
function chatSection(desk) {
  const { room, you } = desk.update;
  return h(
    "section",
    { key: "chat", class: "chat" },
    room.chat ? [chatLines(desk), chatInputs(desk)] : h("p", { key: "off", class: "quiet" }, t("chat.off")),
    h("p", { key: "how", class: "quiet" }, t("chat.how")),
    you.host
      ? button(
          {
            key: "allow",
            class: "button small",
            "data-ask": "allow_chat",
            onclick: () => desk.ask({ t: "allow_chat", allowed: !room.chat }),
          },
          t(room.chat ? "chat.turn_off" : "chat.turn_on"),
        )
      : null,
  );
}

/** @param {Desk} desk */
export function chatSheet(desk) {
  return dialog(desk, t("talk.title"), [reactionButtons(desk), chatSection(desk)]);
}
