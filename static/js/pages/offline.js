// @ts-check
// The page for when there is no server: tries again by itself, and when it is asked to.

const EVERY = 3000;

async function look() {
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // Still nobody.
  }
}

document.querySelector("[data-again]")?.addEventListener("click", () => location.reload());
window.addEventListener("online", () => void look());
window.setInterval(() => void look(), EVERY);
