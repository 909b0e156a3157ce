// @ts-check
// The account page: name, bird and colour, signed-in devices, data download, and deletion.

import { button, byId, draw, h } from "../lib/virtual_dom.js";
import { loadMessages, refusalText, t } from "../lib/messages.js";
import { isNameError, focusName, nameField, readNameField } from "../ui/name_field.js";
import { setPreference } from "../lib/preferences.js";
import { deviceLinkView } from "../ui/device_link.js";
import { avatarPicker } from "../ui/avatar_picker.js";
import { copyText } from "../lib/share.js";

/** @typedef {{ name: string | null, bird: string | null, colour: string | null, name_taken_in: { code: string, name: string }[] }} Self */
/** @typedef {{ id: string, label: string | null, created_at: number, last_seen_at: number, is_current: boolean }} Device */
/** @import { Link } from "../ui/device_link.js" */

const root = byId("mine");

/** @type {{ me: Self, devices: Device[], link: Link | null, problem: string, wrongName: string, said: string, sure: string }} */
let state = {
  me: { name: null, bird: null, colour: null, name_taken_in: [] },
  devices: [],
  link: null,
  problem: "",
  wrongName: "",
  said: "",
  sure: "",
};

/** @param {Partial<typeof state>} change */
function set(change) {
  state = { ...state, ...change };
  show();
}

/**
 * Send a request to the server, and show an error if it fails.
 * @param {string} method @param {string} path @param {object} [body]
 * @returns {Promise<any>} the answer, or null on failure
 */
async function requestOrShowError(method, path, body) {
  try {
    const sent =
      body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(path, { method, ...sent });
    const said = answer.status === 204 ? {} : await answer.json();
    if (answer.ok) return said;
    set(isNameError(said.code) ? { wrongName: refusalText(said) } : { problem: refusalText(said) });
  } catch {
    set({ problem: t("error.offline") });
  }
  return null;
}

/** Save changes of the profile. Bird and colour show at once, a name when the server has accepted it. @param {Partial<Self>} change */
async function saveProfile(change) {
  const before = state.me;
  set({ me: { ...before, ...change, name: before.name }, problem: "", wrongName: "", said: "" });
  const me = await requestOrShowError("PUT", "/api/me", change);
  if (me === null) {
    set({ me: before });
    return false;
  }
  setPreference("name", me.name ?? "");
  set({ me, said: t("mine.saved") });
  return true;
}

/** @param {Event} event */
async function saveName(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { name, problem } = readNameField(form);
  if (problem !== "") set({ wrongName: problem });
  if (problem !== "" || !(await saveProfile({ name }))) focusName(form);
}

async function loadDevices() {
  set({ devices: (await requestOrShowError("GET", "/api/me/devices")) ?? state.devices });
}

/** @param {"device" | "recovery"} kind */
async function makeLink(kind) {
  set({ problem: "", link: null });
  const made = await requestOrShowError("POST", kind === "device" ? "/api/me/devices" : "/api/me/recovery");
  if (made !== null) set({ link: { ...made, kind } });
}

/** @param {Device} device */
async function signOutDevice(device) {
  if (state.sure !== device.id) return set({ sure: device.id });
  set({ sure: "", problem: "" });
  if ((await requestOrShowError("DELETE", `/api/me/devices/${device.id}`)) === null) return;
  if (device.is_current) location.assign("/");
  else await loadDevices();
}

function identitySection() {
  const { me, wrongName } = state;
  return h(
    "section",
    { key: "who" },
    h(
      "form",
      { class: "rename", novalidate: true, onsubmit: saveName },
      nameField(wrongName, () => set({ wrongName: "" }), me.name ?? ""),
      h("p", { class: "buttons", key: "go" }, h("button", { type: "submit", class: "button" }, t("mine.rename"))),
    ),
    me.name_taken_in.map(({ code, name }) =>
      h("p", { key: code, class: "quiet" }, t("mine.otherwise", { code, name })),
    ),
    avatarPicker(me, saveProfile),
  );
}

/** @param {number} at */
function formatTime(at) {
  const { lang } = document.documentElement;
  return new Date(at).toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" });
}

/** Draw the link that was just created. */
function newLinkView() {
  const { link } = state;
  if (link === null) return null;
  const copy = async () => {
    if (await copyText(link.url)) set({ said: t("share.copied") });
    else set({ problem: t("share.by_hand", { link: link.url }) });
  };
  return deviceLinkView(link, copy);
}

function devicesSection() {
  return h(
    "section",
    { key: "devices", "aria-labelledby": "devices-title" },
    h("h2", { id: "devices-title" }, t("account.devices")),
    h("p", null, t("account.devices.text")),
    h(
      "ul",
      { "data-zone": "devices", class: "device-list" },
      state.devices.map((device) =>
        h(
          "li",
          { key: device.id },
          h("b", null, device.label ?? t("account.device.unknown")),
          " ",
          h(
            "span",
            { class: "quiet" },
            device.is_current
              ? t("account.device.here")
              : t("account.device.seen", { when: formatTime(device.last_seen_at) }),
          ),
          " ",
          button(
            { class: `button small${state.sure === device.id ? " bad" : ""}`, onclick: () => signOutDevice(device) },
            state.sure === device.id ? t("menu.sure", { what: t("account.sign_out") }) : t("account.sign_out"),
            h("span", { class: "sr-only" }, `: ${device.label ?? t("account.device.unknown")}`),
          ),
          device.is_current && state.sure === device.id && state.devices.length === 1
            ? h("p", { class: "problem" }, t("account.last_device"))
            : null,
        ),
      ),
    ),
    h(
      "p",
      { class: "buttons" },
      button(
        { class: "button main", "data-make": "device", onclick: () => makeLink("device") },
        t("account.add_device"),
      ),
      button({ class: "button", "data-make": "recovery", onclick: () => makeLink("recovery") }, t("account.move")),
    ),
    h("p", { class: "quiet" }, t("account.move.text")),
    newLinkView(),
  );
}

function ownDataSection() {
  const asking = state.sure === "forget";
  const forget = async () => {
    set({ problem: "" });
    if ((await requestOrShowError("POST", "/api/me/forget", { confirm: true })) !== null) location.assign("/");
  };
  /** Switch the confirmation and focus the button that replaces the pressed button. @param {string} sure @param {string} next */
  const turn = (sure, next) => {
    set({ sure });
    /** @type {HTMLElement | null} */ (root.querySelector(`[data-forget=${next}]`))?.focus();
  };
  return h(
    "section",
    { key: "data", "aria-labelledby": "data-title" },
    h("h2", { id: "data-title" }, t("account.data")),
    h("p", null, t("account.data.text")),
    h(
      "p",
      { class: "buttons" },
      h("a", { class: "button", href: "/api/me/data", download: true }, t("account.data.take")),
    ),
    h("h2", null, t("account.forget")),
    h("p", null, t("account.forget.text")),
    h("p", null, t("account.forget.backups")),
    h("p", null, t("account.forget.written")),
    h("p", null, t("account.forget.others")),
    h(
      "p",
      { class: "buttons" },
      asking
        ? [
            button({ key: "yes", class: "button bad", "data-forget": "yes", onclick: forget }, t("account.forget.yes")),
            button(
              { key: "no", class: "button", "data-forget": "no", onclick: () => turn("", "ask") },
              t("account.forget.no"),
            ),
          ]
        : button(
            { key: "ask", class: "button", "data-forget": "ask", onclick: () => turn("forget", "no") },
            t("account.forget.ask"),
          ),
    ),
  );
}

function show() {
  draw(
    root,
    identitySection(),
    devicesSection(),
    ownDataSection(),
    h(
      "div",
      { key: "said", "data-zone": "submit", class: "submit-bar said", role: "status" },
      state.problem !== "" ? h("p", { class: "problem" }, state.problem) : h("p", null, state.said),
    ),
  );
}

await loadMessages();
const me = await requestOrShowError("GET", "/api/me");
if (me !== null) set({ me });
await loadDevices();
root.removeAttribute("aria-busy");
