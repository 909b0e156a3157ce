// @ts-check
// The commands of a replay that do not change the step: check the deal, copy the link, mute, play on from here.

import { copyText } from "../lib/share.js";
import { refusalText, readResponse, t } from "../lib/messages.js";
import { toggleMute } from "../sound/player.js";
import { proofStrength, checkDeal } from "./fairness_check.js";
import { addressOf } from "./step_words.js";

/** @typedef {ReturnType<typeof createCommands>} Commands */

/**
 * Create the commands of a replay's page.
 * @param {import("./replay_state.js").ReplayStore} store
 * @param {import("./match_source.js").MatchSource} source
 * @param {(text: string) => void} say
 */
export function createCommands({ get, set }, source, say) {
  /** Check the deal: shuffle the deck again from the proof and compare it with the cards dealt. */
  async function check() {
    set({ checked: "checking" });
    const record = await source.record();
    const kept = record?.hands[get().number];
    const proof = kept?.fair;
    const checked = proof?.known ? "known" : proof ? checkDeal(proof, kept.cards, kept.stock ?? "") : "none";
    const { kind, ...seeds } = proof && !proof.known ? proofStrength(proof) : { kind: checked, gave: [], without: [] };
    const found = checked === "fair" ? kind : checked;
    set({ checked: found, seeds: { ...seeds, cancelled: proof?.cancelled?.length ?? 0 } });
    say(t(`fair.verdict.${found}`));
  }

  /** Open a room that continues from this step. @param {Event} event */
  async function playOnFromHere(event) {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    await open(`/api/matches/${source.match}/hands/${get().number}/variations`, {
      move: get().at,
      seat: source.stored(String(form.get("seat"))),
      friends: form.get("friends") !== null,
    });
  }

  /** Create a room and go there, or show why it can't be created. @param {string} path @param {Record<string, unknown>} asked */
  async function open(path, asked) {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(asked) }).catch(() => null);
    const opened = answer && (await readResponse(answer));
    if (answer?.ok) {
      location.assign(opened.url);
      return;
    }
    const problem = opened ? refusalText(opened) : t("error.offline");
    set({ problem });
    say(problem);
  }

  async function copy() {
    const copied = await copyText(addressOf(get()).href);
    set({ copied });
    say(t(copied ? "replay.copied" : "replay.not_copied"));
  }

  /** Turn the sounds of steps on or off, as at the table. */
  function mute() {
    toggleMute();
    set({});
  }

  return { check, playOnFromHere, copy, mute };
}
