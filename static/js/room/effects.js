// @ts-check
// The effects of a change besides drawing: cards chosen in advance, automatic passes, a reload for a new version, and the
// title of the tab. Notifications, announcements and the wake lock load later (pages/room_deferred.js).

import { t } from "../lib/messages.js";
import { AutoPasser } from "../model/auto_pass.js";
import { isMyTurn } from "../model/state.js";
import { PremovePlayer } from "./premove_player.js";

/** @import { Model } from "../types.d.ts" */

/**
 * Return a function that runs the effects of a change. It must be called before drawing.
 * @param {import("./model_store.js").ModelStore} store
 * @param {import("./commands.js").Commands} commands
 * @param {{ reloadIfSafe: () => void }} versionWatcher
 * @param {{ reportIfChanged: () => void }} visibilityReporter
 * @param {{ module: { onChange: (model: Model) => void } | null }} after the parts that load later
 */
export function createEffects(store, commands, versionWatcher, visibilityReporter, after) {
  const premoves = new PremovePlayer(store, commands);
  const autoPasser = new AutoPasser((update, action) => commands.ask(update, { t: "act", action }), Math.random, {
    set: (done, ms) => window.setTimeout(done, ms),
    clear: (id) => window.clearTimeout(id),
  });
  return () => {
    premoves.see();
    autoPasser.onModelChange(store.get());
    const { update, link } = store.get();
    versionWatcher.reloadIfSafe();
    if (link === "open") visibilityReporter.reportIfChanged();
    after.module?.onChange(store.get());
    if (update !== null)
      document.title = t(isMyTurn(update) ? "tab.turn" : "tab.room", { game: t(`game.${update.room.game}`) });
  };
}
