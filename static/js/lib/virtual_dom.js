// @ts-check
// A small virtual DOM. h() describes elements; draw() updates the page to match and reuses elements by key, so that focus
// and animations survive. An element is skipped if its description is the same object as at the last drawing.
// This module has no game logic and never parses HTML from a string.

/**
 * @typedef {Record<string, unknown>} Props
 * @typedef {{ tag: string, key: string | null, props: Props, children: VNode[], text: string }} VNode
 * @typedef {VNode | string | number | null | undefined | false | Children[]} Children
 */

const SVG = "http://www.w3.org/2000/svg";
const AS_PROPERTY = new Set(["value", "checked", "selected", "disabled", "hidden", "open", "readOnly"]);

/** @type {WeakMap<Node, VNode>} What each node was last drawn from: its description. */
const lastVNodes = new WeakMap();

/** @type {WeakMap<Element, Record<string, (event: Event) => void>>} */
const handlers = new WeakMap();

/**
 * Describe an element. Props: attributes; `key`; `class` (text); `style` (custom properties only); `on…` handlers;
 * `ref` is called with the element after each drawing of it.
 * @param {string} tag
 * @param {Props | null} [props]
 * @param {...Children} children
 * @returns {VNode}
 */
export function h(tag, props, ...children) {
  const { key, ...rest } = props ?? {};
  return {
    tag,
    key: key === undefined || key === null ? null : String(key),
    props: rest,
    children: flattenChildren(children),
    text: "",
  };
}

/**
 * Describe a button. Its type is "button", so that it does not submit a form, unless its props set another type.
 * @param {Props} props
 * @param {...Children} children
 * @returns {VNode}
 */
export function button(props, ...children) {
  return h("button", { type: "button", ...props }, ...children);
}

/** @param {Children[]} children @returns {VNode[]} */
function flattenChildren(children) {
  /** @type {VNode[]} */
  const out = [];
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) out.push(...flattenChildren(child));
    else if (typeof child === "object") out.push(child);
    else out.push({ tag: "", key: null, props: {}, children: [], text: String(child) });
  }
  return out;
}

/** Nodes that contain the focus; a drawing removes them last. @type {ChildNode[]} */
let pendingRemovals = [];
/** @type {(() => void) | null} */
let focusLossHandler = null;

/** Set a function that drawings call before they remove the focused element. @param {(() => void) | null} onLoss */
export function setFocusLossHandler(onLoss) {
  focusLossHandler = onLoss;
}

/** Return whether the current drawing is about to remove an element. @param {Element} element */
export function isBeingRemoved(element) {
  return pendingRemovals.some((node) => node.contains(element));
}

/**
 * Update an element's children to match these descriptions, and keep the focus.
 * @param {Element} parent
 * @param {...Children} children
 */
export function draw(parent, ...children) {
  const active = document.activeElement;
  reconcile(parent, flattenChildren(children));
  if (pendingRemovals.length > 0) {
    if (pendingRemovals.some((node) => node.contains(document.activeElement))) focusLossHandler?.();
    for (const node of pendingRemovals) node.remove();
    pendingRemovals = [];
  }
  if (active instanceof HTMLElement && active !== document.activeElement && active.isConnected) {
    active.focus({ preventScroll: true });
  }
}

/** @param {Element} parent @param {VNode[]} wanted */
function reconcile(parent, wanted) {
  const old = [...parent.childNodes];
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  /** @type {ChildNode[]} */
  const plain = [];
  for (const node of old) {
    const key = lastVNodes.get(node)?.key;
    if (typeof key === "string") keyed.set(key, node);
    else plain.push(node);
  }
  let next = 0;
  const nodes = wanted.map((vnode) => {
    let node;
    if (vnode.key !== null) {
      node = keyed.get(vnode.key);
      if (node !== undefined) keyed.delete(vnode.key);
    } else {
      const at = plain.findIndex((each, i) => i >= next && hasSameTag(each, vnode));
      if (at >= 0) {
        node = plain[at];
        next = at + 1;
      }
    }
    if (node === undefined || !hasSameTag(node, vnode)) return createNode(vnode, parent);
    patchNode(node, vnode);
    return node;
  });
  const kept = new Set(nodes);
  for (const node of old) {
    if (kept.has(node)) continue;
    if (node.contains(document.activeElement)) pendingRemovals.push(node);
    else node.remove();
  }
  let at = parent.firstChild;
  for (const node of nodes) {
    while (at !== null && pendingRemovals.includes(at)) at = at.nextSibling;
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
}

/** @param {Node} node @param {VNode} vnode */
function hasSameTag(node, vnode) {
  const was = lastVNodes.get(node);
  return was !== undefined && was.tag === vnode.tag;
}

/** @param {VNode} vnode @param {Element} parent @returns {ChildNode} */
function createNode(vnode, parent) {
  if (vnode.tag === "") {
    const text = document.createTextNode(vnode.text);
    lastVNodes.set(text, vnode);
    return text;
  }
  const svg = vnode.tag === "svg" || (parent.namespaceURI === SVG && parent.localName !== "foreignObject");
  const node = svg ? document.createElementNS(SVG, vnode.tag) : document.createElement(vnode.tag);
  lastVNodes.set(node, { ...vnode, props: {}, children: [] });
  patchNode(node, vnode);
  return node;
}

/** @param {ChildNode} node @param {VNode} vnode */
function patchNode(node, vnode) {
  const was = lastVNodes.get(node);
  if (was === vnode) return;
  lastVNodes.set(node, vnode);
  if (vnode.tag === "") {
    if (was?.text !== vnode.text) node.textContent = vnode.text;
    return;
  }
  const element = /** @type {HTMLElement} */ (node);
  const before = was?.props ?? {};
  for (const name of Object.keys(before)) if (!(name in vnode.props)) setProp(element, name, undefined, before[name]);
  // Update children first: a select's value can be set only when its options exist.
  reconcile(element, vnode.children);
  for (const [name, value] of Object.entries(vnode.props)) setProp(element, name, value, before[name]);
  if (typeof vnode.props.ref === "function") vnode.props.ref(element);
}

/** @param {HTMLElement} element @param {string} name @param {unknown} value @param {unknown} before */
function setProp(element, name, value, before) {
  if (name === "ref") return;
  if (name.startsWith("on")) {
    setListener(element, name.slice(2), /** @type {((event: Event) => void) | undefined} */ (value));
  } else if (name === "style") {
    updateStyle(
      element,
      /** @type {Record<string, string | number>} */ (value ?? {}),
      /** @type {Record<string, unknown>} */ (before ?? {}),
    );
  } else if (AS_PROPERTY.has(name)) {
    const target = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (element));
    const wanted = value ?? (name === "value" ? "" : false);
    // Set a field's value only when the description changes, so that drawings don't overwrite typed text.
    if (name === "value" ? value !== before && target[name] !== wanted : target[name] !== wanted) target[name] = wanted;
  } else if (value !== before) {
    const text = name.startsWith("aria-") && typeof value === "boolean" ? String(value) : value;
    if (text === undefined || text === null || text === false) element.removeAttribute(name);
    else element.setAttribute(name, text === true ? "" : String(text));
  }
}

/** @param {HTMLElement} element @param {Record<string, string | number>} now @param {Record<string, unknown>} before */
function updateStyle(element, now, before) {
  for (const name of Object.keys(before)) if (!(name in now)) element.style.removeProperty(name);
  for (const [name, value] of Object.entries(now))
    if (before[name] !== value) element.style.setProperty(name, String(value));
}

/** @param {Element} element @param {string} type @param {((event: Event) => void) | undefined} handler */
function setListener(element, type, handler) {
  let mine = handlers.get(element);
  if (mine === undefined) {
    mine = {};
    handlers.set(element, mine);
  }
  const known = type in mine;
  if (!known && handler === undefined) return;
  mine[type] = handler ?? (() => undefined);
  if (!known) element.addEventListener(type, (event) => handlers.get(element)?.[type]?.(event));
}

/**
 * Return the element with this id. The templates must contain it: throws if it is missing.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`#${id} is missing`);
  return found;
}

/**
 * Return all text in a description, for tests.
 * @param {Children} node
 * @returns {string}
 */
export function textOf(node) {
  return flattenChildren([node])
    .map((each) => (each.tag === "" ? each.text : textOf(each.children)))
    .join("");
}
