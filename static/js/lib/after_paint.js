// @ts-check
// When what was drawn can be seen.

/** So long after a drawing it is seen, or nobody looks: pages that are hidden have no frames. ms */
const AT_MOST = 500;

/** Do something when what is being drawn can be seen; soon, where nobody looks. @param {() => void} does */
export function whenDrawn(does) {
  let done = false;
  const once = () => {
    if (!done) does();
    done = true;
  };
  requestAnimationFrame(() => window.setTimeout(once));
  window.setTimeout(once, AT_MOST);
}
