// @ts-check
// Shows the move that a hard bot suggests for one of the player's own turns.
// The page requests each move separately and draws the server's text below the move.

import { textWithSpokenCards } from "../a11y/spoken_cards.js";
import { cardRow } from "../ui/card_faces.js";
import { button, h } from "../lib/virtual_dom.js";
import { refusalText, readResponse, t, joinSentences } from "../lib/messages.js";

/**
 * The state of the request for one move: an answer, an error, or neither yet.
 * @typedef {{ explanation: string[], lines: { what: string, cards: string, text: string }[] }} Answer
 * @typedef {{ answer?: Answer, problem?: string }} Asked
 */
/**
 * A turn of a hand: the number of moves made before it, and the player who made this one.
 * @typedef {{ hand: number, move: number, by: string | null }} Turn
 */

export class BotReview {
  /** Requests by the address of the move. @type {Map<string, Asked>} */
  #asked = new Map();

  /**
   * @param {string} match
   * @param {string[]} names the names of this browser's player in the match
   * @param {() => void} show draws the page
   * @param {(text: string) => void} say
   */
  constructor(match, names, show, say) {
    this.match = match;
    this.names = names;
    this.show = show;
    this.say = say;
  }

  /** Return the button that asks about a turn; null if it is not the player's own, or has its answer. @param {Turn} turn */
  askButton({ hand, move, by }) {
    const where = `${hand}/hindsight?move=${move}`;
    const asked = this.#asked.get(where);
    if (by === null || !this.names.includes(by) || asked?.answer) return null;
    return button(
      {
        key: "ask",
        class: "button small plain",
        "data-do": "hindsight",
        "aria-disabled": isPending(asked),
        onclick: () => this.#ask(where),
      },
      t(isPending(asked) ? "hindsight.asked" : "hindsight.ask"),
    );
  }

  /** Draw the bot's answer about a turn, or why there is none; null if it was not asked. @param {Turn} turn */
  view({ hand, move }) {
    const { answer, problem } = this.#asked.get(`${hand}/hindsight?move=${move}`) ?? {};
    if (answer) return reviewView(answer);
    return problem ? h("p", { key: "problem", class: "hindsight problem", role: "alert" }, problem) : null;
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
    this.say(got?.ok ? joinSentences(found.explanation) : "");
  }
}

/** Tell whether an answer is still awaited. @param {Asked | undefined} asked */
function isPending(asked) {
  return asked !== undefined && !asked.answer && !asked.problem;
}

/** @param {Answer} answer */
function reviewView({ explanation, lines }) {
  const [first = "", ...why] = explanation;
  return h(
    "section",
    { key: "hindsight", class: "hindsight told", tabindex: "0", "aria-label": t("hindsight.answer") },
    h("p", { "data-zone": "would-play", class: "would" }, textWithSpokenCards(first)),
    h("p", null, textWithSpokenCards(joinSentences(why))),
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
