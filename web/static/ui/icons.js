/* Player signs (a colour and a shape each) and the icons of the pages. */

import { h } from "../lib/dom.js";

/** @type {Record<string, string>} */
const SHAPES = {
  circle: "M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19Z",
  square: "M3.5 3.5h17v17h-17Z",
  triangle: "M12 2.5 22.5 20.5H1.5Z",
  diamond: "M12 1.5 21.5 12 12 22.5 2.5 12Z",
  star: "M12 1.5l3.1 6.8 7.4.8-5.5 5 1.5 7.3L12 17.7l-6.5 3.7 1.5-7.3-5.5-5 7.4-.8Z",
  hexagon: "M12 2l8.7 5v10L12 22l-8.7-5V7Z",
  cross: "M8.5 2.5h7v6h6v7h-6v6h-7v-6h-6v-7h6Z",
  drop: "M12 1.5C13 6 19.5 9.5 19.5 15a7.5 7.5 0 0 1-15 0C4.500 9.500 11 6 12 1.500Z",
};
/** @type {Record<string, string>} */
const OKABE_ITO = {
  orange: "#e69f00",
  "sky blue": "#56b4e9",
  "bluish green": "#009e73",
  yellow: "#f0e442",
  blue: "#0072b2",
  vermillion: "#d55e00",
  "reddish purple": "#cc79a7",
  black: "#000000",
};
const ORDER = Object.values(OKABE_ITO);
const SHAPE_ORDER = Object.keys(SHAPES);

/** The colour and the outline of a player's sign.
    @param {(Pick<Seat, "name"> & Partial<Seat>)[]} seats
    @param {string} name */
export function looks(seats, name) {
  const index = Math.max(
    0,
    seats.findIndex((seat) => seat.name === name),
  );
  const { colour: own = "", shape = "" } = seats[index] ?? {};
  return {
    colour: own.startsWith("#") ? own : (OKABE_ITO[own] ?? ORDER[index % 8]),
    path: SHAPES[shape] ?? SHAPES[SHAPE_ORDER[index % 8]],
  };
}

/** The sign of a player; `seats` are the snapshot's players. Silent for screen readers: the name stands beside it.
    @param {(Pick<Seat, "name"> & Partial<Seat>)[]} seats
    @param {string} name */
export function sign(seats, name) {
  const { colour, path } = looks(seats, name);
  return h(
    "svg",
    { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("path", {
      d: path,
      fill: colour,
      stroke: "currentColor",
      "stroke-width": "1.4",
      "stroke-linejoin": "round",
    }),
  );
}

/** @type {Record<string, string>} */
const ICONS = {
  undo: "M9 5 4 10l5 5M4 10h9a6 6 0 0 1 0 12h-3",
  menu: "M4 7h16M4 12h16M4 17h16",
  camera: "M4 8h3l2-3h6l2 3h3v11H4ZM12 10a3.500 3.500 0 1 0 0 7a3.500 3.500 0 1 0 0-7Z",
  right: "M4 12.500 10 18.500 20.500 6",
  wrong: "M6 6l12 12M18 6 6 18",
  unsure: "M8 9a4 4 0 1 1 6 3.400c-1.500 1-2 1.600-2 3.100M12 19.500v.2",
  late: "M12 3.500a8.500 8.500 0 1 0 0 17a8.500 8.500 0 1 0 0-17ZM12 7.500V12l3 3",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  back: "M15 5l-7 7 7 7",
  first: "M6 5v14M18 5l-8 7 8 7",
  last: "M18 5v14M6 5l8 7-8 7",
  plus: "M12 5v14M5 12h14",
  whistle: "M3 10h11l6-4v5a6 6 0 1 1-11.500 2.400L3 13Z",
};

/** @param {string} name */
export function icon(name) {
  return h(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("path", {
      d: ICONS[name],
      fill: "none",
      stroke: "currentColor",
      "stroke-width": "2",
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
}
