/* Arrow keys move from key to key in sheets and keypads: to the nearest key in their direction. */

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const KEYS = "button:enabled, [role=button]";
const ACROSS = 3; // a key that lies to the side counts as so many times further away

/** Handles a key that was pressed anywhere on the page.
    @param {KeyboardEvent} event */
export function moveByArrow(event) {
  const step = STEPS[event.key];
  const from = event.target instanceof Element ? event.target.closest(KEYS) : null;
  const group = from?.closest(".sheet-body, .pad, .answers");
  if (!step || !from || !group || event.defaultPrevented) return;
  const next = nearest(from, keysOf(group), step);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** @param {Element} group
    @returns {HTMLElement[]} */
function keysOf(group) {
  return [...group.querySelectorAll(KEYS)].filter((key) => key instanceof HTMLElement);
}

/** The nearest key in a direction, null if there is none.
    @param {Element} from
    @param {HTMLElement[]} keys
    @param {[number, number]} step right and down */
function nearest(from, keys, [right, down]) {
  const here = middle(from);
  let found = null;
  let least = Infinity;
  for (const key of keys) {
    const { x, y } = middle(key);
    const along = (x - here.x) * right + (y - here.y) * down;
    const across = Math.abs((x - here.x) * down) + Math.abs((y - here.y) * right);
    const distance = along + ACROSS * across;
    if (key !== from && along > 1 && distance < least) [found, least] = [key, distance];
  }
  return found;
}

/** @param {Element} key */
function middle(key) {
  const box = key.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
