/* The states of the games, as their pages read them. Global names, like those of types.d.ts; the browser never loads
   this file. */

/** A card of Seven Merry Monsters, or a part of 13 Monsters. */
interface MonsterCard {
  monster: string;
  number?: number;
  part?: string;
}

type Display = Record<string, ColumnCount>;

type SevenState = {
  phase: string;
  round: number;
  trick: number;
  turn: string | null;
  leader: string;
  table: { player: string; card: MonsterCard }[];
  display?: Record<string, Display>;
  aside?: Record<string, number>;
  face_down?: Record<string, number[]>;
  scanned?: Record<string, boolean>;
  to_place?: Record<string, JsonValue>;
  round_scores?: Record<string, number>[];
};

type NastyState = {
  phase: string;
  round: number;
  turn: string;
  pile: number;
  next_number: number;
  sound: string[] | null;
  skipped: string | null;
  stack?: Record<string, number>;
};

/** [row, column] */
type Place = [number, number];
type Point = [number, number];

interface LaidTriangle {
  at: Place;
  card: string;
}

type TrioState = {
  phase: string;
  turn: string;
  draw_pile?: number;
  table: LaidTriangle[];
  hand?: Record<string, number>;
};

type BugsState = {
  phase: string;
  countdown: number | null;
  trophies: number[];
  trophy?: Record<string, number | null>;
  taken?: Record<string, number>;
  sets?: number;
};

/** A card of 13 Monsters whose face was seen. */
type FacedCard = { at: Place; card: { monster: number; part: string } };

/** A fight of 13 Monsters: an attack for a set, or the Death Battle of `players` with their `chosen` monsters. */
type Fight = {
  players?: string[];
  attacker: string;
  defender: string;
  parts?: number[];
  set?: { monster: number; part: string };
  chosen?: Record<string, number[] | null>;
  points?: Record<string, number>;
  throws?: Record<string, number>;
  thrown?: number;
  lying?: number[];
};

type ThirteenState = {
  phase: string;
  turn: string | null;
  cards_left: number;
  must_build?: string[];
  battle?: Fight | null;
  empty?: Place[];
  seen?: FacedCard[];
  revealed?: Place[];
  monsters?: Record<string, { species: string; parts: number[]; hp: number; spent?: boolean }[]>;
  sets?: Record<string, JsonValue[]>;
  frozen?: { at: Place }[];
};
