// @ts-check
// What can be done now, under the thumb: every legal action of every game gets a button, most of them the same kind.

import { cardsNamed, cardsText, rankOf, rankText } from "./cards.js";
import { button, h } from "./dom.js";
import { shown, t } from "./messages.js";
import { picked } from "./render_hand.js";
import { onward } from "./render_result.js";
import { waiting } from "./render_waits.js";
import { reading } from "./render_ways.js";
import { cardOf, exact, split } from "./selection.js";
import { FEW_READINGS, legal, owed, purpose, readings } from "./state.js";

/** @typedef {import("./dom.js").VNode} VNode */
/** @typedef {import("./types.d.ts").Desk} Desk */
/** @typedef {import("./types.d.ts").Action} Action */

/** More cards than these would make the button grow, and the table move. */
const MOST_NAMED = 5;

/** @param {Desk} desk @returns {(VNode | null)[]} */
function playing(desk) {
  const { model, update } = desk;
  const cards = picked(desk);
  const ways = readings(model);
  const canPass = legal(update, "pass").length > 0;
  const canPlay = purpose(update) === "play" || update.you.more === true;
  const pass = canPass
    ? button(
        {
          key: "pass",
          class: `button pass${canPlay ? "" : " main"}`,
          "data-do": "pass",
          onclick: () => desk.act({ do: "pass" }),
        },
        t("action.pass"),
      )
    : null;
  if (!canPlay) return [pass];
  if (ways.length > FEW_READINGS) {
    return [
      pass,
      button(
        {
          key: "ways",
          class: "button main",
          "data-choose": "ways",
          "aria-haspopup": "dialog",
          onclick: () => desk.set({ sheet: "ways" }),
        },
        t("choice.open", { cards: cardsText(cards) }),
      ),
    ];
  }
  if (ways.length > 1) {
    return [
      h("p", { key: "how", class: "ask" }, t("choice.ask", { cards: cardsText(cards) })),
      ...ways.map((action) =>
        button(
          {
            key: `way${reading(action)}`,
            class: "button main",
            "data-do": "play",
            onclick: () => desk.act(action),
          },
          reading(action),
        ),
      ),
      pass,
    ];
  }
  const only = ways[0];
  const unsure = only === undefined && cards.length > 0;
  const fewCards = cards.length > 0 && cards.length <= MOST_NAMED;
  return [
    pass,
    button(
      {
        key: "play",
        class: `button main${unsure ? " unsure" : ""}`,
        "data-do": "play",
        disabled: cards.length === 0,
        // On the button stand signs; for ears it has their names.
        "aria-label": fewCards ? t("action.play", { cards: cardsNamed(cards) }) : undefined,
        onclick: () => desk.act(only ?? { do: "play", cards: cards.join(" ") }),
      },
      cards.length === 0
        ? t("action.choose")
        : fewCards
          ? t("action.play", { cards: cardsText(cards) })
          : t("action.play.many", { count: cards.length }),
    ),
  ];
}

/** @param {Desk} desk @returns {(VNode | null)[]} */
function giving(desk) {
  const { model, update } = desk;
  const gifts = owed(update);
  if (gifts.length > 1) {
    const basket = model.basket;
    const full = gifts.every((gift) => basket[gift.to]?.length === gift.count);
    const to = Object.fromEntries(gifts.map((gift) => [gift.to, (basket[gift.to] ?? []).map(cardOf).join(" ")]));
    return [
      h(
        "ul",
        { key: "baskets", class: "baskets" },
        gifts.map((gift) =>
          h(
            "li",
            { key: gift.to },
            t(asked(gift.which), { count: gift.count, to: gift.to }),
            " ",
            h("b", null, cardsText((basket[gift.to] ?? []).map(cardOf)) || "…"),
          ),
        ),
      ),
      button(
        {
          key: "give",
          class: "button main",
          "data-do": "give",
          disabled: !full,
          onclick: () => desk.act({ do: "give", to }),
        },
        t("action.give.all"),
      ),
    ];
  }
  const gift = gifts[0];
  const cards = picked(desk);
  const wanted = gift?.count ?? split(legal(update, "give")[0]?.cards).length;
  const ready = cards.length === wanted;
  const unsure = ready && update.you.more !== true && exact(legal(update, "give"), cards).length === 0;
  return [
    h(
      "p",
      { key: "ask", class: "ask" },
      gift ? t(asked(gift.which), { count: gift.count, to: gift.to }) : t("give.ask.any", { count: wanted, to: "" }),
    ),
    button(
      {
        key: "give",
        class: `button main${unsure ? " unsure" : ""}`,
        "data-do": "give",
        disabled: !ready,
        "aria-label":
          ready && gift ? t("action.give.to", { cards: cardsNamed(cards), to: gift.to }) : undefined,
        onclick: () => desk.act({ do: "give", cards: cards.join(" ") }),
      },
      ready && gift
        ? t("action.give.to", { cards: cardsText(cards), to: gift.to })
        : ready
          ? t("action.give", { cards: cardsText(cards) })
          : t(cards.length === 0 ? "action.choose.first" : "action.choose.more", { count: wanted - cards.length }),
    ),
  ];
}

/** @param {string | undefined} which */
function asked(which) {
  return which === "best" ? "give.ask.best" : which === "worst" ? "give.ask.worst" : "give.ask.any";
}

/** @param {Desk} desk @param {string} name @param {string} label */
function rankPicker({ model }, name, label) {
  return { name, value: String(model.form[name] ?? ""), label };
}

/** @param {Desk} desk @param {{ name: string, value: string, label: string }} picker @param {string | null} none what no rank is called, if there may be none */
function rankSelect(desk, picker, none) {
  return h(
    "label",
    { key: picker.name, class: "field inline" },
    h("span", { class: none === null ? "sr-only" : "" }, picker.label),
    h(
      "select",
      {
        value: picker.value,
        onchange: (/** @type {Event} */ event) =>
          desk.fill(picker.name, /** @type {HTMLSelectElement} */ (event.target).value),
      },
      none === null ? null : h("option", { value: "" }, none),
      [..."3456789TJQKA2X"].map((rank) => h("option", { value: rank }, rank === "X" ? t("rank.X") : rankText(rank))),
    ),
  );
}

/** Offers, and words across the table. @param {Desk} desk @returns {(VNode | null)[]} */
function talking(desk) {
  const { model, update } = desk;
  const out = [];
  if (legal(update, "say").length > 0) {
    const rank = String(model.form.say || "3");
    out.push(
      h(
        "div",
        { key: "say", class: "talk" },
        rankSelect(desk, { ...rankPicker(desk, "say", t("say.rank")), value: rank }, null),
        button(
          {
            key: "have",
            class: "button",
            "data-do": "say",
            onclick: () => desk.act({ do: "say", have: rank }),
          },
          t("say.have"),
        ),
        button(
          {
            key: "want",
            class: "button",
            "data-do": "say",
            onclick: () => desk.act({ do: "say", want: rank }),
          },
          t("say.want"),
        ),
      ),
    );
  }
  if (legal(update, "offer").length > 0) {
    const { most = null, claim: claims = false } = update.you.particulars?.offer ?? {};
    const cards = model.chosen.map(cardOf).join(" ");
    const claim = claims ? String(model.form.claim || rankOf(cards)) : "";
    out.push(
      h(
        "div",
        { key: "offer", class: "talk" },
        claims ? rankSelect(desk, rankPicker(desk, "claim", t("offer.claim")), t("offer.no_claim")) : null,
        button(
          {
            key: "offer",
            class: "button main",
            "data-do": "offer",
            disabled: cards === "",
            onclick: () => desk.act(claim ? { do: "offer", cards, claim } : { do: "offer", cards }),
          },
          cards === ""
            ? t(most === 1 ? "action.choose.first.one" : "action.choose")
            : t("offer.make", { cards: cardsText(cards) }),
        ),
      ),
    );
  }
  return out;
}

/** Cutting, and who gets the first card. @param {Desk} desk @returns {(VNode | null)[]} */
function pack(desk) {
  const { model, update } = desk;
  const out = [];
  // Between hands one may cut again and again; once is what is meant.
  const between =
    update.room.phase === "pause" &&
    update.room.fair.cut === null &&
    (update.you.may ?? []).some((action) => action.do === "cut");
  if (legal(update, "cut").length > 0 || between) {
    const held = Object.values(update.table?.players ?? {}).reduce((sum, player) => sum + player.cards, 0);
    const size = legal(update, "cut").length > 0 && held > 0 ? held : 52;
    const at = Number(model.form.cut ?? Math.floor(size / 2));
    out.push(
      h(
        "div",
        { key: "cut", class: "talk" },
        h(
          "label",
          { class: "field slider" },
          h("span", null, t("cut.after", { count: at })),
          h("input", {
            type: "range",
            min: 1,
            max: size - 1,
            value: at,
            oninput: (/** @type {Event} */ event) =>
              desk.fill("cut", /** @type {HTMLInputElement} */ (event.target).value),
          }),
        ),
        button(
          {
            class: `button${between ? "" : " main"}`,
            "data-do": "cut",
            onclick: () => desk.act({ do: "cut", at }),
          },
          t("action.cut"),
        ),
      ),
    );
  }
  const deals = legal(update, "deal");
  if (deals.length > 0) {
    out.push(h("p", { key: "ask", class: "ask" }, t("deal.ask")));
    for (const action of deals)
      out.push(
        button(
          {
            key: `deal${action.first}`,
            class: "button",
            "data-do": "deal",
            onclick: () => desk.act(action),
          },
          action.first,
        ),
      );
  }
  return out;
}

/** @param {Desk} desk @returns {(VNode | null)[]} */
function others(desk) {
  const { model, update } = desk;
  const { you, table, room } = update;
  const seen = new Set();
  const out = [];
  const order = table?.decrees?.[you.name ?? ""];
  if (order !== undefined) out.push(h("p", { key: "order", class: "ask" }, t("decree.waits", { text: order })));
  const answers = order === undefined ? [] : [{ do: "obey" }, { do: "defy" }];
  const may = room.phase === "finished" ? [] : (you.may ?? []);
  for (const action of [...legal(update), ...may, ...answers]) {
    const key = JSON.stringify(action);
    if (model.actions[action.do]?.placed || seen.has(key)) continue;
    seen.add(key);
    const main = model.actions[action.do]?.main;
    out.push(
      button(
        {
          key: `do${key}`,
          class: `button${main ? " main" : ""}`,
          "data-do": action.do,
          onclick: () => desk.act(action),
        },
        label(desk, action.do),
      ),
    );
  }
  return out;
}

/** @param {Desk} desk @param {string} name */
function label({ update }, name) {
  const own = update.you.labels?.[name];
  return own === undefined ? t(`action.${name}`) : shown(own);
}

/** @param {Desk} desk */
export function actions(desk) {
  const { model, update } = desk;
  const { room, table, you } = update;
  if (table === null) return null;
  const kind = purpose(update);
  const parts = [
    ...(room.phase === "playing"
      ? [
          ...(kind === "give" ? giving(desk) : []),
          ...talking(desk),
          ...(legal(update, "play").length > 0 || legal(update, "pass").length > 0 ? playing(desk) : []),
        ]
      : []),
    ...pack(desk),
    ...others(desk),
    ...onward(desk),
    ...waiting(desk),
  ].filter((part) => part !== null);
  const seated = you.name !== null && table.seats.includes(you.name);
  const mine = room.people.find((person) => person.name === you.name);
  if (mine?.playing_for && mine.going === null)
    parts.unshift(
      button(
        {
          key: "back",
          class: "button main",
          "data-ask": "back",
          onclick: () => desk.ask({ t: "back" }),
        },
        t("action.back"),
      ),
    );
  if (mine && mine.going !== null && !mine.unseated && room.phase !== "finished")
    parts.unshift(
      button(
        {
          key: "stay",
          class: "button",
          "data-ask": "join",
          onclick: () => desk.ask({ t: "join", name: mine.name }),
        },
        t("action.stay"),
      ),
    );
  if (!seated && you.role !== "waiting" && (you.name !== null || model.watching))
    parts.push(
      button(
        { key: "join", class: "button main", onclick: () => desk.set({ sheet: "join" }) },
        t("watch.join"),
      ),
    );
  return h(
    "div",
    {
      key: "actions",
      class: `actions${parts.length === 0 ? " none" : ""}`,
      role: "group",
      "aria-label": t("actions.label"),
    },
    parts,
  );
}
