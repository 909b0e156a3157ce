// @ts-nocheck
// What is wrong with the layout of a page as it is now, for `layout.py`: things that lie on each other, text that is cut
// or can't be told from what lies behind it, and targets too small for a thumb. An expression: a function of what to ask.
({ targets, contrast }) => {
  /** Things that are looked at whole; what is inside them is theirs. */
  const WHOLE = ".card, .avatar, img, svg, input, select, textarea";
  /** Where things lie on each other on purpose: cards on cards, marks on a bird, the sign on a field. */
  const MEANT = ".hand, .cards-row, .perch, .pack, .pot-coins, .coins, .pick";
  /** What only shows the way behind everything else. */
  const BEHIND = ".way";
  const SLACK = 2;
  const found = [];
  const open = document.querySelector("dialog[open]");
  const root = open ?? document.body;

  const name = (el) => {
    const text = (el.getAttribute("aria-label") ?? el.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    const kind = el.localName + [...el.classList].map((each) => `.${each}`).join("");
    return `${kind}${text ? ` “${text}”` : ""}`;
  };
  const style = (el) => getComputedStyle(el);
  const hiddenOnPurpose = (el) =>
    el.closest(".sr-only, .skip, [hidden], noscript") !== null ||
    (style(el).clipPath === "inset(50%)" && el.offsetWidth <= 1);
  const faint = (el) => {
    let all = 1;
    for (let at = el; at; at = at.parentElement) all *= Number(style(at).opacity);
    return all;
  };
  /** What may cut a box: what stands around it, and around text its own element, too. */
  const frames = function* (el, own) {
    for (let at = own ? el : el.parentElement; at; at = at.parentElement) yield at;
  };
  /** The part of a box that can be seen, what cuts it, and whether scrolling would show the rest. */
  const seen = (el, box, own) => {
    let { left, top, right, bottom } = box;
    let cut = null;
    let scrolls = false;
    const within = (l, t, r, b, by, x, y) => {
      if (left < l - 1 || right > r + 1) x ? (scrolls = true) : (cut ??= by);
      if (top < t - 1 || bottom > b + 1) y ? (scrolls = true) : (cut ??= by);
      [left, top, right, bottom] = [Math.max(left, l), Math.max(top, t), Math.min(right, r), Math.min(bottom, b)];
    };
    for (const parent of frames(el, own)) {
      const { overflowX, overflowY, position } = style(parent);
      if (parent === document.documentElement || parent === document.body) continue;
      const clips = overflowX !== "visible" || overflowY !== "visible";
      if (clips && !(style(el).position === "fixed")) {
        const edge = parent.getBoundingClientRect();
        const can = (how, more) => ["auto", "scroll"].includes(how) && more;
        within(
          edge.left, edge.top, edge.right, edge.bottom, parent,
          can(overflowX, parent.scrollWidth > parent.clientWidth),
          can(overflowY, parent.scrollHeight > parent.clientHeight),
        );
      }
      if (parent === open || position === "fixed") break;
    }
    const page = document.documentElement;
    const fixed = [document.body, page].some((each) => ["hidden", "clip"].includes(style(each).overflowY));
    within(0, -scrollY, innerWidth, fixed ? innerHeight : page.scrollHeight - scrollY, page, false, false);
    return { left, top, right, bottom, cut, scrolls, any: right - left > SLACK && bottom - top > SLACK };
  };
  const ownText = (el) => [...el.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== "");
  /** The lines of a text, each a box. */
  const lines = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()];
    return boxes.length > 0 ? boxes : [range.getBoundingClientRect()];
  };

  // What there is to see.
  const pieces = [];
  const walk = (el) => {
    if (el.localName === "dialog" && el !== open) return;
    if (["script", "style", "option", "defs"].includes(el.localName) || el.matches(BEHIND)) return;
    if (!el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || hiddenOnPurpose(el)) return;
    const whole = el.matches(WHOLE);
    if (whole || el.matches("button, .seat")) pieces.push({ el, box: el.getBoundingClientRect(), text: null });
    if (whole) return;
    for (const node of ownText(el)) for (const box of lines(node)) pieces.push({ el, box, text: node.data.trim() });
    for (const child of el.children) walk(child);
  };
  walk(root);
  for (const piece of pieces) piece.seen = seen(piece.el, piece.box, piece.text !== null);

  // Text that is cut, and text of no size.
  for (const { el, box, text, seen: part } of pieces) {
    if (text === null) {
      if (part.cut && part.any) found.push(`cut: ${name(el)} by ${name(part.cut)}`);
      else if (part.cut && !part.scrolls) found.push(`lost: ${name(el)} outside ${name(part.cut)}`);
      continue;
    }
    if (box.width === 0 || box.height === 0) found.push(`no size: ${name(el)} “${text.slice(0, 40)}”`);
    else if (part.cut) found.push(`cut: ${name(el)} by ${name(part.cut)}`);
    const frame = el.closest("button, .button, .seat, .play, .sign, td, th, .notice, .banner");
    const scrolled = frame && ["auto", "scroll"].includes(style(frame).overflowY);
    if (frame && frame !== part.cut && !scrolled && el.closest(".perch") === null) {
      const edge = frame.getBoundingClientRect();
      if (box.left < edge.left - SLACK || box.right > edge.right + SLACK || box.top < edge.top - SLACK || box.bottom > edge.bottom + SLACK)
        found.push(`spills: “${text.slice(0, 40)}” out of ${name(frame)}`);
    }
  }

  // Things that lie on each other.
  const sticky = (el) => {
    for (let at = el; at; at = at.parentElement) if (["sticky", "fixed"].includes(style(at).position)) return at;
    return null;
  };
  const told = new Set();
  pieces.forEach((one, i) => {
    for (const other of pieces.slice(i + 1)) {
      if (!one.seen.any || !other.seen.any) continue;
      const wide = Math.min(one.seen.right, other.seen.right) - Math.max(one.seen.left, other.seen.left);
      const high = Math.min(one.seen.bottom, other.seen.bottom) - Math.max(one.seen.top, other.seen.top);
      if (wide <= SLACK || high <= SLACK) continue;
      if (one.el.contains(other.el) || other.el.contains(one.el)) continue;
      const meant = one.el.closest(MEANT);
      if (meant !== null && meant === other.el.closest(MEANT)) continue;
      // A word from the server stands for a while instead of what was said.
      if ([one.el, other.el].some((el) => el.closest(".notice")) && [one.el, other.el].some((el) => el.closest(".said, .me"))) continue;
      // What stays while the rest scrolls lies over it.
      if (sticky(one.el) !== sticky(other.el)) continue;
      const words = `on each other: ${name(one.el)} and ${name(other.el)} (${Math.round(wide)}×${Math.round(high)})`;
      if (!told.has(words)) found.push(words);
      told.add(words);
    }
  });

  // Text that can't be told from what lies behind it.
  const brush = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const colour = (text) => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = text;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [br, bg, bb]) => [r * a + br * (1 - a), g * a + bg * (1 - a), b * a + bb * (1 - a), 1];
  const light = ([r, g, b]) => {
    const linear = [r, g, b].map((each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
    return linear[0] * 0.2126 + linear[1] * 0.7152 + linear[2] * 0.0722;
  };
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  /** Every colour that may lie behind an element: more than one where it is a gradient. */
  const behind = (el) => {
    if (el === null) return [colour(style(document.documentElement).colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff")];
    const { backgroundColor, backgroundImage } = style(el);
    const flat = colour(backgroundColor);
    const steps = backgroundImage.includes("gradient") ? (backgroundImage.match(/(?:rgba?|color|oklab)\([^()]*\)/g) ?? []) : [];
    const paints = [flat, ...steps.map(colour)].filter(([, , , alpha]) => alpha > 0);
    const base = paints.some(([, , , alpha]) => alpha >= 0.99) ? null : behind(el.parentElement);
    return base === null
      ? paints.filter(([, , , alpha]) => alpha >= 0.99)
      : base.flatMap((back) => [...(paints.length ? paints.map((paint) => over(paint, back)) : [back])]);
  };
  if (contrast)
    for (const { el, text, seen: part } of pieces) {
      if (text === null || !part.any || !/[\p{L}\p{N}]/u.test(text)) continue;
      const { color, fontSize, fontWeight } = style(el);
      const size = parseFloat(fontSize);
      const least = size >= 24 || (size >= 18.6 && Number(fontWeight) >= 700) ? 3 : 4.5;
      const [r, g, b, a] = colour(color);
      const worst = Math.min(...behind(el).map((back) => ratio(over([r, g, b, a * faint(el)], back), back)));
      if (worst < least - 0.01) found.push(`faint: ${name(el)} at ${worst.toFixed(2)}`);
    }

  // Targets too small for a thumb.
  if (targets) {
    const cards = [...root.querySelectorAll(".hand .card")].map((el) => [el, el.getBoundingClientRect()]);
    for (const { el } of new Map(pieces.map((piece) => [piece.el, piece])).values()) {
      const target = el.closest("button, a[href], input, select, textarea, summary");
      if (target === null || told.has(target)) continue;
      told.add(target);
      const inLine = target.localName === "a" && style(target).display === "inline";
      const labelled = target.matches("input") ? (target.closest("label") ?? target) : target;
      let { width, height, left, top } = labelled.getBoundingClientRect();
      if (target.matches(".hand .card")) {
        // What the next card in the row and the next row leave of it.
        for (const [other, box] of cards) {
          if (other === target) continue;
          if (Math.abs(box.top - top) < 20 && box.left > left) width = Math.min(width, box.left - left);
          if (box.top - top >= 20 && Math.abs(box.left - left) < 20) height = Math.min(height, box.top - top);
        }
      }
      if (!inLine && (width < 43.5 || height < 43.5))
        found.push(`small: ${name(target)} ${Math.round(width)}×${Math.round(height)}`);
    }
  }
  return [...new Set(found)];
}
