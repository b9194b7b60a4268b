/* What the camera sees: a picture that is fetched again and again, or one that stands still, with shapes on it. */

import { h } from "../lib/dom.js";
import { _ } from "../lib/translation.js";

const EVERY_MS = 700;
let fetchCount = 0;

/** Fetches the live picture anew as long as `wanted()` says so.
    @param {() => unknown} wanted
    @param {() => void} redraw */
export function refreshPicture(wanted, redraw) {
  setInterval(() => {
    if (!wanted()) return;
    fetchCount += 1;
    redraw();
  }, EVERY_MS);
}

/** The picture at `address` (null: the live one) with `shapes` drawn on it: each has `corners` as shares of the
    picture, `kind` (open, known, right, unsure, zone, marker) and a `text`. With `tap` each can be tapped.
    @template {PictureShape} Shape
    @param {string | null} address
    @param {Shape[]} shapes
    @param {{ label?: (shape: Shape) => string | undefined, tap?: (shape: Shape) => void }} [options] */
export function cameraPicture(address, shapes, { label = (shape) => shape.text, tap } = {}) {
  return h(
    "figure",
    { class: "seen" },
    h("img", { src: address ?? `/live.jpg?${fetchCount}`, alt: _("What the camera sees") }),
    h(
      "svg",
      { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": tap ? null : "true" },
      shapes.map((shape) =>
        h("polygon", {
          points: shape.corners.map((corner) => corner.join(",")).join(" "),
          class: shape.kind,
          ...(tap && { role: "button", "aria-label": label(shape), tabindex: "0", onclick: () => tap(shape) }),
        }),
      ),
    ),
    shapes
      .filter((shape) => shape.text)
      .map((shape) => {
        const [x, y] = centreOf(shape.corners);
        return h(
          "span",
          { class: `tag ${shape.kind}`, style: { left: `${x * 100}%`, top: `${y * 100}%` } },
          shape.text,
        );
      }),
  );
}

/** @param {Point[]} corners
    @returns {Point} */
function centreOf(corners) {
  const [x, y] = corners.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [x / corners.length, y / corners.length];
}
