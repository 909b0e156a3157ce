// @ts-check
// Draws the story of a match: a list beside the result, and single scenes over the whole table.

import { textWithSpokenCards } from "../a11y/spoken_cards.js";
import { avatar, faceOf, wornAt } from "../ui/avatar.js";
import { cardRow } from "../ui/card_faces.js";
import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { placements } from "../model/state.js";

/** @import { MatchScene, Model, Update } from "../types.d.ts" */

/** Scenes about the winner. @type {Set<MatchScene["kind"]>} */
const CROWNED = new Set(["won", "reign"]);

/** Draw the faces of a scene's players, with their places at the end. @param {Update} update @param {MatchScene} scene */
function sceneAvatars({ room, table }, { kind, names }) {
  const seats = table?.seats ?? [];
  const order = table?.tally ? [] : placements(table?.last?.standing ?? [], seats.length);
  return h(
    "span",
    { key: "birds", class: "tale-birds", "aria-hidden": "true" },
    names.map((name) =>
      avatar({
        ...faceOf(room, name),
        worn: CROWNED.has(kind) ? "crown" : wornAt(order.find((each) => each.name === name)?.place, seats.length),
        key: name,
        who: name,
      }),
    ),
  );
}

/**
 * Draw the list of scenes, with links to the replay.
 * @param {Model} model
 * @param {Update} update
 * @param {{ links: boolean }} ways `links`: whether scenes are links
 */
export function storyList({ tale: told }, update, { links }) {
  if (told === null) return null;
  return h(
    "section",
    { key: "tale", "data-zone": "tale", class: "tale", "aria-labelledby": "tale" },
    h("h3", { id: "tale" }, t("match.scenes")),
    h(
      "ol",
      null,
      told.scenes.map((scene) => {
        const words = [h("b", null, scene.heading), " ", h("span", null, textWithSpokenCards(scene.text))];
        return h(
          "li",
          { key: scene.kind, "data-kind": scene.kind },
          sceneAvatars(update, scene),
          links && scene.href ? h("a", { href: scene.href }, words) : h("p", null, words),
        );
      }),
    ),
  );
}

/**
 * Draw the current scene over the table. A press continues with the next scene.
 * @param {Model} model
 * @param {Update} update
 * @param {{ nextScene: () => void, endShow: () => void } | null} ways null on a screen without input
 */
export function sceneView({ tale: told }, update, ways) {
  const shown = told === null || told.at === null ? undefined : told.scenes[told.at];
  if (!told || shown === undefined) return null;
  return h(
    "section",
    { key: "scene", "data-zone": "scene", class: "scene", "aria-label": t("match.scenes") },
    h(
      "div",
      {
        key: shown.kind,
        "data-scene": shown.kind,
        class: "scene-play",
        "data-kind": shown.kind,
        onclick: ways?.nextScene,
      },
      sceneAvatars(update, shown),
      h("h3", null, shown.heading),
      shown.cards ? cardRow(shown.cards) : null,
      h("p", null, textWithSpokenCards(shown.text)),
    ),
    h(
      "ol",
      { key: "dots", class: "dots", "aria-hidden": "true" },
      told.scenes.map(({ kind }, i) =>
        h("li", { key: kind, class: i === told.at ? "now" : i < (told.at ?? 0) ? "done" : "" }),
      ),
    ),
    ways === null
      ? null
      : h(
          "p",
          { key: "ways", class: "scene-ways" },
          button({ class: "button", "data-tale": "end", onclick: ways.endShow }, t("tale.end")),
          button({ class: "button", "data-tale": "next", onclick: ways.nextScene }, t("tale.next")),
        ),
  );
}
