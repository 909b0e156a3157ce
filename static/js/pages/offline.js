// @ts-check
// The page shown when the server can't be reached. It tries again automatically and on request.

const RETRY_INTERVAL = 3000;

async function reloadIfOnline() {
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // The server still doesn't answer.
  }
}

document.querySelector("[data-again]")?.addEventListener("click", () => location.reload());
window.addEventListener("online", () => void reloadIfOnline());
window.setInterval(() => void reloadIfOnline(), RETRY_INTERVAL);
