// @ts-check
// Finds faults in the layout of a page, for `layout.py`: overlaps, cut text, faint text and small touch targets. The
// file is an expression, a function whose argument selects the checks.
/**
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Edges
 * @typedef {Edges & { cut: Element | null, scrolls: boolean, any: boolean }} Seen
 * @typedef {{ el: Element, box: DOMRect, text: string | null, seen: Seen }} Piece
 * @typedef {[number, number, number, number]} Colour red, green, blue and opacity
 */
(/** @type {{ targets: boolean, contrast: boolean }} */ { targets, contrast }) => {
  /** Elements that are checked as a whole, without their contents. */
  const WHOLE = "[data-rank], [data-back], [data-hue], img, svg, input, select, textarea";
  /** Places of intended overlaps: cards on cards, marks on a face, the sign on a field. */
  const MEANT =
    "[data-zone=hand], [data-zone=pile], [data-zone=cards]:not([data-zone=pile] *), [data-zone=perch], [data-zone=pack], [data-zone=coins], [data-zone=counter], [data-pick]";
  /** An element in the background that shows the direction of play. */
  const BEHIND = "[data-way]";
  /** Wide elements that show that they scroll sideways. */
  const ASIDE = "[role=region][tabindex], [role=img][tabindex], [data-zone=offers], [data-zone=presets]";
  /** Texts that may end in dots, each with the place that shows them in full. */
  const SHORTENED = [
    "[data-zone=by]", // the seat of the player
    "[data-zone=latest]", // the log
    "[data-zone=screen-status] li", // the log on each player's page
    "[data-zone=screen-ranks] [data-zone=name]", // the seat of the player on a television
    "[data-zone=screen-result] th", // the seat of the player, before the result of many players
    "[data-zone=all-cards] [data-zone=name]", // the seat of the player in a replay
  ].join();
  const SLACK = 2;
  /** The least size of a touch target, and the least width of a card that others overlap, in pixels. */
  const TARGET = 44;
  const STRIP = 40;
  /** The least distance between two texts on one line, in pixels. */
  const GAP = 2;
  /** @type {string[]} */
  const found = [];
  const open = document.querySelector("dialog[open]");
  const root = open ?? document.body;

  const name = (/** @type {Element} */ el) => {
    const text = (el.getAttribute("aria-label") ?? el.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    const kind = `${el.localName}${el.getAttribute("data-zone") ? ` (${el.getAttribute("data-zone")})` : ""}`;
    return `${kind}${text ? ` “${text}”` : ""}`;
  };
  /** @type {Map<Element, CSSStyleDeclaration>} */
  const styles = new Map();
  const style = (/** @type {Element} */ el) => {
    const known = styles.get(el) ?? getComputedStyle(el);
    styles.set(el, known);
    return known;
  };
  const hiddenOnPurpose = (/** @type {Element} */ el) =>
    el.closest("a[href='#main'], [hidden], noscript") !== null ||
    (style(el).clipPath === "inset(50%)" && el.clientWidth <= 1);
  const faint = (/** @type {Element} */ el) => {
    let all = 1;
    for (let at = /** @type {Element | null} */ (el); at; at = at.parentElement) all *= Number(style(at).opacity);
    return all;
  };
  /** The box that text must stay in: a button or a link with a border, a seat, a play, a sign, a cell, a message. @param {Element | null} el @returns {Element | null} */
  const frameOf = (el) => {
    if (
      el === null ||
      el.matches("button, [data-seat], [data-play], [data-sign], td, th, [data-zone=notice], [data-zone=banner]")
    )
      return el;
    return el.localName === "a" && parseFloat(style(el).borderTopWidth) > 0 ? el : frameOf(el.parentElement);
  };
  const page = document.documentElement;
  /**
   * How an element cuts what lies in it. Read once for each element, because it takes time.
   * @typedef {{ el: Element, clips: boolean, edge: DOMRect, wider: boolean, higher: boolean, back: { x: number, y: number },
   *   starts: "left" | "right", dots: boolean, clamped: boolean, last: boolean }} Frame
   * @type {Map<Element, Frame>}
   */
  const frames = new Map();
  const frameAt = (/** @type {Element} */ el) => {
    const known = frames.get(el);
    if (known !== undefined) return known;
    const { overflowX, overflowY, position, clipPath, contain, direction, textOverflow, webkitLineClamp } = style(el);
    const paints = clipPath === "none" && !/paint|content|strict/.test(contain);
    /** @param {string} how @param {boolean} more */
    const can = (how, more) => ["auto", "scroll"].includes(how) && more;
    const shortened = el.matches(SHORTENED);
    /** @type {Frame} */
    const frame = {
      el,
      clips: el !== page && el !== document.body && (overflowX !== "visible" || overflowY !== "visible" || !paints),
      edge: el.getBoundingClientRect(),
      wider: can(overflowX, el.scrollWidth > el.clientWidth),
      higher: can(overflowY, el.scrollHeight > el.clientHeight),
      back: { x: el.scrollLeft, y: el.scrollTop },
      starts: direction === "rtl" ? "right" : "left",
      dots: shortened && textOverflow === "ellipsis",
      clamped: shortened && webkitLineClamp !== "none",
      last: el === open || (position === "fixed" && el !== page && el !== document.body),
    };
    frames.set(el, frame);
    return frame;
  };
  const fixed = [document.body, page].some((each) => ["hidden", "clip"].includes(style(each).overflowY));
  const wholePage = {
    left: 0,
    top: -scrollY,
    right: innerWidth,
    bottom: fixed ? innerHeight : page.scrollHeight - scrollY,
  };
  /**
   * The visible part of a box, the element that cuts it, and whether scrolling would show the rest.
   * @param {Element} el @param {Edges} box @param {boolean} own whether the element itself may cut it, as it may cut text
   * @returns {Seen}
   */
  const seen = (el, box, own) => {
    let { left, top, right, bottom } = box;
    /** The ends of the box, without what dots replace. */
    let [from, to] = [left, right];
    /** @type {Element | null} */
    let cut = null;
    let scrolls = false;
    /** The distance by which ancestors have been scrolled, right and down. Content within it can be scrolled back into view. */
    const back = { x: 0, y: 0 };
    /** @param {Edges} edge @param {Element} by @param {boolean} x does it scroll sideways @param {boolean} y or down */
    const within = (edge, by, x, y) => {
      const wide = left < edge.left - 1 || right > edge.right + 1;
      const high = top < edge.top - 1 || bottom > edge.bottom + 1;
      if ((wide && !x) || (high && !y)) cut ??= by;
      scrolls ||= (wide && x) || (high && y);
      [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
      [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
    };
    const floats = style(el).position === "fixed";
    for (let at = own ? el : el.parentElement; at; at = at.parentElement) {
      const { clips, edge, wider, higher, back: scrolled, starts, dots, clamped, last } = frameAt(at);
      if (clips && !floats) {
        if (dots) [from, to] = [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        if (clamped) [top, bottom] = [Math.min(top, edge.bottom), Math.min(bottom, edge.bottom)];
        back.x += scrolled.x;
        back.y += scrolled.y;
        // Content before the start of a box can't be reached by scrolling.
        const before = starts === "left" ? edge.left - from - back.x : to - edge.right + back.x;
        if (edge.top - box.top - back.y > SLACK || before > SLACK) cut ??= at;
        within(edge, at, wider, higher);
      }
      if (last) break;
    }
    within(wholePage, page, false, false);
    return { left, top, right, bottom, cut, scrolls, any: right - left > SLACK && bottom - top > SLACK };
  };
  /** Nodes with more than spaces and the characters that isolate a direction of writing. */
  const ownText = (/** @type {Element} */ el) =>
    [...el.childNodes].flatMap((node) => (node instanceof Text && /[^\s\u2066-\u2069]/.test(node.data) ? [node] : []));
  const brush = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (brush === null) throw new Error("this browser does not paint");
  /**
   * The boxes of a text's lines, without the spaces around it and without the room above and below its letters.
   * @param {Text} node @param {Element} el
   */
  const lines = (node, el) => {
    const range = document.createRange();
    range.setStart(node, node.data.length - node.data.trimStart().length);
    range.setEnd(node, node.data.trimEnd().length);
    // Characters that set the direction of writing have boxes without a width.
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
    brush.font = style(el).font;
    const ink = brush.measureText(node.data.trim());
    const above = Math.max(0, ink.fontBoundingBoxAscent - ink.actualBoundingBoxAscent);
    const below = Math.max(0, ink.fontBoundingBoxDescent - ink.actualBoundingBoxDescent);
    return (boxes.length > 0 ? boxes : [range.getBoundingClientRect()]).map(({ x, y, width, height }) =>
      height === 0 ? new DOMRect(x, y, width, 0) : new DOMRect(x, y + above, width, height - above - below),
    );
  };

  const block = (/** @type {Element} */ el) => {
    for (let at = /** @type {Element | null} */ (el); at; at = at.parentElement)
      if (style(at).display !== "inline") return at;
    return el;
  };
  /**
   * The words of a text that are broken over two lines without a hyphen, though a line has room for them. Japanese and
   * Chinese may be broken anywhere.
   * @param {Text} node @param {Element} el
   */
  const broken = (node, el) => {
    const { display, paddingLeft, paddingRight } = style(block(el));
    // Text beside other things has a part of the width.
    if (/flex|grid/.test(display)) return [];
    const room = block(el).clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const range = document.createRange();
    const letter = (/** @type {number} */ at) => {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return [...range.getClientRects()].at(-1);
    };
    return [...node.data.matchAll(/[^\s\u00ad\u3000-\u9fff\uff00-\uffef/—–-]{2,}/g)].filter(({ 0: word, index }) => {
      const [first, last] = [letter(index), letter(index + word.length - 1)];
      if (!first || !last || last.top - first.top < first.height / 2) return false;
      range.setStart(node, index);
      return [...range.getClientRects()].reduce((sum, { width }) => sum + width, 0) <= room;
    });
  };

  // Collect the visible pieces.
  /** @type {Piece[]} */
  const pieces = [];
  const add = (/** @type {Element} */ el, /** @type {DOMRect} */ box, /** @type {string | null} */ text) =>
    pieces.push({ el, box, text, seen: seen(el, box, text !== null) });
  /** Letters on a card or a picture lie on it on purpose, but must not be cut. */
  const drawn = (/** @type {Element} */ whole) => {
    for (const el of whole.querySelectorAll("*"))
      for (const node of el.checkVisibility({ visibilityProperty: true }) && !hiddenOnPurpose(el) ? ownText(el) : [])
        for (const box of lines(node, el)) {
          const { cut } = seen(el, box, true);
          if (cut !== null) found.push(`cut: “${node.data.trim()}” in ${name(whole)} by ${name(cut)}`);
        }
  };
  const walk = (/** @type {Element} */ el) => {
    if (el.localName === "dialog" && el !== open) return;
    if (
      ["script", "style", "option", "defs"].includes(el.localName) ||
      el.matches(BEHIND) ||
      el.matches("[data-decoration]")
    )
      return;
    if (!el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || hiddenOnPurpose(el)) return;
    const whole = el.matches(WHOLE);
    if (whole || el.matches("button, [data-seat]")) add(el, el.getBoundingClientRect(), null);
    if (whole) return drawn(el);
    for (const node of ownText(el)) {
      const boxes = lines(node, el);
      const text = node.data.trim();
      // Nobody can read a word that is broken over more than two lines of three letters each.
      // Text in two directions has several boxes in a line.
      const rows = new Set(boxes.map(({ bottom }) => Math.round(bottom / 4))).size;
      if (rows > 2 && text.length / rows < 3.5) found.push(`crumbled: ${name(el)}`);
      if (rows > 1) found.push(...broken(node, el).map(([word]) => `broken: “${word}” in ${name(el)}`));
      for (const box of boxes) add(el, box, text);
    }
    if (
      el.scrollWidth > el.clientWidth + SLACK &&
      ["auto", "scroll"].includes(style(el).overflowX) &&
      !el.matches(ASIDE)
    )
      found.push(`sideways: ${name(el)}`);
    for (const child of el.children) walk(child);
  };
  walk(root);

  // A view has at most three sizes of text. The counter and the chip at a face are drawings, as cards are;
  // so are the letters of a result.
  /** @type {Map<string, string>} */
  const sizes = new Map();
  for (const { el, text, seen: part } of pieces)
    if (
      text !== null &&
      part.any &&
      !el.closest("[data-zone=card-count], [data-chip], [data-display]") &&
      /[\p{L}\p{N}]/u.test(text)
    )
      sizes.set(style(el).fontSize, name(el));
  if (sizes.size > 3)
    found.push(
      `sizes of text: ${[...sizes]
        .map((each) => each.join(" "))
        .sort()
        .join(", ")}`,
    );
  if (open === null && page.scrollWidth > innerWidth + SLACK)
    found.push(`sideways: the page, by ${page.scrollWidth - innerWidth}`);

  // Cut text, and text without a size.
  for (const { el, box, text, seen: part } of pieces) {
    if (text === null) {
      if (part.cut && part.any) found.push(`cut: ${name(el)} by ${name(part.cut)}`);
      else if (part.cut && !part.scrolls) found.push(`lost: ${name(el)} outside ${name(part.cut)}`);
      continue;
    }
    if (box.width === 0 || box.height === 0) found.push(`no size: ${name(el)} “${text.slice(0, 40)}”`);
    else if (part.cut) found.push(`cut: ${name(el)} by ${name(part.cut)}`);
    const frame = frameOf(el);
    const scrolled = frame && ["auto", "scroll"].includes(style(frame).overflowY);
    if (frame && frame !== part.cut && !scrolled && el.closest("[data-zone=perch]") === null) {
      const edge = frame.getBoundingClientRect();
      const whole = el.closest(SHORTENED) === null ? box : part;
      const wide = whole.left < edge.left - SLACK || whole.right > edge.right + SLACK;
      if (wide || box.top < edge.top - SLACK || box.bottom > edge.bottom + SLACK)
        found.push(`spills: “${text.slice(0, 40)}” out of ${name(frame)}`);
    }
  }

  // Lists that are narrower than their chosen option, and fields that are narrower than their hint. What a person types
  // into a field may be longer.
  for (const { el, seen: part } of pieces) {
    const text =
      el instanceof HTMLSelectElement && el.size <= 1
        ? el.selectedOptions[0]?.text
        : el instanceof HTMLInputElement && el.value === ""
          ? el.placeholder
          : "";
    // A list that is drawn as an icon lies invisibly on it.
    if (!text || !part.any || Number(style(el).opacity) === 0) continue;
    const { font, paddingLeft, paddingRight, appearance } = style(el);
    brush.font = font;
    const arrow = el.localName === "select" && appearance !== "none" ? 20 : 0;
    const room = el.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
    const needed = Math.ceil(brush.measureText(text).width);
    if (needed > room + 1) found.push(`cut: “${text}” by ${el.localName}, ${needed} in ${Math.floor(room)}`);
  }

  // A notice at the table covers the player's line for a while.
  const sticky = (/** @type {Element} */ el) => {
    for (let at = /** @type {Element | null} */ (el); at; at = at.parentElement)
      if (["sticky", "fixed"].includes(style(at).position) || at.matches("[data-zone=notice]")) return at;
    return null;
  };
  // Texts that touch. The spaces between texts of one paragraph are part of them.
  const texts = pieces.filter(({ text, seen: part }) => text !== null && part.any);
  texts.forEach(({ el: one, seen: a, text: said }, i) => {
    for (const { el: other, seen: b, text: also } of texts.slice(i + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const aside = high >= Math.min(a.bottom - a.top, b.bottom - b.top) / 2;
      // Accents may reach into the line above.
      if (aside ? wide <= -GAP : high <= SLACK || wide <= 0) continue;
      if (block(one) === block(other) || sticky(one) !== sticky(other)) continue;
      found.push(`touches: “${said?.slice(0, 20)}” and “${also?.slice(0, 20)}” in ${name(one)}`);
    }
  });

  // Overlapping things.
  /** @type {Set<string | Element>} */
  const told = new Set();
  pieces.forEach((one, i) => {
    for (const other of pieces.slice(i + 1)) {
      if (!one.seen.any || !other.seen.any) continue;
      const wide = Math.min(one.seen.right, other.seen.right) - Math.max(one.seen.left, other.seen.left);
      const high = Math.min(one.seen.bottom, other.seen.bottom) - Math.max(one.seen.top, other.seen.top);
      if (wide <= SLACK || high <= SLACK) continue;
      if (one.el.contains(other.el) || other.el.contains(one.el)) continue;
      if (one.text !== null && other.text !== null) continue; // reported above
      const meant = one.el.closest(MEANT);
      const named = [one, other].some(({ el }) => el.closest("[data-zone=by]"));
      const onName = named && [one, other].some(({ el }) => el.matches("[data-rank]"));
      if (meant !== null && meant === other.el.closest(MEANT) && !onName) continue;
      // A notice from the server may cover the status for a while.
      const two = [one.el, other.el];
      if (
        two.some((el) => el.closest("[data-zone=notice]")) &&
        two.some((el) => el.closest("[data-zone=status], [data-zone=me]"))
      )
        continue;
      // Sticky elements may lie over the parts that scroll.
      if (sticky(one.el) !== sticky(other.el)) continue;
      const words = `on each other: ${name(one.el)} and ${name(other.el)} (${Math.round(wide)}×${Math.round(high)})`;
      if (!told.has(words)) found.push(words);
      told.add(words);
    }
  });

  // Text with too little contrast to its background.
  /** @param {string} text @returns {Colour} */
  const colour = (text) => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = text;
    brush.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = brush.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  /** @param {Colour} paint @param {Colour} back @returns {Colour} */
  const over = ([r, g, b, a], [br, bg, bb]) => [r * a + br * (1 - a), g * a + bg * (1 - a), b * a + bb * (1 - a), 1];
  const light = (/** @type {Colour} */ [r, g, b]) => {
    /** @param {number} each */
    const linear = (each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4);
    return linear(r) * 0.2126 + linear(g) * 0.7152 + linear(b) * 0.0722;
  };
  const ratio = (/** @type {Colour} */ one, /** @type {Colour} */ other) => {
    const [a, b] = [light(one), light(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  /**
   * Every possible colour behind an element: several colours for a gradient.
   * @param {Element | null} el
   * @returns {Colour[]}
   */
  const behind = (el) => {
    if (el === null) return [colour("#fff")];
    const { backgroundColor, backgroundImage } = style(el);
    const gradient = backgroundImage.includes("gradient");
    const steps = gradient ? backgroundImage.match(/(?:rgba?|color|oklab)\([^()]*\)/g) : null;
    const paints = [backgroundColor, ...(steps ?? [])].map(colour).filter(([, , , alpha]) => alpha > 0);
    const whole = paints.filter(([, , , alpha]) => alpha >= 0.99);
    if (whole.length > 0) return whole;
    const backs = behind(el.parentElement);
    return paints.length > 0 ? backs.flatMap((back) => paints.map((paint) => over(paint, back))) : backs;
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

  // Arrows that show a reversed direction, with too little contrast to the felt.
  if (contrast)
    for (const el of root.querySelectorAll("[data-way=back] svg")) {
      const worst = Math.min(...behind(el).map((back) => ratio(colour(style(el).stroke), back)));
      if (worst < 3) found.push(`faint: an arrow at ${worst.toFixed(2)}`);
    }

  // Touch targets that are too small.
  if (targets) {
    const cards = [...root.querySelectorAll("[data-zone=hand] [data-card]")].map((el) => ({
      el,
      box: el.getBoundingClientRect(),
    }));
    for (const { el } of pieces) {
      const target = el.closest("button, a[href], input, select, textarea, summary");
      if (target === null || told.has(target)) continue;
      told.add(target);
      const inLine = target.localName === "a" && style(target).display === "inline";
      const labelled = target.matches("input") ? (target.closest("label") ?? target) : target;
      let { width, height, left, top } = labelled.getBoundingClientRect();
      if (target.matches("[data-zone=hand] [data-card]")) {
        // Subtract the parts that the next card in the row and the next row cover.
        for (const { el: other, box } of cards) {
          if (other === target) continue;
          if (Math.abs(box.top - top) < 20 && box.left > left) width = Math.min(width, box.left - left);
          if (box.top - top >= 20 && Math.abs(box.left - left) < 20) height = Math.min(height, box.top - top);
        }
      }
      const least = target.matches("[data-zone=hand] [data-card]") ? STRIP : TARGET;
      if (!inLine && (width < least - 0.5 || height < TARGET - 0.5))
        found.push(`small: ${name(target)} ${Math.round(width)}×${Math.round(height)}`);
    }
  }
  return [...new Set(found)];
};
