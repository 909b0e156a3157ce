// @ts-check
// Draws the page of a room: before its first update, in the waiting room, and at the table.

import { t } from "../lib/messages.js";
import { draw, h } from "../lib/virtual_dom.js";
import { actionBar } from "../actions/action_bar.js";
import { buildScene } from "../model/state.js";
import { felt } from "../table/felt.js";
import { trackOwnSideHeight } from "../table/felt_height.js";
import { hand, ownSeat } from "../table/hand.js";
import { logView } from "../table/log.js";
import { statusLines } from "../table/status_line.js";
import { topBar } from "../table/top_bar.js";
import { banner, slip } from "./notices.js";

/**
 * @import { Desk, Model } from "../types.d.ts"
 * @import { VNode } from "../lib/virtual_dom.js"
 */

/**
 * What the view needs from the page: the reason why the connection was closed, the parts that load on demand,
 * the stages of a drawing, and a callback for a new size of the felt.
 * @typedef {object} Parts
 * @property {{ reason: string }} socket
 * @property {import("../lib/lazy_module.js").LazyModule<typeof import("../lobby/waiting_room.js")>} lobby
 * @property {import("../lib/lazy_module.js").LazyModule<typeof import("../menu/menu.js")>} sheets
 * @property {import("../animation/staged_render.js").StagedRender} stages
 * @property {(felt: Model["felt"]) => void} onFeltResize
 */

export class RoomView {
  /** The last drawing of the player's own side. @type {VNode | null} */
  #own = null;

  /** @param {HTMLElement} root @param {Parts} parts */
  constructor(root, parts) {
    this.root = root;
    this.parts = parts;
  }

  /** Draw the page before the first update. @param {Model} model */
  drawStart(model) {
    draw(this.root, this.#banner(model), model.link === "gone" ? null : loading());
  }

  /** @param {Desk} desk */
  drawLobby(desk) {
    const { model, update, after } = desk;
    this.#own = null;
    const here = this.parts.lobby.getOrLoad();
    if (here === null || after === null) return draw(this.root, this.#banner(model), loading());
    const { room, you } = update;
    const newcomer = you.name === null || you.role === "spectator";
    draw(
      this.root,
      topBar(desk),
      this.#banner(model),
      h(
        "main",
        { key: "lobby", id: "main", class: "lobby-main", tabindex: "-1" },
        newcomer && model.link !== "gone" ? after.joinCard(desk) : null,
        // Without the lobby, this person may not see the table before joining.
        room.phase === "lobby" ? here.waitingRoom(desk) : null,
      ),
      slip(desk),
      newcomer ? null : here.waitingRoomActions(desk),
      after.bubbleLayer(model),
      after.seatRequest(desk),
      this.#sheet(desk),
    );
  }

  /** @param {Desk} desk */
  drawTable(desk) {
    const { model, update, after } = desk;
    const { stages, onFeltResize } = this.parts;
    const scene = { ...buildScene(update, model), bare: !stages.now.seats };
    if (this.#own === null || stages.now.own) this.#own = this.#ownSide(desk);
    draw(
      this.root,
      topBar(desk),
      this.#banner(model),
      h(
        "main",
        { key: "main", id: "main", class: "board", tabindex: "-1" },
        felt(
          scene,
          onFeltResize,
          after === null ? (scene.playing ? null : loading()) : after.middleView(desk, stages.now.own),
          (sheet) => desk.set({ sheet }),
          after?.sceneView(model, update, desk.tale),
        ),
        this.#own,
      ),
      h(
        "aside",
        { key: "aside", "data-zone": "log-panel", class: "log-panel", "aria-label": t("tool.log") },
        h("h2", null, t("tool.log")),
        logView(update.table, model.log, update.you.name),
      ),
      after?.bubbleLayer(model),
      after?.seatRequest(desk) ?? null,
      this.#sheet(desk),
    );
  }

  /** @param {Desk} desk */
  #ownSide(desk) {
    return h(
      "section",
      {
        key: "mine",
        "data-zone": "own-side",
        ref: trackOwnSideHeight,
        class: `mine${desk.update.table?.inverted ? " inverted" : ""}`,
        "aria-label": t("mine.label"),
      },
      statusLines(desk),
      slip(desk),
      ownSeat(desk),
      hand(desk, this.parts.stages.now),
      actionBar(desk),
    );
  }

  /** Draw the open sheet, or return null while its module is loading. @param {Desk} desk */
  #sheet(desk) {
    return desk.model.sheet === null ? null : (this.parts.sheets.getOrLoad()?.openSheet(desk) ?? null);
  }

  /** @param {Model} model */
  #banner(model) {
    return banner(model, this.parts.socket.reason);
  }
}

function loading() {
  return h("p", { key: "loading", class: "loading" }, t("loading"));
}
