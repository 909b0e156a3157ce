// @ts-check
// Live regions: what is added to them is read aloud. Line comes after line, none in another's place, so that nothing is
// lost at any speed: whoever reads aloud keeps the queue.

const KEPT = 30;

/**
 * @param {Element} region
 * @returns {(text: string) => void} says a text
 */
export function speaker(region) {
  return (text) => {
    if (text === "") return;
    const line = document.createElement("p");
    line.textContent = text;
    region.append(line);
    while (region.childElementCount > KEPT) region.firstElementChild?.remove();
  };
}
