// @ts-check
// The page of a match's picture: shares the picture as a file where the system can, else copies it or the link.

import { draw } from "../lib/virtual_dom.js";
import { loadMessages, t } from "../lib/messages.js";
import { copyText } from "../lib/share.js";

const buttons = /** @type {HTMLElement} */ (document.querySelector("[data-share]"));
const { share: link = "", title = "" } = buttons.dataset;
const picture = /** @type {HTMLImageElement} */ (document.querySelector("picture img"));
const said = document.querySelector('[data-zone="said"]');

/** @param {string} name */
const button = (name) => /** @type {HTMLButtonElement} */ (buttons.querySelector(`[data-do="${name}"]`));

/** @param {string} text */
function say(text) {
  if (said) draw(said, text);
}

/** Return the picture as it is shown here: square on phones. */
async function pictureBlob() {
  const answer = await fetch(picture.currentSrc || picture.src);
  if (!answer.ok) throw new Error(`the picture: ${answer.status}`);
  return answer.blob();
}

async function sharePicture() {
  const file = new File([await pictureBlob()], "pecking-order.png", { type: "image/png" });
  await navigator.share({ files: [file], title, url: link }).catch((error) => {
    if (error.name !== "AbortError") throw error; // the person closed the dialog
  });
}

async function copyPicture() {
  // Safari wants the promise, so that the copy still belongs to the press.
  await navigator.clipboard.write([new ClipboardItem({ "image/png": pictureBlob() })]);
  say(t("picture.copied"));
}

async function copyLink() {
  say((await copyText(link)) ? t("share.copied") : t("share.by_hand", { link }));
}

loadMessages().then(() => {
  /** @type {[string, () => Promise<void>][]} */
  const actions = [
    ["share", sharePicture],
    ["copy-picture", copyPicture],
    ["copy-link", copyLink],
  ];
  for (const [name, action] of actions) {
    button(name).addEventListener("click", () => action().catch(() => say(t("picture.failed"))));
  }
  const sample = new File([], "pecking-order.png", { type: "image/png" });
  button("share").hidden = !navigator.canShare?.({ files: [sample] });
  button("copy-picture").hidden = !("ClipboardItem" in window && navigator.clipboard);
});
