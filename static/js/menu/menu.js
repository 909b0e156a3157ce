// @ts-check
// What opens over the table: the menu, the log on a narrow screen, rules, settings, a decree, a name.

import { button, h } from "../lib/virtual_dom.js";
import { fresh, options, problemWith } from "../rules/form_state.js";
import { list, t } from "../lib/messages.js";
import { calling, callingAnyway } from "./notification_settings.js";
import { clocks } from "./clock_settings.js";
import { rulesForm } from "../rules/form.js";
import { invite, nameSheet } from "../lobby/invite.js";
import { keysSheet } from "./shortcut_help.js";
import { roomCode } from "../lobby/waiting_room.js";
import { takeBackAllowed } from "../table/proposals.js";
import { pace, standIn } from "../actions/bot_settings.js";
import { people } from "./people.js";
import { preference } from "../ui/preference_checkbox.js";
import { prospects } from "./playable_sheet.js";
import { rulesInForce } from "../rules/room_rules.js";
import { self } from "./profile.js";
import { settleButton, settleUp } from "../result/settle_up.js";
import { dialog } from "../table/sheet.js";
import { signList } from "../table/status_badges.js";
import { soundSettings } from "./sound_settings.js";
import { stakeFields, stakeOf, typed } from "../rules/stake.js";
import { knownCards } from "../table/status_badges.js";
import { log } from "../table/log.js";
import { talk } from "../chat/sheet.js";
import { ways } from "./play_as_sheet.js";
import { hostAgain } from "../lobby/rejoin_request.js";
import { nameForm, welcomeWords } from "../lobby/join_form.js";
import { copyText } from "../lib/share.js";
import { nameOf } from "../model/state.js";

/** @typedef {import("../lib/virtual_dom.js").VNode} VNode */
/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../rules/form_state.js").RulesForm} RulesForm */
/** @typedef {import("../types.d.ts").Room} Room */

/** @type {Room["ranks"][]} */
const LASTING = ["never", "game", "always"];

/** @param {Desk} desk @param {string} name @param {string} text @param {import("../types.d.ts").Command} command @param {boolean} [sure] */
function entry(desk, name, text, command, sure = false) {
  const armed = desk.model.form[`sure-${name}`] === true;
  return button(
    {
      key: name,
      class: `button wide${armed ? " bad" : ""}`,
      "data-ask": command.t,
      onclick: async () => {
        if (sure && !armed) return desk.fill(`sure-${name}`, true);
        if (!(await desk.ask(command))) return;
        desk.fill(`sure-${name}`, false);
        desk.close(desk.model.sheet);
      },
    },
    armed ? t("menu.sure", { what: text }) : text,
  );
}

/** How the cards come about, and what this browser has found out about the last deal. @param {Desk} desk */
function fairness(desk) {
  const { fair, phase, known } = desk.update.room;
  if (!fair?.commitment) return null;
  const secret = fair.previous?.secret;
  const names = Object.keys(fair.hashes);
  const alone = phase === "playing" && fair.closed === null && known === null;
  const found = desk.chance?.told ?? { last: null, left: 0, deals: 0 };
  const seen = desk.chance?.seen ?? null;
  return h(
    "details",
    { key: "fair", "data-zone": "fair", class: "fair" },
    h("summary", null, t("fair.title")),
    h("p", null, t("fair.how")),
    h("p", null, t("fair.limits")),
    h("p", { class: "hash" }, fair.commitment),
    h("p", { class: "quiet" }, names.length === 0 ? t("fair.seeds.none") : t("fair.seeds", { names: list(names) })),
    alone ? h("p", null, t("fair.alone")) : null,
    fair.left_out.length === 0 ? null : h("p", null, t("fair.left_out", { names: list(fair.left_out) })),
    secret ? h("p", null, t("fair.previous"), h("span", { class: "hash" }, secret)) : null,
    found.last === null
      ? null
      : h(
          "p",
          { class: `verdict ${found.last.verdict}` },
          t(found.last.left ? "fair.found.left" : `fair.found.${found.last.verdict}`),
        ),
    found.left === 0 ? null : h("p", null, t("fair.left", { count: found.left })),
    seen === null ? null : copyList(desk, seen),
  );
}

/** Copies the closed list, as this browser saw it, for whoever checks the record. @param {Desk} desk @param {object} seen */
function copyList(desk, seen) {
  const copied = desk.model.form.list_copied === true;
  return button(
    {
      key: "list",
      class: "button small",
      "data-do": "copy-list",
      onclick: async () => desk.fill("list_copied", await copyText(JSON.stringify(seen, null, 2))),
    },
    copied ? t("fair.list.copied") : t("fair.list.copy"),
  );
}

/** @param {Desk} desk */
function menu(desk) {
  const { room, you } = desk.update;
  const seated = you.name !== null && you.role !== "watcher";
  return dialog(desk, t("menu.title"), [
    soundSettings(desk),
    h(
      "div",
      { key: "looks", "data-zone": "toggles", class: "toggles" },
      preference(desk, "suits", "four", "two", t("menu.four")),
      preference(desk, "confirm", "on", "off", t("menu.confirm")),
      preference(desk, "thumb", "left", "right", t("menu.left")),
      calling(desk),
      callingAnyway(desk),
    ),
    h(
      "div",
      { class: "buttons even" },
      button({ class: "button", onclick: () => desk.set({ sheet: "rules" }) }, t("menu.rules")),
      button({ class: "button", onclick: () => invite(desk) }, t("menu.invite")),
      button(
        { class: "button keys", "data-open": "keys", onclick: () => desk.set({ sheet: "keys" }) },
        t("keys.title"),
      ),
      seated && (room.phase === "playing" || room.phase === "pause") && room.rest === null
        ? entry(desk, "rest", t(you.host ? "rest.start" : "rest.ask"), { t: "propose", matter: "rest" })
        : null,
      settleButton(desk),
      you.name === null
        ? null
        : button(
            { key: "self", class: "button", onclick: () => desk.set({ sheet: "self", form: {} }) },
            t("menu.mine"),
          ),
      hostAgain(desk),
      h("a", { key: "book", class: "button", href: `/r/${room.code}/book` }, t("book.open")),
      h(
        "a",
        { key: "screen", class: "button", href: `/r/${room.code}/screen`, target: "_blank", rel: "noopener" },
        t("screen.open"),
      ),
      you.host
        ? entry(desk, "lock", t(room.locked ? "menu.unlock" : "menu.lock"), { t: "lock", locked: !room.locked })
        : null,
      you.host ? entry(desk, "renew", t("menu.renew"), { t: "renew" }, true) : null,
    ),
    roomCode(room),
    people(desk),
    you.host ? pace(desk) : null,
    you.host ? standIn(desk) : null,
    you.host ? takeBackAllowed(desk) : null,
    you.host ? clocks(desk) : null,
    knownCards(desk.update.room),
    fairness(desk),
    leaving(desk),
  ]);
}

/** What ends one's own game, or the match. @param {Desk} desk */
function leaving(desk) {
  const { room, you, table } = desk.update;
  const seated = you.name !== null && you.role !== "watcher";
  return h(
    "div",
    { class: "leaving" },
    seated && table !== null ? entry(desk, "watch", t("menu.watch"), { t: "watch" }, true) : null,
    seated ? entry(desk, "leave", t("menu.leave"), { t: "leave" }, true) : null,
    you.host && (room.phase === "playing" || room.phase === "pause")
      ? entry(desk, "stop", t("menu.stop"), { t: "stop" }, true)
      : null,
  );
}

/** Words to one player or to all whom one may give orders. @param {Desk} desk */
function order(desk) {
  const name = nameOf(desk.update, "text");
  const form = desk.update.actions[name];
  const subjects = desk.update.you.subjects ?? [];
  const everybody = subjects.length === (desk.update.table?.seats.length ?? 0) - 1;
  /** @param {Event} event */
  const onsubmit = async (event) => {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const text = String(data.get("text") ?? "").trim();
    const to = String(data.get("to") ?? "");
    if (text === "") return;
    if (await desk.act(to ? { do: name, text, to } : { do: name, text })) desk.close(desk.model.sheet);
  };
  return dialog(desk, t(`action.${name}.title`), [
    h(
      "form",
      { class: "order", onsubmit },
      h(
        "label",
        { class: "field" },
        h("span", null, t(`action.${name}.to`)),
        h(
          "select",
          { name: "to" },
          h("option", { value: "" }, t(`action.${name}.to.${everybody ? "all" : "some"}`)),
          subjects.map((name) => h("option", { value: name }, name)),
        ),
      ),
      h(
        "label",
        { class: "field" },
        h("span", null, t(`action.${name}.text`)),
        h("textarea", { name: "text", maxlength: form?.most, rows: 3, required: true }),
      ),
      h("button", { type: "submit", class: "button main" }, t(`action.${name}.go`)),
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
  const ranks = /** @type {Room["ranks"]} */ (desk.model.form.ranks ?? room.ranks);
  const stake = /** @type {import("../rules/stake.js").Typed} */ (desk.model.form.stake ?? typed(room.stake));
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
      ranks,
      stake: stakeOf(stake),
    });
    if (done) desk.close("settings");
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
        lasting(desk, ranks),
      ),
      stakeFields(stake, (next) => desk.fill("stake", next)),
      /** @type {VNode} */ (rulesForm(catalogue, form, change)),
      h(
        "div",
        { "data-zone": "submit", class: "submit-bar", key: "save" },
        button({ class: "button main", disabled: form.problem !== "", onclick: save }, t("settings.save")),
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
      return dialog(desk, t("tool.log"), [
        h("div", { "data-zone": "log-box", class: "log-box" }, log(desk.update.table, desk.model.log)),
      ]);
    case "rules":
      return dialog(desk, t("rules.in_force"), [rulesInForce(desk)]);
    case "settings":
      return settings(desk);
    case "order":
      return order(desk);
    case "settle":
      return settleUp(desk);
    case "self":
      return self(desk);
    case "talk":
      return talk(desk);
    case "ways":
      return ways(desk);
    case "signs":
      return dialog(desk, t("signs.label"), [signList(desk.update.table)]);
    case "name":
      return nameSheet(desk);
    case "prospects":
      return prospects(desk);
    case "keys":
      return keysSheet(desk);
    case "come_in":
      return dialog(desk, t("watch.join"), [h("p", { key: "words" }, welcomeWords(desk.update)), nameForm(desk)]);
    default:
      return null;
  }
}

/** Who is king in the next match. @param {Desk} desk @param {Room["ranks"]} chosen */
function lasting(desk, chosen) {
  return h(
    "label",
    { key: "ranks", class: "field" },
    h("span", null, t("settings.ranks")),
    h(
      "select",
      {
        id: "ranks",
        onchange: (/** @type {Event} */ event) =>
          desk.fill("ranks", /** @type {HTMLSelectElement} */ (event.target).value),
      },
      LASTING.map((each) => h("option", { value: each, selected: each === chosen }, t(`settings.ranks.${each}`))),
    ),
  );
}
