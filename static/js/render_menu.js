// @ts-check
// What opens over the table: the menu, the log on a narrow screen, rules, settings, a decree, a name.

import { button, h } from "./dom.js";
import { fresh, options, problemWith } from "./form.js";
import { t } from "./messages.js";
import { applyLooks, like, liked } from "./prefs.js";
import { clocks } from "./render_clocks.js";
import { rulesForm } from "./render_form.js";
import { inviteLink, roomCode } from "./render_lobby.js";
import { people } from "./render_people.js";
import { rulesInForce } from "./render_rules.js";
import { dialog } from "./render_sheet.js";
import { log } from "./render_table.js";
import { ways } from "./render_ways.js";
import { nameForm, welcomeWords } from "./render_welcome.js";
import { copyText } from "./sharing.js";
import { sound } from "./sounds.js";

/** @typedef {import("./dom.js").VNode} VNode */
/** @typedef {import("./types.d.ts").Desk} Desk */
/** @typedef {import("./form.js").RulesForm} RulesForm */

/** @param {Desk} desk @param {string} name @param {string} on @param {string} off @param {string} text */
function pref(desk, name, on, off, text) {
  const is = liked(name, off) === on;
  return h(
    "label",
    { key: name, class: "toggle" },
    h("input", {
      type: "checkbox",
      checked: is,
      onchange: () => {
        like(name, is ? off : on);
        applyLooks();
        sound("turn");
        desk.set({});
      },
    }),
    h("span", null, text),
  );
}

/** @param {Desk} desk @param {string} name @param {string} text @param {import("./types.d.ts").Command} command @param {boolean} [sure] */
function entry(desk, name, text, command, sure = false) {
  const armed = desk.model.form[`sure-${name}`] === true;
  return button(
    {
      key: name,
      class: `button wide${armed ? " bad" : ""}`,
      "data-ask": command.t,
      onclick: async () => {
        if (sure && !armed) return desk.fill(`sure-${name}`, true);
        if (await desk.ask(command)) desk.set({ sheet: null, form: {} });
      },
    },
    armed ? t("menu.sure", { what: text }) : text,
  );
}

/** @param {Desk} desk */
function fairness(desk) {
  const fair = desk.update.room.fair;
  if (!fair?.commitment) return null;
  return h(
    "details",
    { key: "fair", class: "fair" },
    h("summary", null, t("fair.title")),
    h("p", null, t("fair.how")),
    h("p", { class: "hash" }, fair.commitment),
    h("p", { class: "quiet" }, t("fair.seeds", { names: Object.keys(fair.seeds).join(", ") || "–" })),
    fair.previous ? h("p", null, t("fair.previous"), h("span", { class: "hash" }, fair.previous.secret)) : null,
  );
}

/** @param {Desk} desk */
function menu(desk) {
  const { room, you, table } = desk.update;
  const link = inviteLink(room);
  const copy = async () => desk.tell((await copyText(link)) ? t("share.copied") : t("share.by_hand", { link }));
  const seated = you.name !== null && you.role !== "watcher";
  return dialog(desk, t("menu.title"), [
    h(
      "div",
      { class: "toggles" },
      pref(desk, "sound", "on", "off", t("menu.sound")),
      pref(desk, "suits", "four", "two", t("menu.four")),
    ),
    h(
      "div",
      { class: "buttons" },
      button({ class: "button", onclick: () => desk.set({ sheet: "rules" }) }, t("menu.rules")),
      button({ class: "button", onclick: copy }, t("menu.invite")),
      you.host ? entry(desk, "lock", t(room.locked ? "menu.unlock" : "menu.lock"), { t: "lock", locked: !room.locked }) : null,
    ),
    roomCode(room),
    people(desk),
    you.host ? clocks(desk) : null,
    fairness(desk),
    h("details", { key: "keys", class: "keys menu-keys" }, h("summary", null, t("menu.keys.title")), h("p", null, t("menu.keys"))),
    h(
      "div",
      { class: "leaving" },
      seated && table !== null ? entry(desk, "watch", t("menu.watch"), { t: "watch" }, true) : null,
      seated ? entry(desk, "leave", t("menu.leave"), { t: "leave" }, true) : null,
      you.host && (room.phase === "playing" || room.phase === "pause")
        ? entry(desk, "stop", t("menu.stop"), { t: "stop" }, true)
        : null,
    ),
  ]);
}

/** @param {Desk} desk */
function decree(desk) {
  const subjects = desk.update.you.subjects ?? [];
  const everybody = subjects.length === (desk.update.table?.seats.length ?? 0) - 1;
  /** @param {Event} event */
  const onsubmit = async (event) => {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const text = String(data.get("text") ?? "").trim();
    const to = String(data.get("to") ?? "");
    if (text === "") return;
    if (await desk.act(to ? { do: "decree", text, to } : { do: "decree", text })) desk.set({ sheet: null });
  };
  return dialog(desk, t("decree.title"), [
    h(
      "form",
      { class: "decree", onsubmit },
      h(
        "label",
        { class: "field" },
        h("span", null, t("decree.to")),
        h(
          "select",
          { name: "to" },
          h("option", { value: "" }, t(everybody ? "decree.all" : "decree.below")),
          subjects.map((name) => h("option", { value: name }, name)),
        ),
      ),
      h(
        "label",
        { class: "field" },
        h("span", null, t("decree.text")),
        h("textarea", { name: "text", maxlength: 280, rows: 3, required: true }),
      ),
      h("button", { type: "submit", class: "button main" }, t("decree.go")),
    ),
  ]);
}

/** @param {Desk} desk */
function settings(desk) {
  const { room } = desk.update;
  desk.declarations();
  const catalogue = desk.catalogue;
  if (catalogue === null) return dialog(desk, t("settings.title"), [h("p", null, t("loading"))]);
  const game = catalogue.games.find((each) => each.key === room.game) ?? catalogue.games[0];
  if (game === undefined) return null;
  const form = /** @type {RulesForm} */ (
    desk.model.form.rules ?? { ...fresh(game), preset: room.preset, changes: { ...room.differences } }
  );
  const turn = desk.model.form.turn === undefined ? room.clock.turn : Number(desk.model.form.turn) || null;
  const pause = desk.model.form.pause === undefined ? room.clock.pause : Number(desk.model.form.pause) || null;
  /** @param {RulesForm} next */
  const change = async (next) => {
    desk.fill("rules", next);
    const chosen = catalogue.games.find((each) => each.key === next.game);
    if (chosen === undefined) return;
    const problem = await problemWith(chosen, next);
    if (problem !== next.problem) desk.fill("rules", { ...next, problem });
  };
  const save = async () => {
    const chosen = catalogue.games.find((each) => each.key === form.game);
    if (chosen === undefined) return;
    const done = await desk.ask({
      t: "configure",
      game: chosen.key,
      options: options(chosen, form),
      clock: { turn, pause },
    });
    if (done) desk.set({ sheet: null, form: {} });
  };
  return dialog(
    desk,
    t("settings.title"),
    [
      h(
        "div",
        { class: "clocks", key: "clocks" },
        clock(desk, "turn", t("new.turn"), turn),
        clock(desk, "pause", t("new.pause"), pause),
      ),
      /** @type {VNode} */ (rulesForm(catalogue, form, change)),
      h(
        "div",
        { class: "submit-bar", key: "save" },
        button(
          { class: "button main", disabled: form.problem !== "", onclick: save },
          t("settings.save"),
        ),
      ),
    ],
    "broad",
  );
}

/** @param {Desk} desk @param {string} name @param {string} label @param {number | null} value */
function clock(desk, name, label, value) {
  return h(
    "label",
    { key: name, class: "field" },
    h("span", null, label),
    h("input", {
      type: "number",
      min: 0,
      max: 600,
      inputmode: "numeric",
      placeholder: t(`new.${name}.none`),
      value: value ? String(value) : "",
      oninput: (/** @type {Event} */ event) => desk.fill(name, /** @type {HTMLInputElement} */ (event.target).value),
    }),
  );
}

/** What is open over the table now. @param {Desk} desk */
export function sheet(desk) {
  switch (desk.model.sheet) {
    case "menu":
      return menu(desk);
    case "log":
      return dialog(desk, t("tool.log"), [h("div", { class: "log-box" }, log(desk.update.table, desk.model.log))]);
    case "rules":
      return dialog(desk, t("rules.in_force"), [rulesInForce(desk)]);
    case "settings":
      return settings(desk);
    case "decree":
      return decree(desk);
    case "ways":
      return ways(desk);
    case "join":
      return dialog(desk, t("watch.join"), [h("p", { key: "words" }, welcomeWords(desk.update)), nameForm(desk)]);
    default:
      return null;
  }
}
