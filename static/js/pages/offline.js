// @ts-check
// The page for when there is no server: tries again by itself, and when it is asked to.

const RETRY_INTERVAL = 3000;

async function reloadIfOnline() {
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // Still nobody.
  }
}

document.querySelector("[data-again]")?.addEventListener("click", () => location.reload());
window.addEventListener("online", () => void reloadIfOnline());
window.setInterval(() => void reloadIfOnline(), RETRY_INTERVAL);
