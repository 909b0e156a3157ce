// @ts-check
// Opens the room's WebSocket while the other scripts are still loading, so that the first update arrives early. This
// module must load first, so it imports nothing.

/** Version of the protocol between this page and the server. */
const PROTOCOL = 5;

/** @typedef {{ socket: WebSocket, told: string[] }} OpenedSocket a socket, and the messages received before a listener was added */

/**
 * Return the URL of a room's socket. It contains the room's id, which never changes: proxies use it to pick the server.
 * @param {DOMStringMap} data data attributes of the element `room`, with the current code of the room
 */
export function roomSocketUrl({ code, room }) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/ws/${code}?room=${room}&protocol=${PROTOCOL}`;
}

/** Open a socket and collect its messages until `leave` is called. @param {string} url */
function openEarlySocket(url) {
  const line = { url, socket: new WebSocket(url), told: /** @type {string[]} */ ([]) };
  const hear = (/** @type {MessageEvent} */ event) => void line.told.push(String(event.data));
  line.socket.addEventListener("message", hear);
  return { ...line, leave: () => line.socket.removeEventListener("message", hear) };
}

const room = document.getElementById("room");
let earlySocket = room && openEarlySocket(roomSocketUrl(room.dataset));

/**
 * Return a socket for this URL: the early socket if it matches and is unused, else a new socket.
 * @param {string} url @returns {OpenedSocket}
 */
export function takeSocket(url) {
  const line = earlySocket;
  if (line?.url !== url) return { socket: new WebSocket(url), told: [] };
  earlySocket = null;
  line.leave();
  return line;
}
