/* A small drawing layer: pages describe what they should look like, `mount` changes what differs.

   h("p", {class: "quiet"}, "Jo is on turn")       describes an element
   mount(parent, h(...), h(...))                   makes the parent's children look like that

   Props: `key` keeps an element's identity when its neighbours change, `arrive` moves it in, `fresh` lets it
   take no tap for a blink after it has appeared (a thumb on its way meant what was there before), `on...` are
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

export function h(tag, props, ...kids) {
  return { tag, props: props ?? {}, kids: flat(kids), key: props?.key };
}

export function mount(parent, ...kids) {
  reconcile(parent, flat(kids));
}

function flat(kids) {
  return kids
    .flat(Infinity)
    .filter((kid) => kid !== null && kid !== undefined && kid !== false && kid !== "")
    .map((kid) => (typeof kid === "object" ? kid : { text: String(kid) }));
}

function reconcile(parent, wanted) {
  const keyed = new Map();
  for (const child of parent.childNodes) if (child.vKey !== undefined) keyed.set(child.vKey, child);
  let at = parent.firstChild;
  for (const vnode of wanted) {
    let node = vnode.key !== undefined ? keyed.get(vnode.key) : at?.vKey === undefined ? at : null;
    if (node && fits(node, vnode)) {
      if (node === at) at = at.nextSibling;
      else parent.insertBefore(node, at);
      update(node, vnode);
    } else {
      node = create(vnode, parent);
      parent.insertBefore(node, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function fits(node, vnode) {
  if (vnode.text !== undefined) return node.nodeType === Node.TEXT_NODE;
  return (
    node.nodeType === Node.ELEMENT_NODE &&
    node.localName === vnode.tag.toLowerCase() &&
    node.vKey === vnode.key
  );
}

function create(vnode, parent) {
  if (vnode.text !== undefined) return document.createTextNode(vnode.text);
  const inSvg = vnode.tag === "svg" || parent.namespaceURI === SVG;
  const node = inSvg ? document.createElementNS(SVG, vnode.tag) : document.createElement(vnode.tag);
  node.vKey = vnode.key;
  update(node, vnode);
  if (moving && vnode.props.arrive) node.classList.add("arrived");
  if (moving && vnode.props.fresh) {
    node.classList.add("fresh");
    node.vCame = performance.now();
  }
  return node;
}

function update(node, vnode) {
  if (vnode.text !== undefined) {
    if (node.data !== vnode.text) node.data = vnode.text;
    return;
  }
  const before = node.vProps ?? {};
  const now = vnode.props;
  for (const name of Object.keys(before)) if (!(name in now)) set(node, name, undefined, before[name]);
  reconcile(node, vnode.kids);
  for (const [name, value] of Object.entries(now)) set(node, name, value, before[name]);
  node.vProps = now;
}

function set(node, name, value, before) {
  if (name === "key" || name === "arrive" || name === "fresh") return;
  if (name.startsWith("on")) {
    node[name] = value ?? null;
  } else if (name === "style") {
    for (const key of Object.keys(before ?? {}))
      if (!value || !(key in value)) node.style.removeProperty(key);
    for (const [key, part] of Object.entries(value ?? {})) node.style.setProperty(key, part);
  } else if (PROPERTIES.has(name)) {
    // undefined leaves it to the reader: what is typed, ticked or unfolded stays.
    if (value !== undefined && node[name] !== value) node[name] = value;
  } else if (value !== before || !node.vProps) {
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : value);
  }
}
