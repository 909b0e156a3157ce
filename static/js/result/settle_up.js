// @ts-check
// The payments that settle the points of the current session (`room.session`), so that all players are even.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { signedNumber } from "./point_reasons.js";
import { dialog } from "../table/sheet.js";
import { stakeWorthText } from "../rules/stake.js";
import { copyText } from "../lib/share.js";

/** @import { Desk } from "../types.d.ts" */

/** Draw the button that opens the payments. @param {Desk} desk */
export function settleButton(desk) {
  if (desk.update.room.session === null) return null;
  return button(
    { key: "settle", class: "button", "data-open": "settle", onclick: () => desk.set({ sheet: "settle" }) },
    t("settle.title"),
  );
}

/** Draw the sheet with the payments, as few as possible. @param {Desk} desk */
export function settleUpSheet(desk) {
  const { stake, session } = desk.update.room;
  if (stake === null || session === null) return null;
  const when = new Date(session.since).toLocaleString(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  const payments = session.payments.map(({ payer, payee, points }) =>
    t("settle.pays", { payer, payee, worth: stakeWorthText(stake, points) }),
  );
  const copy = async () => {
    const text = payments.join("\n");
    desk.showNotice((await copyText(text)) ? t("settle.copied") : text);
  };
  return dialog(desk, t("settle.title"), [
    h("p", { key: "since", class: "quiet" }, [
      t("settle.since", { count: session.hands, when }),
      " ",
      t("stake.point", { worth: stakeWorthText(stake, 1) }),
    ]),
    payments.length === 0
      ? h("p", { key: "even" }, t("settle.even"))
      : h(
          "ul",
          { key: "payments", class: "payments" },
          payments.map((text, i) => h("li", { key: String(i) }, text)),
        ),
    session.differences ? h("p", { key: "differences", class: "quiet" }, t("settle.differences")) : null,
    h(
      "ul",
      { key: "accounts", class: "accounts", "aria-label": t("settle.accounts") },
      session.accounts.map(({ name, points }, i) =>
        h(
          "li",
          { key: String(i) },
          h("span", null, name),
          " ",
          h("b", { class: points < 0 ? "bad" : "" }, signedNumber(points)),
        ),
      ),
    ),
    payments.length === 0
      ? null
      : h("div", { key: "copy", class: "buttons" }, button({ class: "button", onclick: copy }, t("settle.copy"))),
  ]);
}
