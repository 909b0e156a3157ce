// @ts-check
// The list of people in the menu, with buttons for each person. The host has extra buttons.

import { button, h } from "../lib/virtual_dom.js";
import { refusalText, t } from "../lib/messages.js";
import { isMuted, setMuted } from "../chat/muted_people.js";
import { botAllowedFrom } from "../table/waiting.js";
import { copyText } from "../lib/share.js";
import { addBotLabel, changeBotLabel, botName } from "../events/labels.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Person} Person */

/** @typedef {{ name: string, url: string, qr: string }} SeatLink */

/** @param {string} text @param {() => unknown} onclick @param {Record<string, unknown>} [more] */
function smallButton(text, onclick, more = {}) {
  return button({ class: "button small", key: text, onclick, ...more }, text);
}

/** Describe a person: role, connection, and countdowns until a bot takes over or the seat can be given. @param {Desk} desk @param {Person} person */
function personStatus(desk, person) {
  const { update } = desk;
  const { room } = update;
  const botAt = room.bot_takes_over_at[person.name];
  return [
    h(
      "span",
      { class: "what" },
      [
        person.name === room.host ? t("lobby.host") : "",
        person.bot ? botName(person.bot) : "",
        person.program ? t("lobby.program") : "",
        person.stand_in ? t("menu.played_by_bot") : "",
        person.leaving_as ? t("menu.going") : "",
        isMuted(room.code, person.name) ? t("talk.muted") : "",
        person.role === "spectator" ? t("menu.watches") : "",
        person.role === "waiting"
          ? t(room.seat_plan.joining.includes(person.name) ? "menu.next_hand" : "menu.waits")
          : "",
        person.present || person.bot || botAt !== undefined ? "" : t("seat.away"),
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    botAt === undefined ? null : h("span", { class: "what", "data-until": botAt, "data-key": "menu.away_bot" }),
    seatLinkCountdown(desk, person),
  ];
}

/**
 * Draw the countdown until the host may give this seat to another browser; null if none runs.
 * @param {Desk} desk @param {Person} person
 */
function seatLinkCountdown({ model, update }, { link_allowed_from: from }) {
  if (!update.you.host || from === null || from <= Date.now() + model.offset) return null;
  return h("span", { key: "link-wait", class: "what", "data-until": from, "data-key": "menu.link.wait" });
}

/** Show a person's other name: in the record of this match, or from the next match on. @param {Person} person */
function otherNameText({ chosen_name, known }) {
  if (known !== undefined) return h("span", { class: "what" }, t("menu.known", { name: known }));
  return chosen_name === null ? null : h("span", { class: "what" }, t("menu.called", { name: chosen_name }));
}

/** Ask the server for a link to a person's seat, and show it in the menu. @param {Desk} desk @param {Person} person */
async function createSeatLink(desk, { name, known = name }) {
  try {
    const answer = await fetch(`/api/rooms/${desk.update.room.code}/links`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: known }),
    });
    const made = await answer.json();
    if (answer.ok) desk.fill("seat_link", { ...made, name });
    else desk.showNotice(refusalText(made), true);
  } catch {
    desk.showNotice(t("error.offline"), true);
  }
}

/** @param {Desk} desk @param {Person} person */
function seatLinkView(desk, person) {
  const link = /** @type {SeatLink | undefined} */ (desk.model.form.seat_link);
  if (link?.name !== person.name || person.present) return null;
  const copy = async () => {
    if (await copyText(link.url)) desk.showNotice(t("share.copied"));
    else desk.showNotice(t("share.select"), true);
  };
  return h(
    "div",
    { key: "link", class: "seat-link" },
    h("p", null, t("menu.link.how", { name: person.name })),
    h(
      "label",
      { class: "field" },
      h("span", { class: "sr-only" }, t("menu.link.label", { name: person.name })),
      h("input", {
        readOnly: true,
        value: link.url,
        onfocus: (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select(),
      }),
    ),
    h("div", { class: "buttons" }, smallButton(t("menu.link.copy"), copy)),
    h("img", {
      class: "qr-code",
      src: link.qr,
      alt: t("menu.link.qr", { name: person.name }),
      width: 148,
      height: 148,
    }),
  );
}

/** Ask the host whether to take only a person's seat or to ban the person from the room. @param {Desk} desk @param {Person} person */
function removalChoices(desk, person) {
  if (desk.model.form.removing !== person.name) return null;
  /** @param {boolean} ban */
  const remove = async (ban) => {
    if (await desk.ask({ t: "remove", name: person.name, ban })) desk.fill("removing", null);
  };
  const seated = person.role !== "spectator" && person.leaving_as === null;
  return h(
    "div",
    { key: "removing", class: "removing" },
    h("p", null, t("menu.remove.how", { name: person.name })),
    h(
      "div",
      { class: "buttons" },
      seated ? smallButton(t("menu.remove.seat"), () => remove(false), { "data-ban": "false" }) : null,
      smallButton(t(seated ? "menu.remove.ban" : "menu.remove.out"), () => remove(true), {
        "data-ban": "true",
        class: "button small bad",
      }),
    ),
  );
}

/** Return the levels of bots that the server offers. @param {Desk} desk */
function botKinds(desk) {
  return desk.catalogue?.bots ?? ["easy"];
}

/** Draw the buttons for another person: mute, let a bot play, and the host's actions. @param {Desk} desk @param {Person} person */
function personButtons(desk, person) {
  const { room, you } = desk.update;
  const { name, bot } = person;
  if (name === you.name) return null;
  const open = desk.model.form.removing === name;
  const muted = isMuted(room.code, name);
  const bots = botAllowedFrom(desk.update, name) <= Date.now() + desk.model.offset;
  const buttons = [
    smallButton(
      t(muted ? "talk.unmute.short" : "talk.mute.short"),
      () => {
        setMuted(room.code, name, !muted);
        desk.set({});
      },
      { key: "mute", "aria-label": t(muted ? "talk.unmute" : "talk.mute", { name }) },
    ),
    bots ? smallButton(t("menu.let_bot"), () => desk.ask({ t: "let_bot_play", name, seat: true })) : null,
    you.host && person.counted_as_one
      ? smallButton(t("back.count_apart"), () => desk.ask({ t: "count_separately", name }), {
          "aria-label": t("back.count_apart.of", { name }),
        })
      : null,
    you.host && bot === null && name !== room.host && !person.leaving_as
      ? smallButton(t("menu.hand_over"), () => desk.ask({ t: "transfer_host", name }))
      : null,
    you.host && person.link_allowed_from !== null && person.link_allowed_from <= Date.now() + desk.model.offset
      ? smallButton(t("menu.link"), () => createSeatLink(desk, person))
      : null,
    ...(you.host && bot !== null && !person.leaving_as
      ? [
          ...botKinds(desk)
            .filter((kind) => kind !== bot)
            .map((kind) =>
              smallButton(changeBotLabel(kind), () => desk.ask({ t: "set_bot", name, kind }), { "data-level": kind }),
            ),
          smallButton(t("menu.remove"), () => desk.ask({ t: "remove_bot", name })),
        ]
      : []),
    you.host && bot === null && name !== room.host && person.leaving_as !== "gone"
      ? smallButton(t("menu.remove"), () => desk.fill("removing", open ? null : name), { "aria-expanded": open })
      : null,
  ].filter((button) => button !== null);
  return buttons.length > 0 ? h("span", { class: "person-tools" }, buttons) : null;
}

/** @param {Desk} desk */
export function peopleSection(desk) {
  const { room, you } = desk.update;
  return h(
    "section",
    { key: "people", "data-zone": "people", class: "people" },
    h("h3", null, t("menu.people")),
    h(
      "ul",
      null,
      room.people.map((person) =>
        h(
          "li",
          { key: person.name, "data-person": person.name },
          h("span", { class: `presence${person.present || person.bot ? " here" : ""}` }),
          h("span", { class: "name", translate: "no" }, person.name),
          otherNameText(person),
          personStatus(desk, person),
          personButtons(desk, person),
          removalChoices(desk, person),
          seatLinkView(desk, person),
        ),
      ),
    ),
    you.host && room.seat_plan.free > 0
      ? h(
          "div",
          { class: "buttons" },
          botKinds(desk).map((kind) => smallButton(addBotLabel(kind), () => desk.ask({ t: "add_bot", kind }))),
        )
      : null,
  );
}
