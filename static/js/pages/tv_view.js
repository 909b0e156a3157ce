// @ts-check
// The table on a television, readable from across a room: seats, trick, places, recent events and how to join.
// Nothing here can be pressed, because players use their phones.

import { areScenesOn, toggleScenes } from "../animation/scene_setting.js";
import { avatar, faceOf, wornAt } from "../ui/avatar.js";
import { faceUpCard, textWithMiniCards } from "../ui/card_faces.js";
import { icon } from "../ui/icons.js";
import { isSoundOn } from "../sound/mute_setting.js";
import { button, h } from "../lib/virtual_dom.js";
import { formatList, formatValue, joinSentences, t } from "../lib/messages.js";
import { exchangeView } from "../result/exchange_view.js";
import { matchEnd, winnerPicture } from "../result/match_end.js";
import { showsPoints, buildRows } from "../result/result.js";
import { felt } from "../table/felt.js";
import { storyList } from "../result/story_view.js";
import { buildScene, turnText } from "../model/state.js";
import { scoreText, titleName } from "../events/labels.js";
import { resultHeading } from "../events/outcome.js";
import { VOICE } from "../events/log_lines.js";
import { isVoiceOn, VOICE_PREFERENCE } from "../events/remarks.js";
import { setPreference } from "../lib/preferences.js";

/** @import { HandEnd, Model, Table, Update } from "../types.d.ts" */

/** Number of recent events shown, and of events for which a remark stays. */
const MAX_LINES = 3;
const REMARK_STAYS = 6;
/** Show places in two columns if there are more than this. */
const MOST_IN_A_COLUMN = 9;

/**
 * Draw a button that turns something on and off.
 * @param {string} key @param {boolean} on @param {import("../lib/virtual_dom.js").Children} picture @param {string} label @param {() => void} toggle
 */
function toggleButton(key, on, picture, label, toggle) {
  const onclick = (/** @type {Event} */ event) => {
    // Elements around the button must not handle this click.
    event.stopPropagation();
    toggle();
  };
  return button(
    { key, class: "tool screen-toggle", "data-toggle": key, "aria-pressed": on, onclick },
    picture,
    h("span", { class: "sr-only" }, label),
  );
}

/**
 * Draw the choice of the television's own language, which its address keeps. Nothing if the server has only one.
 * @param {[string, string, string][]} [all] code, name and direction of each language
 */
function languageSelect(all = []) {
  const onchange = (/** @type {Event} */ event) => {
    const query = new URLSearchParams(location.search);
    query.set("language", /** @type {HTMLSelectElement} */ (event.target).value);
    location.search = String(query);
  };
  return all.length === 0
    ? null
    : h(
        "select",
        {
          key: "language",
          name: "language",
          class: "screen-language",
          "aria-label": t("footer.language"),
          value: document.documentElement.lang,
          onchange,
          onclick: (/** @type {Event} */ event) => event.stopPropagation(),
        },
        all.map(([language, name]) =>
          h(
            "option",
            { key: language, value: language, lang: language, selected: language === document.documentElement.lang },
            name,
          ),
        ),
      );
}

/** Draw the buttons for remarks, scenes and sound. @param {Pick<import("../types.d.ts").Desk, "set" | "toggleSound">} desk */
function toggleButtons({ set, toggleSound }) {
  const scenes = () => {
    toggleScenes();
    set({});
  };
  const voice = () => {
    setPreference(VOICE_PREFERENCE, isVoiceOn() ? "off" : "on");
    set({});
  };
  return [
    toggleButton("voice", isVoiceOn(), icon("talk"), t("menu.voice"), voice),
    toggleButton("scenes", areScenesOn(), h("span", { "aria-hidden": "true" }, "★"), t("menu.scenes"), scenes),
    toggleButton(
      "sound",
      isSoundOn(),
      icon(isSoundOn() ? "sound" : "silence"),
      t("menu.sound"),
      () => void toggleSound(),
    ),
  ];
}

/** Draw how to join. `link`: the invitation; `hereOnly`: it works only on this computer. @param {Update} update @param {{ link: string, hereOnly: boolean }} way */
function joinInfo({ room, you }, { link, hereOnly }) {
  const { host } = new URL(link, location.href);
  const spelt = [...room.code].join(" ");
  return h(
    "section",
    { key: "join", "data-zone": "screen-join", class: "screen-join" },
    hereOnly || you.join_blocked
      ? null
      : h("img", { class: "screen-qr", src: `/j/${room.invite}/qr.svg`, alt: t("share.qr"), width: 300, height: 300 }),
    h(
      "div",
      { key: "how", class: "screen-how" },
      h("p", null, you.join_blocked ? formatValue(you.join_blocked) : t(hereOnly ? "screen.here_only" : "screen.join")),
      you.join_blocked || hereOnly
        ? null
        : h("p", { key: "address", "data-zone": "screen-host", class: "screen-host" }, host),
      you.join_blocked
        ? null
        : h("b", { key: "code", class: "screen-code", translate: "no", role: "img", "aria-label": spelt }, room.code),
    ),
  );
}

/** @param {Update} update @param {string} name @param {number | null | undefined} place @param {number} count */
function playerAvatar({ room }, name, place, count) {
  return avatar({ ...faceOf(room, name), worn: wornAt(place, count) });
}

/** List all players: by the game's counter (highest first), then by place, then by seat. @param {Update} update @param {Table} table */
function standingList(update, table) {
  const { seats, players } = table;
  const left = (/** @type {string} */ name) => players[name]?.counter?.count ?? 0;
  const order = [...seats].sort(
    (one, other) =>
      left(other) - left(one) || (players[one]?.place ?? Infinity) - (players[other]?.place ?? Infinity) || 0,
  );
  return h(
    "section",
    { key: "ranks", "data-zone": "screen-ranks", class: "screen-ranks" },
    h("h2", null, t("screen.ranks")),
    h(
      "ol",
      { class: order.length > MOST_IN_A_COLUMN ? "many" : "" },
      order.map((name) => {
        const player = players[name];
        return h(
          "li",
          { key: name },
          playerAvatar(update, name, player?.place, seats.length),
          h("span", { "data-zone": "name", class: "name", translate: "no" }, name),
          h(
            "span",
            { "data-zone": "about", class: "what" },
            [titleName(player?.title), scoreText(table, name)].filter(Boolean).join(" · "),
          ),
        );
      }),
    ),
  );
}

/**
 * Draw the result of the hand over the whole screen, with the cards that were turned up, if the game turns cards up.
 * @param {Model} model
 * @param {Update} update
 * @param {Table} table
 * @param {HandEnd} last
 */
function handResult({ great, latest }, update, table, last) {
  const rows = buildRows(table, last, false);
  const first = rows.filter(({ place }) => place === 1).map(({ name }) => name);
  const open = (/** @type {string} */ name) => table.players[name]?.table_card || null;
  const points = showsPoints(table, last);
  const words = (/** @type {string} */ name) =>
    [
      titleName(last.titles[name]),
      points && table.tally === null ? t("me.points", { count: last.totals[name] ?? 0 }) : scoreText(table, name),
    ].filter(Boolean);
  const about = (/** @type {string} */ name) => [
    open(name) === null ? null : faceUpCard(open(name) ?? "", "small"),
    words(name).map((each) => h("span", { key: each }, each)),
  ];
  const heading = resultHeading(table, false);
  const picture = {
    key: `ended${table.number}`,
    heading,
    winners: first.length === 1 ? first : [],
    why: first.length === 1 ? formatList(words(first[0] ?? "")) : "",
    final: false,
    fresh: great,
    about,
    more: great ? h("p", { key: "great", class: "end-why" }, joinSentences(latest)) : null,
  };
  return h(
    "div",
    { key: "result", "data-zone": "screen-result", class: "screen-result" },
    winnerPicture(update, rows, picture),
  );
}

/** Draw the end of the match over the whole screen. @param {Model} model @param {Update} update */
function matchResult({ great }, update) {
  return h("div", { key: "end", "data-zone": "screen-result", class: "screen-result" }, matchEnd(update, great));
}

/** Draw whose turn it is and the latest events. @param {Model} model @param {Update} update */
function statusPanel({ log }, update) {
  const { room } = update;
  const closed = room.phase !== "lobby" && update.table === null ? t("watch.closed") : "";
  const waits =
    turnText(update) || (room.phase === "lobby" ? t("lobby.wait", { host: room.host ?? t("lobby.nobody") }) : closed);
  const said = log.filter((line) => line.kind !== "quiet");
  const lines = said.filter((line) => line.kind !== VOICE).slice(-MAX_LINES);
  // A remark stays for a few events.
  const remark = said
    .slice(-REMARK_STAYS)
    .findLast((line) => line.kind === VOICE && line.hand === update.table?.number);
  return h(
    "section",
    { key: "said", "data-zone": "screen-status", class: "screen-said" },
    room.next_deal_at === null
      ? h("p", { key: "turn", class: "screen-turn" }, waits)
      : h("p", { key: "next", class: "screen-turn", "data-until": room.next_deal_at }),
    h(
      "ol",
      { key: "lines" },
      lines.map((line) => h("li", { key: line.id, class: `log-${line.kind}` }, textWithMiniCards(line.text))),
    ),
    remark
      ? h(
          "p",
          { key: `remark${remark.id}`, "data-zone": "screen-remark", class: "screen-remark log-voice" },
          remark.text,
        )
      : null,
  );
}

/** List the people in the room before the match starts. @param {Update} update */
function peopleList(update) {
  const { room } = update;
  const here = room.people.filter((person) => person.role !== "spectator");
  return h(
    "ul",
    { key: "flock", class: "screen-flock" },
    here.map(({ name, present, bot }) =>
      h(
        "li",
        { key: name, "data-sits": name, "data-absent": !present && !bot, class: present || bot ? "" : "absent" },
        playerAvatar(update, name, room.carried_titles[name]?.place, here.length),
        h("span", { "data-zone": "name", class: "name", translate: "no" }, name),
      ),
    ),
  );
}

/**
 * @param {Model} model
 * @param {Update} update
 * @param {{ link: string, hereOnly: boolean, languages?: [string, string, string][] }} way how to join, and the languages to choose from
 * @param {Pick<import("../types.d.ts").Desk, "set" | "toggleSound">} desk
 */
export function tvScreen(model, update, way, desk) {
  const resized = (/** @type {Model["felt"]} */ size) => desk.set({ felt: size });
  const { room, table } = update;
  const game = t(`game.${room.game}`);
  const title = table === null || table.number === 0 ? game : t("bar.hand", { game, number: table.number });
  if (room.phase === "lobby" || table === null) {
    return h(
      "main",
      { key: "main", id: "main", class: "screen-lobby", tabindex: "-1" },
      h("h1", null, game),
      joinInfo(update, way),
      languageSelect(way.languages),
      peopleList(update),
      statusPanel(model, update),
    );
  }
  const scene = buildScene(update, model);
  const last = scene.playing ? null : table.last;
  return h(
    "main",
    { key: "main", id: "main", class: "screen-table", tabindex: "-1" },
    felt(
      scene,
      resized,
      last === null
        ? exchangeView(update)
        : room.phase === "finished"
          ? matchResult(model, update)
          : handResult(model, update, table, last),
    ),
    statusPanel(model, update),
    h(
      "div",
      { key: "side", class: "screen-side" },
      h("div", { key: "title", class: "screen-title" }, h("h1", null, title), ...toggleButtons(desk)),
      storyList(model, update, { links: false }) ?? standingList(update, table),
      joinInfo(update, way),
      languageSelect(way.languages),
    ),
  );
}
