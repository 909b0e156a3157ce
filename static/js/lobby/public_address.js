// @ts-check
// The address at which others reach this server, if the host opened it at localhost. Only this browser keeps it, for this
// server, so nobody else can redirect invitations.

import { getPreference, setPreference } from "../lib/preferences.js";
import { t } from "../lib/messages.js";
import { button, h } from "../lib/virtual_dom.js";

/** @import { Desk } from "../types.d.ts" */

/** Tell whether a host name means the computer itself. @param {string} name */
const isLoopback = (name) =>
  ["localhost", "0.0.0.0", "[::1]", "[::]"].includes(name) || name.endsWith(".localhost") || name.startsWith("127.");

/** Return the saved address as an origin, or "". */
export const savedAddress = () => getPreference("address", "");

/**
 * Read a typed address, with or without scheme and port. An address without both gets this page's port.
 * @param {string} typed @param {string} port @returns {string} its origin; "" if others can't reach it
 */
export function parseAddress(typed, port) {
  const text = typed.trim();
  const hasScheme = /^https?:\/\//i.test(text);
  try {
    const url = new URL(hasScheme ? text : `http://${text}`);
    if (isLoopback(url.hostname) || url.username !== "" || url.hostname === "") return "";
    if (!hasScheme && url.port === "") url.port = port;
    return url.origin;
  } catch {
    return "";
  }
}

/** Draw the field for the address. @param {Desk} desk @param {string} id of the field */
export function addressField(desk, id) {
  const { form } = desk.model;
  const used = savedAddress();
  const problem = String(form.address_problem ?? "");
  const save = () => {
    const typed = String(form.address ?? used);
    const address = parseAddress(typed, location.port);
    const wrong = address === "" && typed.trim() !== "";
    if (!wrong) setPreference("address", address);
    desk.fill("address_problem", wrong ? t("share.address.wrong") : "");
  };
  return h(
    "details",
    { key: "address", "data-zone": "address", class: "more" },
    h("summary", null, used === "" ? t("share.here_only") : t("share.address.used", { address: used })),
    h("p", { id: `${id}-how` }, t("share.address.how")),
    h(
      "label",
      { class: "field" },
      h("span", null, t("share.address")),
      h("input", {
        id,
        value: String(form.address ?? used),
        maxlength: 100,
        autocomplete: "off",
        inputmode: "url",
        "aria-invalid": problem === "" ? undefined : "true",
        "aria-describedby": problem === "" ? `${id}-how` : `${id}-problem`,
        oninput: (/** @type {Event} */ event) =>
          desk.fill("address", /** @type {HTMLInputElement} */ (event.target).value),
      }),
    ),
    problem === "" ? null : h("p", { id: `${id}-problem`, class: "problem", role: "alert" }, problem),
    h(
      "div",
      { class: "buttons" },
      button({ class: "button small", "data-do": "address", onclick: save }, t("share.address.save")),
    ),
  );
}
