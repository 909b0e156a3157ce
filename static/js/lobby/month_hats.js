// @ts-check
// The hats of the month in the waiting room: how the members did this month. The server is asked once for each match and
// group of people.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { parseJson } from "../lib/null_prototype.js";
import { avatar, wornAt } from "../ui/avatar.js";

/** @import { Desk, Room } from "../types.d.ts" */

/** The places of this month by name, and for which match and people the server was asked. @type {{ places: Record<string, number>, asked: string }} */
const month = { places: Object.create(null), asked: "" };

/** @param {Room} room */
async function fetchPlaces({ code }) {
  const answer = await fetch(`/api/rooms/${code}/month`).catch(() => null);
  return answer?.ok ? parseJson(await answer.text()).places : {};
}

/** Ask the server how these people did, unless it was asked before. @param {Desk} desk */
export function loadMonthHats(desk) {
  const { room } = desk.update;
  const now = [room.match_id, ...room.people.filter(({ bot }) => bot === null).map(({ name }) => name)].join("\n");
  if (month.asked === now) return;
  month.asked = now;
  void fetchPlaces(room).then((places) => {
    month.places = places;
    if (Object.keys(places).length > 0) desk.set({});
  });
}

/** Return a person's place this month in words, or "". @param {string} name */
export function monthText(name) {
  const place = month.places[name];
  return place === undefined ? "" : t("lobby.month", { place });
}

/** Draw the hat of the month that stands beside a name; null for places without one. @param {string} name */
export function monthHat(name) {
  const worn = wornAt(month.places[name], Object.keys(month.places).length);
  // The style sheet hides the bird below.
  return (
    worn && h("span", { key: "month", "data-month": worn, class: "month-hat" }, avatar({ bird: "robin", hue: 0, worn }))
  );
}
