/* Zones drawn on the camera's picture: large handles at the corners, dragged with a thumb. */

import { h } from "../lib/dom.js";
import { _ } from "../lib/translation.js";

const SNAP = 0.012;

/** The layer of handles for the zone `name` of `zones`; `changed()` is called while it is dragged.
    @param {Zones} zones
    @param {string} name
    @param {() => void} changed */
export function zoneHandles(zones, name, changed) {
  const corners = zones[name];
  return [
    h("div", {
      key: "grip",
      class: "grip",
      style: position(centreOf(corners)),
      "aria-hidden": "true",
      onpointerdown: (event) => drag(event, (dx, dy, from) => moveZone(corners, from, dx, dy), changed),
    }),
    corners.map((corner, i) =>
      h("button", {
        key: `${name}-${i}`,
        type: "button",
        class: "handle",
        style: position(corner),
        "aria-label": _("Corner %(n)s", { n: i + 1 }),
        onpointerdown: (event) =>
          drag(event, (dx, dy, from) => (corners[i] = [clamped(from[i][0] + dx), clamped(from[i][1] + dy)]), changed),
        onkeydown: (event) => moveCorner(event, corners, i, changed),
      }),
    ),
  ];

  /** @param {PointerEvent & { currentTarget: HTMLElement }} event
      @param {(dx: number, dy: number, from: Point[]) => void} move
      @param {() => void} redraw */
  function drag(event, move, redraw) {
    event.preventDefault();
    const handle = event.currentTarget;
    const box = /** @type {HTMLElement} */ (handle.parentElement).getBoundingClientRect();
    const from = structuredClone(corners);
    const [x, y] = [event.clientX, event.clientY];
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = (now) => {
      move((now.clientX - x) / box.width, (now.clientY - y) / box.height, from);
      redraw();
    };
    handle.onpointerup = handle.onpointercancel = () => {
      handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
    };
  }
}

/** A new rectangle in the middle of the picture.
    @returns {Point[]} */
export function newZone() {
  return [
    [0.3, 0.3],
    [0.7, 0.3],
    [0.7, 0.7],
    [0.3, 0.7],
  ];
}

/** @param {Point[]} corners
    @param {Point[]} from
    @param {number} dx
    @param {number} dy */
function moveZone(corners, from, dx, dy) {
  const xs = from.map(([x]) => x);
  const ys = from.map(([, y]) => y);
  const right = Math.min(Math.max(dx, -Math.min(...xs)), 1 - Math.max(...xs));
  const down = Math.min(Math.max(dy, -Math.min(...ys)), 1 - Math.max(...ys));
  from.forEach(([x, y], i) => (corners[i] = [x + right, y + down]));
}

/** @param {KeyboardEvent} event
    @param {Point[]} corners
    @param {number} i
    @param {() => void} changed */
function moveCorner(event, corners, i, changed) {
  const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!direction) return;
  event.preventDefault();
  corners[i] = [clamped(corners[i][0] + 0.01 * direction[0]), clamped(corners[i][1] + 0.01 * direction[1])];
  changed();
}

/** @param {number} value */
function clamped(value) {
  const kept = Math.min(1, Math.max(0, value));
  return kept < SNAP ? 0 : kept > 1 - SNAP ? 1 : Math.round(kept * 1e4) / 1e4;
}

/** @param {Point[]} corners
    @returns {Point} */
function centreOf(corners) {
  const [x, y] = corners.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [x / corners.length, y / corners.length];
}

/** @param {Point} options */
function position([x, y]) {
  return { left: `${x * 100}%`, top: `${y * 100}%` };
}
