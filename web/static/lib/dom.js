/* A small drawing layer: pages describe what they should look like, `mount` changes what differs.

   h("p", {class: "quiet"}, "Jo is on turn")       describes an element
   mount(parent, h(...), h(...))                   makes the parent's children look like that

   Props: `key` keeps an element's identity when its neighbours change, `arrive` moves it in, `guard` makes it
   ignore taps for a moment after it has appeared (the tap was meant for what was there before), `on...` are
   handlers, `style` is an object, `value`, `checked`, `disabled`, `open` and `selected` are set as properties,
   everything else is an attribute (null, undefined and false leave it out). Text is always text, never
   markup. */

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "disabled", "open", "selected", "indeterminate"]);

let moving = false;

/** From now on elements that appear may move in (see `arrived` in the style sheet). */
export function startMoving() {
  moving = true;
}

/** @param {string} tag
    @param {Props | null} props
    @param {...Child} kids
    @returns {VElement} */
export function h(tag, props, ...kids) {
  return { tag, props: props ?? {}, kids: flat(kids), key: props?.key };
}

/** @param {Element} parent
    @param {...Child} kids */
export function mount(parent, ...kids) {
  reconcile(parent, flat(kids));
}

/** @param {Child[]} kids
    @returns {VNode[]} */
function flat(kids) {
  const all = /** @type {Exclude<Child, Child[]>[]} */ (kids.flat(/** @type {1} */ (Infinity)));
  return all
    .filter((kid) => kid !== null && kid !== undefined && kid !== false && kid !== "")
    .map((kid) => (typeof kid === "object" && kid !== null ? kid : { text: String(kid) }));
}

/** @param {Element} parent
    @param {VNode[]} wanted */
function reconcile(parent, wanted) {
  const children = /** @type {NodeListOf<DrawnElement>} */ (parent.childNodes);
  /** @type {Map<string | number, DrawnElement>} */
  const keyed = new Map();
  for (const child of children) if (child.vKey !== undefined) keyed.set(child.vKey, child);
  let at = /** @type {DrawnElement | null} */ (parent.firstChild);
  for (const vnode of wanted) {
    /** @type {DrawnElement | Text | null | undefined} */
    let node = vnode.key !== undefined ? keyed.get(vnode.key) : at?.vKey === undefined ? at : null;
    if (node && fits(node, vnode)) {
      if (node === at) at = /** @type {DrawnElement | null} */ (at.nextSibling);
      else parent.insertBefore(node, at);
      update(node, vnode);
    } else {
      node = create(vnode, parent);
      parent.insertBefore(node, at);
    }
  }
  while (at) {
    const next = /** @type {DrawnElement | null} */ (at.nextSibling);
    at.remove();
    at = next;
  }
}

/** @param {DrawnElement | Text} node
    @param {VNode} vnode
    @returns {boolean} */
function fits(node, vnode) {
  if (vnode.text !== undefined) return node.nodeType === Node.TEXT_NODE;
  return (
    node instanceof Element &&
    node.localName === vnode.tag.toLowerCase() &&
    node.vKey === vnode.key
  );
}

/** @param {VNode} vnode
    @param {Element} parent
    @returns {DrawnElement | Text} */
function create(vnode, parent) {
  if (vnode.text !== undefined) return document.createTextNode(vnode.text);
  const inSvg = vnode.tag === "svg" || parent.namespaceURI === SVG;
  const made = inSvg ? document.createElementNS(SVG, vnode.tag) : document.createElement(vnode.tag);
  const node = /** @type {DrawnElement} */ (made);
  node.vKey = vnode.key;
  update(node, vnode);
  if (moving && vnode.props.arrive) node.classList.add("arrived");
  if (moving && vnode.props.guard) {
    node.classList.add("fresh");
    node.vShownAt = performance.now();
  }
  return node;
}

/** @param {DrawnElement | Text} node
    @param {VNode} vnode */
function update(node, vnode) {
  if (vnode.text !== undefined) {
    const words = /** @type {Text} */ (node);
    if (words.data !== vnode.text) words.data = vnode.text;
    return;
  }
  const element = /** @type {DrawnElement} */ (node);
  const before = element.vProps ?? {};
  const now = vnode.props;
  for (const name of Object.keys(before)) if (!(name in now)) set(element, name, undefined, before[name]);
  reconcile(element, vnode.kids);
  for (const [name, value] of Object.entries(now)) set(element, name, value, before[name]);
  element.vProps = now;
}

/** @param {DrawnElement} node
    @param {string} name
    @param {any} value
    @param {any} before */
function set(node, name, value, before) {
  const properties = /** @type {Record<string, any>} */ (/** @type {unknown} */ (node));
  if (name === "key" || name === "arrive" || name === "guard") return;
  if (name.startsWith("on")) {
    properties[name] = value ?? null;
  } else if (name === "style") {
    for (const key of Object.keys(before ?? {}))
      if (!value || !(key in value)) node.style.removeProperty(key);
    for (const [key, part] of Object.entries(value ?? {})) node.style.setProperty(key, part);
  } else if (PROPERTIES.has(name)) {
    // undefined leaves it to the reader: what is typed, ticked or unfolded stays.
    if (value !== undefined && properties[name] !== value) properties[name] = value;
  } else if (value !== before || !node.vProps) {
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : value);
  }
}

// Safari on a phone shows how a pressed button looks (`:active`) only on a page that listens for touches.
document.addEventListener("touchstart", () => {}, { passive: true });

/** The element with this id; the templates, or the page itself, put it there.
    @param {string} id
    @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
}

/** What was typed into a field of a form, without spaces round it.
    @param {HTMLFormElement} form
    @param {string} name
    @returns {string} */
export function typedText(form, name) {
  return String(new FormData(form).get(name) ?? "").trim();
}
