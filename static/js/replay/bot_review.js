// @ts-check
// What a bot that thinks ahead would have done at a turn of one's own: asked for move by move, told by the server in
// words, drawn below the move.

import { cardRow } from "../ui/card_faces.js";
import { button, h } from "../lib/virtual_dom.js";
import { refusalText, readResponse, t } from "../lib/messages.js";

/**
 * What is known of one move: an answer, why there is none, or nothing yet.
 * @typedef {{ says: string[], lines: { what: string, cards: string, text: string }[] }} Answer
 * @typedef {{ answer?: Answer, problem?: string }} Asked
 */

export class BotReview {
  /** By move, as an address has it. @type {Map<string, Asked>} */
  #asked = new Map();

  /**
   * @param {string} match
   * @param {string[]} names those by which one played in it
   * @param {() => void} show draws the page
   * @param {(text: string) => void} say
   */
  constructor(match, names, show, say) {
    this.match = match;
    this.names = names;
    this.show = show;
    this.say = say;
  }

  /**
   * The button at a turn of one's own, or what came of it; its place elsewhere.
   * @param {number} hand
   * @param {number} move how many were made before
   * @param {string | null} by who made it
   */
  view(hand, move, by) {
    // At others' turns its place is kept: what one steps with stays where it is.
    if (by === null || !this.names.includes(by)) return h("section", { key: "hindsight", class: "hindsight" });
    const where = `${hand}/hindsight?move=${move}`;
    const asked = this.#asked.get(where);
    if (asked?.answer) return reviewView(asked.answer);
    return h(
      "section",
      { key: "hindsight", class: "hindsight" },
      button(
        {
          key: "ask",
          class: "button small",
          "data-do": "hindsight",
          "aria-disabled": isPending(asked),
          onclick: () => this.#ask(where),
        },
        t(isPending(asked) ? "hindsight.asked" : "hindsight.ask"),
      ),
      asked?.problem ? h("p", { key: "problem", class: "problem", role: "alert" }, asked.problem) : null,
    );
  }

  /** @param {string} where */
  async #ask(where) {
    if (isPending(this.#asked.get(where))) return;
    this.#asked.set(where, {});
    this.show();
    const got = await fetch(`/api/matches/${this.match}/hands/${where}`).catch(() => null);
    const found = got && (await readResponse(got));
    if (got?.ok) this.#asked.set(where, { answer: found });
    else this.#asked.set(where, { problem: found ? refusalText(found) : t("error.offline") });
    this.show();
    document.querySelector(".hindsight.told")?.scrollIntoView({ block: "nearest" });
    this.say(got?.ok ? found.says.join(" ") : "");
  }
}

/** Whether an answer is waited for. @param {Asked | undefined} asked */
function isPending(asked) {
  return asked !== undefined && !asked.answer && !asked.problem;
}

/** @param {Answer} answer */
function reviewView({ says, lines }) {
  const [first = "", ...why] = says;
  return h(
    "section",
    { key: "hindsight", class: "hindsight told", tabindex: "0", "aria-label": t("hindsight.ask") },
    h("p", { "data-zone": "would-play", class: "would" }, first),
    h("p", null, why.join(" ")),
    lines.length === 0
      ? null
      : h(
          "details",
          { key: "numbers" },
          h("summary", { class: "button small plain" }, t("hindsight.compared")),
          h(
            "ul",
            null,
            lines.map(({ what, cards, text }) =>
              h(
                "li",
                { key: what },
                h("b", null, what),
                cards === "" ? null : cardRow(cards, "small"),
                h("span", { class: "quiet" }, text),
              ),
            ),
          ),
        ),
  );
}
