/* What the address of the overlay asks for. What is missing or not understood is as in DEFAULTS. */

const PLACES = ["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"];
const LAYOUTS = ["row", "column"];
const PARTS = ["title", "turn", "time", "scores", "verdict"];
const SMALLEST = 0.5;
const LARGEST = 4;
const DEFAULTS = { size: 1, at: "bottom-left", layout: "row", show: ["turn", "scores"] };

/** @param {string} search the query of the address */
export function overlayOptions(search) {
  const asked = new URLSearchParams(search);
  const size = Number(asked.get("size") ?? DEFAULTS.size);
  const parts = (asked.get("show") ?? "").split(",").filter((part) => PARTS.includes(part));
  return {
    size: size >= SMALLEST && size <= LARGEST ? size : DEFAULTS.size,
    at: oneOf(PLACES, asked.get("at"), DEFAULTS.at),
    layout: oneOf(LAYOUTS, asked.get("layout"), DEFAULTS.layout),
    show: new Set(parts.length > 0 ? parts : DEFAULTS.show),
    plate: asked.get("plate") !== "0",
  };
}

/** @param {string[]} known
    @param {string | null} wanted
    @param {string} otherwise */
function oneOf(known, wanted, otherwise) {
  return wanted !== null && known.includes(wanted) ? wanted : otherwise;
}
