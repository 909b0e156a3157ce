// @ts-check
// The page that imports a match file: choose or drop a file, check it, replay it, save it.

import { button, byId, draw, h } from "../lib/virtual_dom.js";
import { hasMessage, joinSentences, loadMessages, refusalText, t } from "../lib/messages.js";
import { splitIntoFiles, extractMatches } from "../replay/room_file.js";
import { namesInFile, storeFile } from "../replay/match_source.js";

/**
 * @typedef {{ message: string, key?: string, values?: Record<string, unknown> }} Said
 * @typedef {{ number: number, result: { ledger: Record<string, number> }, over: boolean, fair: boolean, kind: "sealed" | "open" | "server" | null, proven: boolean, known: boolean,
 *   unfair: Said | null }} Hand
 * @typedef {{ game: string, players: string[], totals: Record<string, number>, winners: string[], hands: Hand[],
 *   origin: { how: string, hand: number, move: number } | null, refused: Said | null }} Match
 */

/** Most hands and most matches that are listed. */
const LISTED = 100;

const root = byId("import");
const most = Number(root.dataset.most);
/** Read a file in the browser only up to this multiple of the upload limit, in bytes. Larger files can't be split. */
const TIMES_AS_LONG = 8;
/** Most characters in one request with several matches: a second or two of checking, and still few requests. */
const AT_ONCE = 1_000_000;

/**
 * One upload: a whole file, or some of its matches, beginning with number `first` (counted from 1).
 * @typedef {{ body: File | string, first: number | null, count: number }} Part
 * @type {{ name: string, parts: Part[], matches: Match[], watched: boolean, problem: string, said: string, over: boolean,
 *   done: number | null }}
 * `done`: number of matches uploaded so far; null if no upload is running.
 */
let state = { name: "", parts: [], matches: [], watched: false, problem: "", said: "", over: false, done: null };
/** Aborts the current upload. */
let uploadAbort = new AbortController();

/** @param {Partial<typeof state>} change */
function set(change) {
  state = { ...state, ...change };
  show();
}

/**
 * Send a part, and show an error if it fails.
 * @param {string} path @param {Part} part @param {AbortSignal} signal
 * @returns {Promise<any>} the answer, or null if refused, failed or aborted
 */
async function sendPart(path, { body, first }, signal) {
  const headers = { "content-type": "application/json" };
  const where = first === null ? path : `${path}?first=${first}`;
  try {
    const answer = await fetch(where, { method: "POST", headers, body, signal });
    const said = await answer.json();
    if (answer.ok) return said;
    set({ problem: refusalText(said) });
  } catch {
    if (!signal.aborted) set({ problem: t("error.offline") });
  }
  return null;
}

/**
 * Send the parts one after another and show the progress.
 * @param {string} path @param {Part[]} parts @param {AbortSignal} signal
 * @param {(count: number) => string} [before] text about the matches already sent, if a part is refused
 * @returns {Promise<any[] | null>} the matches of all answers, or null after a refusal or abort
 */
async function sendParts(path, parts, signal, before = () => "") {
  const found = [];
  for (const part of parts) {
    set({ done: found.length });
    const answer = await sendPart(path, part, signal);
    if (signal.aborted) return null;
    if (answer === null) {
      set({ done: null, said: before(found.length) });
      return null;
    }
    found.push(...answer.matches);
  }
  const stopping = document.activeElement?.id === "stop";
  set({ done: null });
  if (stopping) byId("file").focus();
  return found;
}

/** Begin another upload: abort the current one. @returns {AbortSignal} the signal that aborts the new one */
function nextUpload() {
  uploadAbort.abort();
  uploadAbort = new AbortController();
  return uploadAbort.signal;
}

/** Say what the current upload has done so far if it stops. */
const stoppedText = () => t(state.matches.length > 0 ? "import.stopped_keeping" : "import.stopped");

function stopUpload() {
  uploadAbort.abort();
  set({ done: null, said: stoppedText(), problem: "" });
  byId("file").focus();
}

/** Split a long file with several matches into parts. Other files stay whole. @param {File} file @param {string} text @returns {Part[]} */
function splitForUpload(file, text) {
  const pieces = text.length > AT_ONCE ? splitIntoFiles(extractMatches(text) ?? [], AT_ONCE) : [];
  if (pieces.length === 0) return [{ body: file, first: null, count: 1 }];
  return pieces.map(({ text: body, first, count }) => ({ body, first, count }));
}

/** @param {File} file */
async function checkFile(file) {
  const signal = nextUpload();
  const { name } = file;
  const said = joinSentences([state.done === null ? "" : stoppedText(), t("import.looking", { name })]);
  set({ name, parts: [], matches: [], problem: "", said, over: false, done: null });
  const text = file.size > most * TIMES_AS_LONG ? "" : await file.text();
  if (signal.aborted) return; // another file was chosen meanwhile
  const sent = splitForUpload(file, text);
  if (sent.some(({ body }) => (typeof body === "string" ? new Blob([body]) : body).size > most)) {
    return set({ problem: t("import.too_large", { most: Math.floor(most / 1024 / 1024) }), said: "" });
  }
  set({ parts: sent });
  /** @type {Match[] | null} */
  const matches = await sendParts("/api/imports", sent, signal);
  if (matches === null) return;
  const short = matches.map(({ game, hands, players }) => ({ game, hands: hands.length, players }));
  const watched = storeFile({ text, matches: short });
  set({ matches, watched, said: t("import.found", { name, count: matches.length }) });
}

async function importMatches() {
  set({ problem: "", said: t("import.keeping", { name: state.name }) });
  const kept = await sendParts("/api/imports/kept", state.parts, nextUpload(), (count) =>
    count > 0 ? t("import.kept_before", { count }) : "",
  );
  if (kept !== null) location.assign(kept.length === 1 ? `/matches/${kept[0]}` : "/history/import");
}

/** Draw the progress of the upload and a button to stop it. */
function progressBar() {
  const { done } = state;
  if (done === null) return null;
  const count = state.parts.reduce((sum, part) => sum + part.count, 0);
  return h(
    "div",
    { key: "working", class: "buttons" },
    h("progress", { "aria-label": t("import.progress"), ...(count > 1 ? { max: count, value: done } : {}) }),
    button({ id: "stop", class: "button", onclick: stopUpload }, t("import.stop")),
  );
}

/** @param {DragEvent} event @param {boolean} over */
function setDragOver(event, over) {
  event.preventDefault();
  if (over !== state.over) set({ over });
}

function fileChooser() {
  return h(
    "section",
    {
      key: "drop",
      class: `drop${state.over ? " over" : ""}`,
      ondragover: (/** @type {DragEvent} */ event) => setDragOver(event, true),
      ondragleave: (/** @type {DragEvent} */ event) => setDragOver(event, false),
    },
    h(
      "label",
      { class: "field" },
      h("span", null, t("import.file")),
      h("input", {
        id: "file",
        type: "file",
        accept: ".json,application/json",
        "aria-describedby": "import-said",
        onchange: (/** @type {Event} */ event) => {
          const [file] = /** @type {HTMLInputElement} */ (event.target).files ?? [];
          if (file !== undefined) checkFile(file);
        },
      }),
    ),
    h("p", { class: "quiet" }, t("import.drop")),
  );
}

/** @param {number} points */
const signed = (points) => `${points > 0 ? "+" : points < 0 ? "−" : ""}${Math.abs(points)}`;

/** Draw how the fairness of a deal was checked. @param {Hand} hand */
function dealCell(hand) {
  if (hand.fair) return h("td", { "data-zone": "deal", class: "deal" }, t(`import.fair.${hand.kind ?? "open"}`));
  if (hand.known) return h("td", { "data-zone": "deal", class: "deal quiet" }, t("import.known"));
  if (!hand.proven) return h("td", { "data-zone": "deal", class: "deal quiet" }, t("import.no_proof"));
  return h(
    "td",
    { "data-zone": "deal", class: "deal" },
    h("b", { class: "problem" }, t("import.unfair", { reason: refusalText(hand.unfair ?? {}) })),
  );
}

/** @param {Match} match @param {number} place */
function handsTable(match, place) {
  const caption = t("match.caption");
  const shown = namesInFile(match.players);
  return h(
    "div",
    { class: "wide-table", tabindex: "0", role: "region", "aria-label": caption },
    h(
      "table",
      { class: "hands" },
      h("caption", { class: "sr-only" }, caption),
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, t("import.hand")),
          h("th", { scope: "col" }, t("import.deal")),
          match.players.map((name) =>
            h("th", { scope: "col", class: match.winners.includes(name) ? "won" : "" }, shown.get(name) ?? name),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        match.hands.slice(0, LISTED).map((hand) => handRow(match, hand, place)),
      ),
      h(
        "tfoot",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "row" }, t("match.total")),
          h("td", null),
          match.players.map((name) => h("td", null, h("b", null, match.totals[name] ?? ""))),
        ),
      ),
    ),
  );
}

/** @param {Match} match @param {Hand} hand @param {number} place */
function handRow(match, hand, place) {
  const number = hand.number + 1;
  const watch = {
    href: `/history/import/${place}/replay?hand=${hand.number}`,
    "aria-label": t("match.replay.hand", { number }),
  };
  return h(
    "tr",
    { key: number },
    h("th", { scope: "row" }, state.watched ? h("a", watch, number) : number),
    dealCell(hand),
    match.players.map((name) => {
      const points = hand.result.ledger[name];
      return h("td", null, points === undefined ? "" : signed(points));
    }),
  );
}

/** @param {NonNullable<Match["origin"]>} from */
const originText = ({ how, hand, move }) => t(`match.origin.${how}`, { hand: hand + 1, move });

/** @param {Match} match @param {number} place */
function matchSection(match, place) {
  const title = t("match.title", {
    game: hasMessage(`game.${match.game}`) ? t(`game.${match.game}`) : match.game,
    count: match.hands.length,
  });
  const unlisted = match.hands.length - LISTED;
  return h(
    "section",
    { key: `match-${place}`, "data-zone": "brought", class: "brought" },
    h("h2", null, title),
    match.origin === null ? null : h("p", null, originText(match.origin)),
    match.refused === null ? null : h("p", { class: "problem", "data-problem": true }, refusalText(match.refused)),
    match.hands.length === 0 ? null : handsTable(match, place),
    unlisted > 0 ? h("p", { class: "quiet" }, t("import.more_hands", { count: unlisted })) : null,
  );
}

function resultSection() {
  const { matches, watched, done } = state;
  if (matches.length === 0) return null;
  const whole = matches.every((match) => match.refused === null);
  const unlisted = matches.length - LISTED;
  return h(
    "div",
    { key: "result" },
    done !== null
      ? null
      : whole
        ? h(
            "p",
            { key: "keeping", class: "buttons" },
            button({ class: "button main", onclick: importMatches }, t("import.keep", { count: matches.length })),
          )
        : h("p", { key: "keeping" }, t("import.not_kept")),
    whole ? h("p", { class: "quiet" }, t("import.counts_for_nothing")) : null,
    watched ? null : h("p", { class: "quiet" }, t("import.keep_to_watch")),
    matches.slice(0, LISTED).map(matchSection),
    unlisted > 0 ? h("p", { class: "quiet" }, t("import.more_matches", { count: unlisted })) : null,
  );
}

function show() {
  const { problem, said } = state;
  draw(
    root,
    fileChooser(),
    h(
      "div",
      { key: "said", id: "import-said", role: "status" },
      problem !== "" ? h("p", { key: "problem", class: "problem" }, problem) : null,
      said !== "" ? h("p", { key: "so-far" }, said) : null,
    ),
    progressBar(),
    resultSection(),
  );
}

// Accept files dropped anywhere on the page. Otherwise the browser would open the file and leave the page.
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer?.files ?? [];
  if (file !== undefined) checkFile(file);
});

await loadMessages();
root.removeAttribute("aria-busy");
show();
