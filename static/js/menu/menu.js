// @ts-check
// The sheets over the table: menu, log on a narrow screen, rules, settings, decree and name.

import { button, h } from "../lib/virtual_dom.js";
import { newForm, optionsToSend, findRulesProblem } from "../rules/form_state.js";
import { formatNames, t } from "../lib/messages.js";
import { notificationSetting, pushSetting } from "./notification_settings.js";
import { clockSettings } from "./clock_settings.js";
import { rulesForm } from "../rules/form.js";
import { copyInviteLink, nameSheet } from "../lobby/invite.js";
import { shortcutSheet } from "./shortcut_help.js";
import { roomCodeView } from "../lobby/waiting_room.js";
import { undoSetting } from "../table/proposals.js";
import { paceSetting, standInSetting } from "../actions/bot_settings.js";
import { peopleSection } from "./people.js";
import { preferenceCheckbox } from "../ui/preference_checkbox.js";
import { playableSheet } from "./playable_sheet.js";
import { rulesInForce } from "../rules/room_rules.js";
import { profileSheet } from "./profile.js";
import { settleButton, settleUpSheet } from "../result/settle_up.js";
import { dialog } from "../table/sheet.js";
import { statusBadgeList } from "../table/status_badges.js";
import { soundSettings } from "./sound_settings.js";
import { stakeFields, parseStake, stakeToInput } from "../rules/stake.js";
import { knownCardsNotice } from "../table/status_badges.js";
import { logView } from "../table/log.js";
import { chatSheet } from "../chat/sheet.js";
import { interpretationSheet } from "./play_as_sheet.js";
import { reclaimHostButton } from "../lobby/rejoin_request.js";
import { joinForm, joinInfoText } from "../lobby/join_form.js";
import { copyText } from "../lib/share.js";
import { actionName } from "../model/state.js";

/** @typedef {import("../lib/virtual_dom.js").VNode} VNode */
/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../rules/form_state.js").RulesForm} RulesForm */
/** @typedef {import("../types.d.ts").Room} Room */

/** @type {Room["carry_titles"][]} */
const TITLE_DURATIONS = ["never", "game", "always"];

/** @param {Desk} desk @param {string} name @param {string} text @param {import("../types.d.ts").Command} command @param {boolean} [needsConfirmation] */
function commandButton(desk, name, text, command, needsConfirmation = false) {
  const armed = desk.model.form[`sure-${name}`] === true;
  return button(
    {
      key: name,
      class: `button wide${armed ? " bad" : ""}`,
      "data-ask": command.t,
      onclick: async () => {
        if (needsConfirmation && !armed) return desk.fill(`sure-${name}`, true);
        if (!(await desk.ask(command))) return;
        desk.fill(`sure-${name}`, false);
        desk.close(desk.model.sheet);
      },
    },
    armed ? t("menu.sure", { what: text }) : text,
  );
}

/** Explain how the deal is proved fair, and say what this browser found when it checked the last deal. @param {Desk} desk */
function fairnessSection(desk) {
  const { fair, phase, known_cards } = desk.update.room;
  if (!fair?.commitment) return null;
  const secret = fair.previous?.secret;
  const names = Object.keys(fair.hashes);
  const alone = phase === "playing" && fair.closed === null && known_cards === null;
  const found = desk.chance?.told ?? { last: null, left: 0, deals: 0 };
  const seen = desk.chance?.seen ?? null;
  return h(
    "details",
    { key: "fair", "data-zone": "fair", class: "fair" },
    h("summary", null, t("fair.title")),
    h("p", null, t("fair.how")),
    h("p", null, t("fair.limits")),
    h("p", { class: "hash" }, fair.commitment),
    h(
      "p",
      { class: "quiet" },
      names.length === 0 ? t("fair.seeds.none") : t("fair.seeds", { names: formatNames(names) }),
    ),
    alone ? h("p", null, t("fair.alone")) : null,
    fair.left_out.length === 0 ? null : h("p", null, t("fair.left_out", { names: formatNames(fair.left_out) })),
    secret ? previousSecret(secret) : null,
    found.last === null
      ? null
      : h(
          "p",
          { class: `verdict ${found.last.verdict}` },
          t(found.last.left ? "fair.found.left" : `fair.found.${found.last.verdict}`),
        ),
    found.left === 0 ? null : h("p", null, t("fair.left", { count: found.left })),
    seen === null ? null : copyListButton(desk, seen),
  );
}

/** Show the secret of the hand before, which its fingerprint announced. @param {string} secret */
function previousSecret(secret) {
  const [before, after] = t("fair.previous").split("{secret}");
  return h("p", null, before, h("span", { class: "hash" }, secret), after);
}

/** Draw a button that copies the closed list of seeds, as this browser saw it, to check a match file. @param {Desk} desk @param {object} seen */
function copyListButton(desk, seen) {
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
function menuSheet(desk) {
  const { room, you } = desk.update;
  const seated = you.name !== null && you.role !== "spectator";
  return dialog(desk, t("menu.title"), [
    soundSettings(desk),
    h(
      "div",
      { key: "looks", "data-zone": "toggles", class: "toggles" },
      preferenceCheckbox(desk, "suits", "four", "two", t("menu.four")),
      preferenceCheckbox(desk, "confirm", "on", "off", t("menu.confirm")),
      preferenceCheckbox(desk, "thumb", "left", "right", t("menu.left")),
      notificationSetting(desk),
      pushSetting(desk),
    ),
    h(
      "div",
      { class: "buttons even" },
      button({ class: "button", onclick: () => desk.set({ sheet: "rules" }) }, t("menu.rules")),
      button({ class: "button", onclick: () => copyInviteLink(desk) }, t("menu.invite")),
      button(
        { class: "button keys", "data-open": "keys", onclick: () => desk.set({ sheet: "keys" }) },
        t("keys.title"),
      ),
      seated && (room.phase === "playing" || room.phase === "between_hands") && room.paused === null
        ? commandButton(desk, "rest", t(you.host ? "rest.start" : "rest.ask"), { t: "propose", subject: "pause" })
        : null,
      settleButton(desk),
      you.name === null
        ? null
        : button(
            { key: "self", class: "button", onclick: () => desk.set({ sheet: "self", form: {} }) },
            t("menu.mine"),
          ),
      reclaimHostButton(desk),
      h("a", { key: "book", class: "button", href: `/r/${room.code}/book` }, t("book.open")),
      h(
        "a",
        { key: "screen", class: "button", href: `/r/${room.code}/screen`, target: "_blank", rel: "noopener" },
        t("screen.open"),
      ),
      you.host
        ? commandButton(desk, "lock", t(room.locked ? "menu.unlock" : "menu.lock"), { t: "lock", locked: !room.locked })
        : null,
      you.host ? commandButton(desk, "rotate_code", t("menu.renew"), { t: "rotate_code" }, true) : null,
    ),
    roomCodeView(room),
    peopleSection(desk),
    you.host ? paceSetting(desk) : null,
    you.host ? standInSetting(desk) : null,
    you.host ? undoSetting(desk) : null,
    you.host ? clockSettings(desk) : null,
    knownCardsNotice(desk.update.room),
    fairnessSection(desk),
    leaveButtons(desk),
  ]);
}

/** Draw the buttons to become a spectator, leave the room, or stop the match (host only). @param {Desk} desk */
function leaveButtons(desk) {
  const { room, you, table } = desk.update;
  const seated = you.name !== null && you.role !== "spectator";
  return h(
    "div",
    { class: "leaving" },
    seated && table !== null ? commandButton(desk, "watch", t("menu.watch"), { t: "watch" }, true) : null,
    seated ? commandButton(desk, "leave", t("menu.leave"), { t: "leave" }, true) : null,
    you.host && (room.phase === "playing" || room.phase === "between_hands")
      ? commandButton(desk, "stop", t("menu.stop"), { t: "stop" }, true)
      : null,
  );
}

/** Draw the form for a decree: text, and the player or players who must follow it. @param {Desk} desk */
function decreeSheet(desk) {
  const name = actionName(desk.update, "text");
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
    if (await desk.playAction(to ? { do: name, text, to } : { do: name, text })) desk.close(desk.model.sheet);
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
function settingsSheet(desk) {
  const { room } = desk.update;
  desk.fetchCatalogueOnce();
  const catalogue = desk.catalogue;
  if (catalogue === null) return dialog(desk, t("settings.title"), [h("p", null, t("loading"))]);
  const game = catalogue.games.find((each) => each.key === room.game) ?? catalogue.games[0];
  if (game === undefined) return null;
  const form = /** @type {RulesForm} */ (
    desk.model.form.rules ?? { ...newForm(game), preset: room.preset, changes: { ...room.differences } }
  );
  const turn = desk.model.form.turn === undefined ? room.clock.turn : Number(desk.model.form.turn) || null;
  const pause = desk.model.form.pause === undefined ? room.clock.pause : Number(desk.model.form.pause) || null;
  const titles = /** @type {Room["carry_titles"]} */ (desk.model.form.carry_titles ?? room.carry_titles);
  const stake = /** @type {import("../rules/stake.js").StakeInput} */ (
    desk.model.form.stake ?? stakeToInput(room.stake)
  );
  /** @param {RulesForm} next */
  const change = async (next) => {
    desk.fill("rules", next);
    const chosen = catalogue.games.find((each) => each.key === next.game);
    if (chosen === undefined) return;
    const problem = await findRulesProblem(chosen, next);
    if (problem !== next.problem) desk.fill("rules", { ...next, problem });
  };
  const save = async () => {
    const chosen = catalogue.games.find((each) => each.key === form.game);
    if (chosen === undefined) return;
    const done = await desk.ask({
      t: "configure",
      game: chosen.key,
      options: optionsToSend(chosen, form),
      clock: { turn, pause },
      carry_titles: titles,
      stake: parseStake(stake),
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
        clockField(desk, "turn", t("new.turn"), turn),
        clockField(desk, "pause", t("new.pause"), pause),
        titleDurationSelect(desk, titles),
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
function clockField(desk, name, label, value) {
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

/** Draw the sheet that is open over the table, or null. @param {Desk} desk */
export function openSheet(desk) {
  switch (desk.model.sheet) {
    case "menu":
      return menuSheet(desk);
    case "log":
      return dialog(desk, t("tool.log"), [
        h("div", { "data-zone": "log-box", class: "log-box" }, logView(desk.update.table, desk.model.log)),
      ]);
    case "rules":
      return dialog(desk, t("rules.in_force"), [rulesInForce(desk)]);
    case "settings":
      return settingsSheet(desk);
    case "order":
      return decreeSheet(desk);
    case "settle":
      return settleUpSheet(desk);
    case "self":
      return profileSheet(desk);
    case "talk":
      return chatSheet(desk);
    case "ways":
      return interpretationSheet(desk);
    case "signs":
      return dialog(desk, t("signs.label"), [statusBadgeList(desk.update.table)]);
    case "name":
      return nameSheet(desk);
    case "prospects":
      return playableSheet(desk);
    case "keys":
      return shortcutSheet(desk);
    case "come_in":
      return dialog(desk, t("watch.join"), [h("p", { key: "words" }, joinInfoText(desk.update)), joinForm(desk)]);
    default:
      return null;
  }
}

/** Draw the choice when titles carry over to the next match. @param {Desk} desk @param {Room["carry_titles"]} chosen */
function titleDurationSelect(desk, chosen) {
  return h(
    "label",
    { key: "ranks", class: "field" },
    h("span", null, t("settings.ranks")),
    h(
      "select",
      {
        id: "ranks",
        onchange: (/** @type {Event} */ event) =>
          desk.fill("carry_titles", /** @type {HTMLSelectElement} */ (event.target).value),
      },
      TITLE_DURATIONS.map((each) =>
        h("option", { value: each, selected: each === chosen }, t(`settings.ranks.${each}`)),
      ),
    ),
  );
}
