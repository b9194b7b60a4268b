/* Zones drawn on the camera's picture: large handles at the corners, dragged with a thumb. */

import { h } from "../lib/dom.js";
import { _ } from "../lib/words.js";

const SNAP = 0.012;

/** The layer of handles for the zone `name` of `zones`; `changed()` is called while it is dragged. */
export function handles(zones, name, changed) {
  const shape = zones[name];
  return [
    h("div", {
      key: "grip",
      class: "grip",
      style: place(middle(shape)),
      "aria-hidden": "true",
      onpointerdown: (event) => drag(event, (dx, dy, from) => slide(shape, from, dx, dy), changed),
    }),
    shape.map((corner, i) =>
      h("button", {
        key: `${name}-${i}`,
        type: "button",
        class: "handle",
        style: place(corner),
        "aria-label": _("Corner %(n)s", { n: i + 1 }),
        onpointerdown: (event) =>
          drag(event, (dx, dy, from) => (shape[i] = [inside(from[i][0] + dx), inside(from[i][1] + dy)]), changed),
        onkeydown: (event) => step(event, shape, i, changed),
      }),
    ),
  ];

  function drag(event, move, redraw) {
    event.preventDefault();
    const box = event.currentTarget.parentElement.getBoundingClientRect();
    const handle = event.currentTarget;
    const from = shape.map((corner) => [...corner]);
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

/** A new rectangle in the middle of the picture. */
export function rectangle() {
  return [
    [0.3, 0.3],
    [0.7, 0.3],
    [0.7, 0.7],
    [0.3, 0.7],
  ];
}

function slide(shape, from, dx, dy) {
  const xs = from.map(([x]) => x);
  const ys = from.map(([, y]) => y);
  const right = Math.min(Math.max(dx, -Math.min(...xs)), 1 - Math.max(...xs));
  const down = Math.min(Math.max(dy, -Math.min(...ys)), 1 - Math.max(...ys));
  from.forEach(([x, y], i) => (shape[i] = [x + right, y + down]));
}

function step(event, shape, i, changed) {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!way) return;
  event.preventDefault();
  shape[i] = [inside(shape[i][0] + 0.01 * way[0]), inside(shape[i][1] + 0.01 * way[1])];
  changed();
}

function inside(value) {
  const kept = Math.min(1, Math.max(0, value));
  return kept < SNAP ? 0 : kept > 1 - SNAP ? 1 : Math.round(kept * 1e4) / 1e4;
}

function middle(shape) {
  const sum = shape.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return sum.map((value) => value / shape.length);
}

function place([x, y]) {
  return { left: `${x * 100}%`, top: `${y * 100}%` };
}
