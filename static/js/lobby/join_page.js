// @ts-check
// The page of an invitation: keeps the name for later forms, and loads the room's files while the guest types. Its
// socket tells the room that somebody is joining.

import { getPreference, setPreference } from "../lib/preferences.js";

const form = document.querySelector("#join");
const field = document.querySelector("#name");
if (form instanceof HTMLFormElement && field instanceof HTMLInputElement) {
  field.value ||= getPreference("name", "");
  form.addEventListener("submit", () => setPreference("name", field.value.trim()));
}

/** Load the files that the room's page needs into the browser's cache. */
function loadRoomFiles() {
  void import("../net/early_socket.js");
  const files = document.querySelector("main")?.dataset.ofRoom?.split(" ").filter(Boolean) ?? [];
  // A file may be cached only when all of it is read. If one does not load, the room's page tries again.
  for (const file of files)
    fetch(file, { priority: "low" })
      .then((answer) => answer.blob())
      .catch(() => undefined);
}

if (document.readyState === "complete") loadRoomFiles();
else window.addEventListener("load", loadRoomFiles);
