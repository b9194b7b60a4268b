/* Charts as SVG and plain elements, drawn like everything else: they follow the colour scheme, carry their labels at the
   line, and a screen reader gets the numbers. Three kinds are needed, so no chart library is loaded. */

import { h } from "../../lib/dom.js";
import { _ } from "../../lib/translation.js";
import { looks } from "../../ui/icons.js";

const WIDTH = 440; // units of the drawing
const HEIGHT = 250;
const LEFT = 34;
const LABELS = 140; // room for names at the ends of the lines
const TOP = 14;
const BOTTOM = 34;
const LONGEST = 12; // letters of a name
const LINE = 19; // least distance of two labels
const SECONDS = [0.1, 0.2, 0.5, 1, 2, 5];
const SIGN = 24; // size of the signs' drawings

/** Points of an evening after each game, a line for each player with the name at its end.
    @param {{ label: string, points: Record<string, number> }[]} games */
export function leadChart(games) {
  const seats = [...new Set(games.flatMap((game) => Object.keys(game.points)))].map((name) => ({ name }));
  const sums = seats.map(({ name }) => runningSums(games, name));
  const most = Math.max(1, ...sums.flat());
  const x = (/** @type {number} */ n) => LEFT + (n * (WIDTH - LEFT - LABELS)) / Math.max(1, games.length);
  const y = (/** @type {number} */ points) => TOP + (1 - points / most) * (HEIGHT - TOP - BOTTOM);
  const ends = spread(sums.map((line) => y(line[line.length - 1])));
  return h(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": leadText(seats, sums) },
    ticks(most).map((tick) => [
      h("line", { class: "rule", x1: LEFT, x2: x(games.length), y1: y(tick), y2: y(tick) }),
      h("text", { class: "tick", x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, tick),
    ]),
    games.map((game, n) =>
      h("text", { class: "tick", x: x(n + 1), y: HEIGHT - 12, "text-anchor": "middle" }, h("title", {}, game.label), n + 1),
    ),
    seats.map((seat, i) => playerLine(seats, seat.name, sums[i], x, y, ends[i])),
  );
}

/** @param {{ name: string }[]} seats
    @param {string} name
    @param {number[]} sums
    @param {(n: number) => number} x
    @param {(points: number) => number} y
    @param {number} end where the label stands */
function playerLine(seats, name, sums, x, y, end) {
  const { colour, path } = looks(seats, name);
  const last = sums.length - 1;
  const line = sums.map((points, n) => `${x(n)},${y(points)}`).join(" ");
  return h(
    "g",
    { key: name },
    h("polyline", { class: "casing", points: line }),
    h("polyline", { class: "line", points: line, stroke: colour }),
    sums.map((points, n) =>
      n > 0 ? h("path", { class: "mark", d: path, fill: colour, transform: placed(x(n), y(points), 0.5) }) : null,
    ),
    h("line", { class: "lead-line", x1: x(last) + 8, y1: y(sums[last]), x2: x(last) + 18, y2: end }),
    h("text", { class: "name", x: x(last) + 22, y: end + 5 }, `${short(name)} ${sums[last]}`),
  );
}

/** @param {string} name */
function short(name) {
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}

/** @param {number} x
    @param {number} y
    @param {number} scale */
function placed(x, y, scale) {
  return `translate(${x - (SIGN * scale) / 2} ${y - (SIGN * scale) / 2}) scale(${scale})`;
}

/** 0, then the points after each game.
    @param {{ points: Record<string, number> }[]} games
    @param {string} name */
function runningSums(games, name) {
  const sums = [0];
  for (const game of games) sums.push(sums[sums.length - 1] + (game.points[name] ?? 0));
  return sums;
}

/** Places for labels as near to the wanted ones as they can be without covering each other.
    @param {number[]} wanted
    @returns {number[]} */
export function spread(wanted) {
  const order = wanted.map((at, i) => ({ at, i })).sort((one, other) => one.at - other.at);
  let lowest = TOP;
  for (const one of order) {
    one.at = Math.max(one.at, lowest);
    lowest = one.at + LINE;
  }
  let highest = HEIGHT - BOTTOM / 2;
  for (const one of [...order].reverse()) {
    one.at = Math.min(one.at, highest);
    highest = one.at - LINE;
  }
  const found = Array(wanted.length).fill(0);
  for (const one of order) found[one.i] = one.at;
  return found;
}

/** Round numbers for an axis from 0 to `most`, at most six.
    @param {number} most
    @param {number[]} [steps] what may lie between two of them, smallest first
    @returns {number[]} */
export function ticks(most, steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]) {
  const step = steps.find((one) => most / one <= 5) ?? Math.ceil(most / 5);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_unused, n) => n * step);
}

/** @param {{ name: string }[]} seats
    @param {number[][]} sums */
function leadText(seats, sums) {
  const rows = seats.map(({ name }, i) => ({ name, points: sums[i][sums[i].length - 1] }));
  rows.sort((one, other) => other.points - one.points);
  return rows.map((row) => _("%(name)s: %(points)s", row)).join("; ");
}

/** Shares as bars: of `all` so many, with the words for it.
    @param {{ key: string, name: Child, part: number, all: number, text: string }[]} rows */
export function shareBars(rows) {
  const most = Math.max(1, ...rows.map((row) => row.all));
  return h(
    "ul",
    { class: "bars" },
    rows.map((row) =>
      h(
        "li",
        { key: row.key },
        h("span", { class: "bar-name" }, row.name),
        h(
          "span",
          { class: "bar-track", "aria-hidden": "true" },
          h(
            "span",
            { class: "bar-all", style: { width: `${(100 * row.all) / most}%` } },
            h("span", { class: "bar-part", style: { width: `${row.all > 0 ? (100 * row.part) / row.all : 0}%` } }),
          ),
        ),
        h("span", { class: "bar-text" }, row.text),
      ),
    ),
  );
}

/** Times as dots on a common scale of seconds, a row for each game, with a line at its median.
    @param {{ key: string | number, label: string, seconds: number[] }[]} rows */
export function timeStrips(rows) {
  const most = Math.max(1, ...rows.flatMap((row) => row.seconds));
  const [top, high, first, wide] = [8, 34, 84, WIDTH - 66];
  const x = (/** @type {number} */ seconds) => first + (seconds / most) * (wide - first);
  const bottom = top + rows.length * high;
  return h(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${WIDTH} ${bottom + 24}`,
      role: "img",
      "aria-label": rows.map((row) => `${row.label}: ${secondsText(median(row.seconds))}`).join("; "),
    },
    ticks(most, SECONDS).map((seconds) => [
      h("line", { class: "rule", x1: x(seconds), x2: x(seconds), y1: top, y2: bottom }),
      h("text", { class: "tick", x: x(seconds), y: bottom + 18, "text-anchor": "middle" }, secondsText(seconds)),
    ]),
    rows.map((row, n) => {
      const middle = top + n * high + high / 2;
      const at = x(median(row.seconds));
      return h(
        "g",
        { key: row.key },
        h("text", { class: "tick", x: first - 14, y: middle + 4, "text-anchor": "end" }, row.label),
        row.seconds.map((seconds, i) => h("circle", { class: "dot", cx: x(seconds), cy: middle + (i % 3) * 4 - 4, r: 4 })),
        h("line", { class: "median", x1: at, x2: at, y1: middle - 13, y2: middle + 13 }),
        h("text", { class: "name", x: wide + 12, y: middle + 5 }, secondsText(median(row.seconds))),
      );
    }),
  );
}

/** @param {number[]} values
    @returns {number} */
export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const half = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(half)] : (sorted[half - 1] + sorted[half]) / 2;
}

/** @param {number} seconds */
export function secondsText(seconds) {
  const shown = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 2 }).format(seconds);
  return _("%(n)s s", { n: shown });
}
