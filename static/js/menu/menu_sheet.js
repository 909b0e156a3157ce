// @ts-check
// The menu: a tab for the person, one for the table, and one for the host. Longer parts are separate pages, so that at
// most twelve controls are visible at once.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { GAMES_FELT } from "../lib/preferences.js";
import { SCENE_PREFERENCE } from "../animation/scene_setting.js";
import { VOICE_PREFERENCE } from "../events/remarks.js";
import { LETTERS } from "../model/card_names.js";
import { isMatchRunning } from "../model/state.js";
import { lookChoice } from "../ui/look_choice.js";
import { preferenceCheckbox } from "../ui/preference_checkbox.js";
import { dialog } from "../table/sheet.js";
import { knownCardsNotice } from "../table/status_badges.js";
import { copyInviteLink } from "../lobby/invite.js";
import { roomCodeView } from "../lobby/room_link.js";
import { clockSettings } from "./clock_settings.js";
import { fairnessSection } from "./fairness.js";
import { botsPage, lockSetting, seatOffersSetting, spectatorsSetting, undoSetting } from "./host_settings.js";
import { isLanguageChoice, languagesPage } from "./languages.js";
import { notificationSetting, pushSetting } from "./notification_settings.js";
import { face, peoplePage } from "./people.js";
import { linkRow, menuRow, pageRow, riskyRow, sheetRow } from "./rows.js";
import { soundCheckbox, vibrationCheckbox, volumeSlider } from "./sound_settings.js";

/**
 * @import { Children } from "../lib/virtual_dom.js"
 * @import { Desk } from "../types.d.ts"
 */

/** @type {Record<string, (desk: Desk) => Children[]>} */
const TABS = { me: meTab, table: tableTab, host: hostTab };

/** The pages: their titles, whether only the host has them, and their contents. @type {Record<string, { title: string, host?: boolean, draw: (desk: Desk) => Children[] }>} */
const PAGES = {
  alerts: {
    title: "menu.alerts",
    draw: (desk) => [volumeSlider(desk), vibrationCheckbox(desk), notificationSetting(desk), pushSetting(desk)],
  },
  look: {
    title: "menu.look",
    draw: (desk) => [
      lookChoice(desk, "felt", [GAMES_FELT, "green", "blue", "slate", "plum"]),
      lookChoice(desk, "back", ["stripes", "lattice", "dots"]),
      lookChoice(desk, "letters", [LETTERS, "BDKA", "VDRA"], (each) => [...each].join(" ")),
      preferenceCheckbox(desk, "suits", "four", "two", t("menu.four")),
      preferenceCheckbox(desk, "thumb", "left", "right", t("menu.left")),
      preferenceCheckbox(desk, SCENE_PREFERENCE, "on", "off", t("menu.scenes"), "on"),
      preferenceCheckbox(desk, VOICE_PREFERENCE, "on", "off", t("menu.voice"), "on"),
    ],
  },
  languages: { title: "footer.language", draw: languagesPage },
  fair: { title: "fair.title", draw: (desk) => [fairnessSection(desk)] },
  people: { title: "menu.people", draw: peoplePage },
  bots: { title: "menu.bots", host: true, draw: botsPage },
  spectators: {
    title: "menu.spectators",
    host: true,
    draw: (desk) => [spectatorsSetting(desk), seatOffersSetting(desk)],
  },
  clocks: { title: "clocks.title", host: true, draw: (desk) => [clockSettings(desk)] },
};

/** Draw the menu: a page that is open, else the tabs. @param {Desk} desk */
export function menuSheet(desk) {
  const { form } = desk.model;
  const { you } = desk.update;
  const page = PAGES[String(form.page ?? "")];
  if (page === undefined || (page.host && !you.host)) return dialog(desk, t("menu.title"), tabs(desk));
  const back = () => {
    if (form.person) return desk.fill("person", null);
    // The row that opened the page gets the focus again.
    const row = `[data-page="${form.page}"]`;
    desk.set({ form: {} });
    queueMicrotask(() => /** @type {HTMLElement | null} */ (document.querySelector(row))?.focus());
  };
  return dialog(
    desk,
    t(page.title),
    [h("div", { key: `page-${form.page}`, class: "menu-list" }, page.draw(desk))],
    "",
    back,
  );
}

/** Draw the tabs and the contents of the current one. The menu starts with the table. @param {Desk} desk */
function tabs(desk) {
  const { model, update } = desk;
  const names = Object.keys(TABS).filter((each) => each !== "host" || update.you.host);
  const current = names.find((each) => each === model.menuTab) ?? "table";
  return [
    h(
      "div",
      {
        key: "tabs",
        role: "tablist",
        class: "tabs",
        "aria-label": t("menu.title"),
        onkeydown: (/** @type {KeyboardEvent} */ event) => chooseTabByKey(desk, names, current, event),
      },
      names.map((each) =>
        button(
          {
            key: each,
            id: `tab-${each}`,
            role: "tab",
            class: "tab",
            "aria-selected": each === current,
            "aria-controls": "menu-panel",
            tabindex: each === current ? 0 : -1,
            onclick: () => desk.set({ menuTab: each }),
          },
          t(`menu.tab.${each}`),
        ),
      ),
    ),
    h(
      "div",
      {
        key: `panel-${current}`,
        id: "menu-panel",
        role: "tabpanel",
        class: "menu-list",
        "aria-labelledby": `tab-${current}`,
      },
      TABS[current]?.(desk),
    ),
  ];
}

/** Choose a tab with the arrow keys, Home or End, and move the focus there. @param {Desk} desk @param {string[]} names @param {string} current @param {KeyboardEvent} event */
function chooseTabByKey(desk, names, current, event) {
  const forwards = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const step = { [forwards]: 1, [forwards === "ArrowRight" ? "ArrowLeft" : "ArrowRight"]: -1 }[event.key];
  const at = step === undefined ? { Home: 0, End: names.length - 1 }[event.key] : names.indexOf(current) + step;
  if (at === undefined) return;
  event.preventDefault();
  const next = names[(at + names.length) % names.length] ?? current;
  document.getElementById(`tab-${next}`)?.focus();
  desk.set({ menuTab: next });
}

/** @param {Desk} desk @returns {Children[]} */
function meTab(desk) {
  const { name } = desk.update.you;
  return [
    name === null
      ? null
      : sheetRow(
          desk,
          "self",
          [
            face(desk, name),
            h(
              "span",
              { class: "who" },
              h("b", { class: "name", translate: "no" }, name),
              h("small", null, t("menu.mine")),
            ),
          ],
          "person",
        ),
    soundCheckbox(desk),
    pageRow(desk, "alerts", t("menu.alerts")),
    pageRow(desk, "look", t("menu.look")),
    preferenceCheckbox(desk, "confirm", "on", "off", t("menu.confirm")),
    preferenceCheckbox(desk, "pass_for", "trick", "turn", t("menu.pass")),
    isLanguageChoice() ? pageRow(desk, "languages", t("footer.language")) : null,
    sheetRow(desk, "keys", t("keys.title"), "keys"),
  ];
}

/** @param {Desk} desk @returns {Children[]} */
function tableTab(desk) {
  const { room, you, table } = desk.update;
  const seated = you.name !== null && you.role !== "spectator";
  const screenKey = you.screen_key ? `?key=${you.screen_key}` : "";
  const pause = async () => {
    if (await desk.ask({ t: "propose", subject: "pause" })) desk.close("menu");
  };
  return [
    roomCodeView(room),
    knownCardsNotice(room),
    menuRow("invite", t("menu.invite"), () => copyInviteLink(desk)),
    sheetRow(desk, "rules", t("menu.rules")),
    you.host ? null : pageRow(desk, "people", t("menu.people")),
    linkRow("screen", t("screen.open"), {
      href: `/r/${room.code}/screen${screenKey}`,
      target: "_blank",
      rel: "noopener",
    }),
    linkRow("book", t("book.open"), { href: `/r/${room.code}/book` }),
    room.session === null ? null : sheetRow(desk, "settle", t("settle.title")),
    room.fair?.commitment ? pageRow(desk, "fair", t("fair.title")) : null,
    seated && isMatchRunning(desk.update) && room.paused === null
      ? menuRow("rest", t(you.host ? "rest.start" : "rest.ask"), pause, { "data-ask": "propose" })
      : null,
    seated && table !== null ? riskyRow(desk, "watch", t("menu.watch")) : null,
  ];
}

/** @param {Desk} desk @returns {Children[]} */
function hostTab(desk) {
  return [
    pageRow(desk, "people", t("menu.people")),
    pageRow(desk, "bots", t("menu.bots")),
    pageRow(desk, "clocks", t("clocks.title")),
    pageRow(desk, "spectators", t("menu.spectators")),
    lockSetting(desk),
    undoSetting(desk),
    riskyRow(desk, "rotate_code", t("menu.renew")),
    isMatchRunning(desk.update) ? riskyRow(desk, "stop", t("menu.stop")) : null,
  ];
}
