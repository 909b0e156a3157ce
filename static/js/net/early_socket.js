// @ts-check
// Knocks at the room while the rest of the page is on its way: when that has come, so has what the room shows. It is to
// be here before all else, so it imports nothing.

/** The version of the protocol that this page speaks. */
const PROTOCOL = 4;

/** @typedef {{ socket: WebSocket, told: string[] }} OpenedSocket a socket, and what came over it before somebody listened */

/**
 * Where a room's socket is; a proxy before several servers goes by the room's id, which stays.
 * @param {DOMStringMap} data of the element that shows the room
 * @param {string} code that the room has now
 */
export function roomSocketUrl(data, code = data.code ?? "") {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/ws/${code}?room=${data.room}&protocol=${PROTOCOL}`;
}

/** @param {string} url */
function openEarlySocket(url) {
  const line = { url, socket: new WebSocket(url), told: /** @type {string[]} */ ([]) };
  const hear = (/** @type {MessageEvent} */ event) => void line.told.push(String(event.data));
  line.socket.addEventListener("message", hear);
  return { ...line, leave: () => line.socket.removeEventListener("message", hear) };
}

const room = document.getElementById("room");
let earlySocket = room && openEarlySocket(roomSocketUrl(room.dataset));

/** A line to this address: the one that was opened before all else, if nobody has it yet. @param {string} url @returns {OpenedSocket} */
export function takeSocket(url) {
  const line = earlySocket;
  if (line?.url !== url) return { socket: new WebSocket(url), told: [] };
  earlySocket = null;
  line.leave();
  return line;
}
