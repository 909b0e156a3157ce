// @ts-check
// Plays hands in a room with several pages, and prints what each page says about the deals. The pages use their own modules
// for the connection, the seeds, the checks and the words. The argument is JSON. `base` is the server's address, `code` the
// room's. `pages` is a list of `name` and `cookie`; the first page is the host's. `hands` is the number of hands. With
// `reloads`, a page is reloaded in each hand. With `guest`, each deal waits for the seed of a player without a page. With
// `unheard`, the server may acknowledge no hash.
// Run it with `node --experimental-websocket`.

import { english } from "../english.js";

/** @typedef {{ base: string, code: string, pages: { name: string, cookie: string }[], hands: number, reloads?: boolean, guest?: boolean, unheard?: boolean }} Plan */

/** @type {Plan} */
const plan = JSON.parse(process.argv[2] ?? "{}");
const RealSocket = globalThis.WebSocket;
const realFetch = globalThis.fetch;
Object.assign(globalThis, {
  window: globalThis,
  document: Object.assign(new EventTarget(), { visibilityState: "visible", getElementById: () => null }),
  location: new URL(plan.base),
  addEventListener: () => {},
  fetch: (/** @type {string} */ path) => realFetch(new URL(path, plan.base)),
  /** A socket with the cookie of the page whose number is in the address. */
  WebSocket: class extends RealSocket {
    /** @param {string} address */
    constructor(address) {
      const url = new URL(address);
      const cookie = plan.pages[Number(url.searchParams.get("page"))]?.cookie ?? "";
      url.searchParams.delete("page");
      super(url, /** @type {any} */ ({ headers: { cookie, origin: plan.base } }));
    }
  },
});

const { setMessages } = await import("../../../static/js/lib/messages.js");
const { RoomSocket } = await import("../../../static/js/net/room_socket.js");
const { withContext } = await import("../../../static/js/net/command_context.js");
const { startFairDeals } = await import("../../../static/js/room/fair_deals.js");
const { eventSentence } = await import("../../../static/js/events/sentences.js");
setMessages(english());

/** @import { Update } from "../../../static/js/types.d.ts" */

class Page {
  /** @param {number} number @param {string} name */
  constructor(number, name) {
    this.number = number;
    this.name = name;
    /** What this page said at the table. @type {string[]} */
    this.lines = [];
    this.open();
  }

  /** Open the page, or load it again. */
  open() {
    const url = `${plan.base.replace("http", "ws")}/ws/${plan.code}?protocol=5&page=${this.number}`;
    /** @type {Update | null} */
    this.update = null;
    this.link = "connecting";
    /** The commitment for which the server has answered this page's hash. */
    this.answered = "";
    /** The number of the update that this page has answered with an action. @type {number} */
    this.acted = 0;
    const socket = new RoomSocket(
      url,
      (update) => {
        if (this.socket === socket) this.onUpdate(update);
      },
      (link) => {
        this.link = link;
      },
      () => {},
      () => {},
    );
    // The ids of commands are unique in a process, not in a page that is loaded again.
    socket.count = this.socket?.count ?? 0;
    this.socket = socket;
    const say = (/** @type {string} */ line) => {
      this.lines.push(line);
      console.log(JSON.stringify({ page: this.name, line }));
    };
    this.deals = startFairDeals(`${plan.code}.${this.name}`, {
      set: ({ unfair }) => {
        if (unfair) say(unfair);
      },
      say: () => {},
      desk: () => /** @type {any} */ ({ showNotice: say }),
      sendOrShowError: (command) => this.send(command),
    });
    this.say = say;
  }

  reload() {
    this.socket?.close();
    this.open();
  }

  /** @param {Record<string, any> & { t: string }} command */
  async send(command) {
    const answer = await /** @type {InstanceType<typeof RoomSocket>} */ (this.socket).sendCommand(command);
    if (command.t === "seed_hash" && answer.ok) this.answered = command.commitment;
    return answer;
  }

  /** @param {Update} update */
  onUpdate(update) {
    this.update = update;
    for (const event of update.events)
      if (event.e === "deal_cancelled") this.say?.(eventSentence(/** @type {any} */ (event), this.name, undefined));
    void this.deals?.onUpdate(update);
    void this.act(update);
    queueMicrotask(() => void dealIfReady());
  }

  /** Take the first legal action, once for each update. @param {Update} update */
  async act(update) {
    const [action] = update.you.legal ?? [];
    if (!action || update.seq === this.acted) return;
    this.acted = update.seq;
    const answer = await this.send(withContext(update, { t: "act", action }));
    if (answer.code !== "too_fast") return;
    this.acted = 0;
    setTimeout(() => this.update === update && void this.act(update), 100);
  }
}

const pages = plan.pages.map(({ name }, number) => new Page(number, name));
const over = (/** @type {Update | null} */ update) =>
  update !== null &&
  update.room.phase !== "playing" &&
  (update.room.phase === "finished" || (update.table?.number ?? 0) >= plan.hands);

let asked = "";
let reloaded = 0;

/** Ask for the next hand as the host, once all pages have promised their seeds. */
async function dealIfReady() {
  const [host] = pages;
  const update = host?.update;
  if (!host || !update) return;
  const { phase, fair, can_start } = update.room;
  if (phase === "playing" && plan.reloads && (update.table?.number ?? 0) > reloaded) {
    reloaded = update.table?.number ?? 0;
    pages[reloaded % pages.length]?.reload();
  }
  const ready = pages.every(({ answered, deals }) =>
    plan.unheard ? deals?.promised === fair.commitment : answered === fair.commitment,
  );
  const complete = !plan.guest || Object.keys(fair.hashes).length > pages.length;
  if (
    phase === "playing" ||
    fair.closed ||
    !can_start ||
    !ready ||
    !complete ||
    over(update) ||
    asked === fair.commitment
  )
    return;
  asked = fair.commitment;
  const answer = await host.send(withContext(update, { t: phase === "lobby" ? "start" : "deal_next" }));
  if (!answer.ok) asked = "";
}

const timer = setInterval(() => {
  void dealIfReady();
  if (!pages.every(({ update, link }) => link === "open" && over(update))) return;
  clearInterval(timer);
  void finish();
}, 20);

/** Print what the pages know at the end. */
async function finish() {
  for (const page of pages) await page.deals?.turn;
  const told = pages.map(({ name, lines, deals }) => ({ name, lines, ...deals?.summary, copy: deals?.copy }));
  console.log(JSON.stringify({ pages: told, match: pages[0]?.update?.room.match_id }));
  process.exit(0);
}
