/* The shapes of the JSON that server and pages exchange, and of what the scripts hand each other.

   The browser never loads this file: `npx tsc --project web/tsconfig.json` reads it. All names are global, so that a
   JSDoc comment can use them without an import. The server's side stands in companion/table/snapshot.py and
   web/host.py. */

/* ---- the snapshot --------------------------------------------------------------------------------------- */

/** A JSON value whose shape only one game knows, such as the value of an event's field. */
type JsonValue = any;

/** An event in the words of its game; other fields depend on its kind. */
interface GameEvent {
  event: string;
  player?: string;
  [field: string]: JsonValue;
}

/** What one field of an offered event may be: companion/games/contract/offers.py and the games' own offers. */
interface Choice {
  kind: string;
  /** Listed values, of "oneof", "objects" and "several". */
  values?: JsonValue[];
  /** Bounds of an "integer" or "number". */
  low?: number | null;
  high?: number | null;
  /** The sequences of words that would be right. */
  right?: string[][];
  /** The fewest values of a "collection". */
  least?: number;
  /** How many dice or cards. */
  count?: number;
  /** {monster: how many can still appear} of a "card". */
  left?: Record<string, number>;
  /** {symbol: how many tiles other players have counted} of "tiles". */
  counted?: Record<string, number>;
  /** Texts that are not allowed. */
  but?: string[];
}

/** The parts of 13 Monsters that may be put together. */
interface PartsChoice extends Choice {
  top: number[];
  eyes: number[];
  bottom: number[];
}

interface Offer {
  event: string;
  fields: Record<string, Choice>;
  optional?: string[];
  by?: number | null;
  rule?: string;
  /** Set while the event is possible only after this time, in seconds. */
  after?: number | null;
}

interface Player {
  name: string;
  colour?: string;
  shape?: string;
}

interface RunningGame {
  id: number;
  name: string;
  title: string;
  settings: Record<string, JsonValue>;
  players: Player[];
}

interface Verdict {
  player?: string;
  verdict: string;
  text?: string;
  rule?: string;
}

interface LogEntry {
  n: number;
  event: GameEvent | null;
  /** One sentence a line. */
  text?: string;
  /** Ids of the rules behind it. */
  rules?: string[];
  t?: number | null;
  source?: string | null;
  undone?: boolean;
  /** The code of a refusal, null if the event was accepted. */
  rejected?: string | null;
  turn?: string | null;
  why?: string | null;
  rule?: string;
  verdicts?: Verdict[];
  overruled?: boolean;
  dropped?: { n: number }[];
}

interface Question {
  id: string;
  text: string;
  player?: string | null;
  options: { id: string; label: string }[];
  picture?: string | null;
}

interface Announcement {
  code: string;
  text: string;
  /** 0 routine, 1 note, 3 question, 4 finding: companion.announce.codes.Priority. */
  priority: number;
  rhythm?: string | null;
  /** The latest log entry when it was made. */
  n?: number;
}

interface Source {
  up: boolean;
  /** The code of the reason. */
  code?: string;
  why?: string;
}

interface GameNight {
  games: { id: number; name: string; players: string[]; winner: string[]; ended: unknown }[];
  standings: { player: string; points: number }[];
}

/** Everything that is known now; `State` is the state of the running game. */
interface SnapshotOf<Game, State> {
  seq: number;
  game: Game;
  state: State;
  scores: Record<string, number>;
  winner: string[];
  phase: string | null;
  turn: string | null;
  log: LogEntry[];
  offers: Offer[];
  /** Why the clock is stopped, null while it runs. */
  paused: string | null;
  /** Seconds left, and for whom. */
  deadline: { in: number; player: string | null } | null;
  questions: Question[];
  sources: Record<string, Source>;
  announcement: Announcement | null;
  night: GameNight | null;
}

type Snapshot = SnapshotOf<RunningGame | null, Record<string, JsonValue>>;
/** A snapshot while a game is running. */
type GameSnapshot<State = Record<string, JsonValue>> = SnapshotOf<RunningGame, State>;

type SevenSnapshot = GameSnapshot<SevenState>;
type NastySnapshot = GameSnapshot<NastyState>;
type TrioSnapshot = GameSnapshot<TrioState>;
type BugsSnapshot = GameSnapshot<BugsState>;
type ThirteenSnapshot = GameSnapshot<ThirteenState>;

type Link = "live" | "lost";

/* ---- states of the games -------------------------------------------------------------------------------- */

/** A card of Seven Merry Monsters, or a part of 13 Monsters. */
interface MonsterCard {
  monster: string;
  number?: number;
  part?: string;
}

/** A column of a display: all cards, and how many of them are jokers. */
interface DisplayColumn {
  cards: number;
  jokers: number;
}

type Display = Record<string, DisplayColumn>;

type SevenState = {
  phase: string;
  round: number;
  trick: number;
  turn: string | null;
  table: { player: string; card: MonsterCard }[];
  display?: Record<string, Display>;
  aside?: Record<string, number>;
  face_down?: Record<string, number[]>;
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

type ThirteenState = {
  phase: string;
  turn: string | null;
  cards_left: number;
  must_build?: string[];
  battle?: {
    players?: string[];
    attacker: string;
    defender: string;
    points?: Record<string, number>;
    throws?: Record<string, number>;
  } | null;
  monsters?: Record<string, { species: string; parts: number[]; hp: number; spent?: boolean }[]>;
  sets?: Record<string, JsonValue[]>;
  frozen?: { at: Place }[];
};

/* ---- replies of the server ------------------------------------------------------------------------------ */

interface Failure {
  ok: false;
  code: string;
  text: string;
  params?: Record<string, JsonValue>;
}

type Reply<Body = {}> = ({ ok: true } & Body) | Failure;

interface Preview {
  scores: Record<string, number>;
  winner: string[];
  dropped: { n: number; text: string; why: string }[];
}

/** A card in a photograph; corners are pixels of the picture. */
interface ReadCard {
  id: number | string;
  label: string;
  confidence: number | null;
  corners: Point[] | null;
  alternatives?: string[];
  /** The column that it belongs to, null for a joker put aside. */
  monster?: string | null;
  /** Whether somebody has corrected it. */
  changed?: boolean;
}

interface DisplayPoints {
  points: number | null;
  columns?: Record<string, number>;
}

interface DisplayReading {
  id: string;
  picture: string;
  size: [number, number];
  cards: ReadCard[];
  display?: Display;
  score: DisplayPoints | number | null;
  unsure?: string[];
  labels: string[];
}

/** Cards of a display that was counted without a picture. */
interface HandCount {
  display: Display;
  aside: number;
}

/** A tile in a photograph, or a place where one may be; lengths are pixels of the picture. */
interface ReadTile {
  id: number | string;
  label?: string;
  /** The likeliest symbol of a place that was not recognised. */
  like?: string | null;
  confidence?: number;
  corners?: Point[];
  centre?: Point;
  radius?: number;
  changed?: boolean;
}

type Tiles = Record<string, number>;

interface TileReading {
  id: string;
  picture: string;
  size: [number, number];
  cards: (ReadTile & { label: string; confidence: number })[];
  doubts: ReadTile[];
  labels: string[];
}

interface TilePoints {
  points: number;
  trophy: number;
  symbols: Record<string, number>;
}

interface ReadTriangle {
  id: number;
  at: Place;
  label: string;
  confidence: number;
  corners: Point[];
  kind: "known" | "new" | "unsure" | "differs" | "lost";
}

interface LatticeReading {
  id: string;
  picture: string;
  size: [number, number];
  /** Whether the known cards were found in the picture. */
  fits: boolean;
  cards: ReadTriangle[];
  /** Whether only one order of the new cards is possible. */
  ordered: boolean;
  missing: LaidTriangle[];
  labels: string[];
}

interface DiceReading {
  dice: number[];
  unsure: string[];
}

/* ---- what the server puts into a page ------------------------------------------------------------------- */

interface Setting {
  name: string;
  /** In words: "integer", "true or false", "list of text", "number or nothing". */
  type: string;
  default: JsonValue;
  choices?: JsonValue[] | null;
  /** What a table counts, each with a number of its own. */
  keys?: string[] | null;
  help?: string;
}

interface GameZone {
  name: string;
  /** Its name in English, to be translated. */
  text: string;
  /** Whether each player has one: <name>:<seat>. */
  each_player: boolean;
}

/** The facts of a game: companion/api/games.py. */
interface GameFacts {
  name: string;
  title: string;
  /** The fewest and the most players. */
  seats: [number, number];
  fewest_points_win: boolean;
  sources: string[];
  zones: GameZone[];
  /** The labels of its cards. */
  cards: string[];
  /** What may be photographed: "display", "tiles", "dice", "lattice" or "". */
  photographed: string;
  /** Whether it has a script games/<name>/index.js. */
  page: boolean;
  settings: Setting[] | null;
}

/** A game with its house rules, on the page that starts one. */
interface PlayableGame extends GameFacts {
  settings: Setting[];
}

interface DeckCard {
  id: number;
  /** Corners as shares of the picture. */
  corners: Point[];
  thumb: string;
  guess: string | null;
  new: boolean;
  blurred: boolean;
  small: boolean;
  label: string | null;
}

interface DeckLabel {
  label: string;
  /** How many pictures of it are stored. */
  looks: number;
}

/** The deck that is being learned. */
interface EnrolmentState {
  deck: string | null;
  title: string;
  camera: boolean;
  picture: string | null;
  decks: { name: string; title: string; cards: number; of: number | null }[];
  cards: DeckCard[];
  labels: DeckLabel[];
  missing: string[];
  weak: string[];
}

interface DeckCheck {
  alike: [string, string][];
  misread: [string, number, string][];
  plain: string[];
  missing: string[];
  weak: string[];
}

interface Lens {
  helps: boolean;
  error: number;
  flat: number;
  bent: number;
  pictures: number;
}

/** A fault of the picture. */
interface Finding {
  code: string;
  amount: number;
  where: Point[] | null;
}

type Zones = Record<string, Point[]>;

interface TableSetup {
  camera: boolean;
  game: string;
  games: { name: string; title: string }[];
  seats: number;
  zones: Zones;
  source: string;
  mat: { name: string; error: number; markers: { corners: Point[] }[] } | null;
  findings: Finding[];
  remembered: boolean;
  lens: Lens | null;
  mats: number;
}

interface SeenTable {
  cards: { label: string; confidence: number; corners: Point[] }[];
  unknown: Point[][];
}

interface Devices {
  findings: { name: string; there: boolean; text: string }[];
  buttons: { name: string; gpio: number; ago: number | null }[];
  outputs: string[];
  level: { now: number; loudest: number; room: number; clipped: boolean; finding: string | null } | null;
}

interface Lesson {
  player: string;
  word: string;
  said: number;
  of: number;
  finding: string | null;
}

interface Voices {
  taught: string[];
  lesson: Lesson | null;
  outcome: { player: string; helps: boolean; text: string } | null;
}

interface PastGame {
  id: number;
  name: string;
  title: string;
  started: string;
  ended: string | null;
  players: string[];
  scores: Record<string, number>;
  winner: string[];
  bgstats: string | null;
}

interface PlayerRecord {
  player: string;
  games: number;
  won: number;
  points: number;
}

/** The data of the page; every page has the first three and those of its own. */
interface Boot {
  snapshot: Snapshot;
  role: "referee" | "guest";
  /** The player whose phone this is. */
  me: string | null;
  /** Whether every phone decides. */
  open?: boolean;
  player?: string | null;
  games: PlayableGame[];
  enrolment: EnrolmentState;
  setup: TableSetup;
  devices: Devices;
  voices: Voices;
  past: { games: PastGame[]; records: PlayerRecord[] };
}

/* ---- drawing -------------------------------------------------------------------------------------------- */

/** An element to be drawn. */
interface VElement {
  text?: undefined;
  tag: string;
  props: Props;
  kids: VNode[];
  key?: string | number;
}

interface VText {
  text: string;
  tag?: undefined;
  key?: undefined;
}

type VNode = VElement | VText;

/** What filter(Boolean) keeps. */
interface Array<T> {
  filter(predicate: BooleanConstructor): Exclude<T, false | null | undefined | "">[];
}

/** What may stand between the tags of an element; null, undefined, false and "" draw nothing. */
type Child = VNode | string | number | boolean | null | undefined | Child[];

/** An event of a control, whose target is the control. */
type ControlEvent = Event & { target: HTMLInputElement };
/** A file was chosen. */
type FileEvent = Event & { target: HTMLInputElement & { files: FileList } };
/** A form was submitted. */
type FormEvent = SubmitEvent & { target: HTMLFormElement };

interface Props {
  key?: string | number;
  arrive?: boolean;
  guard?: boolean;
  style?: Record<string, string>;
  onclick?: ((event: MouseEvent & { currentTarget: DrawnElement }) => unknown) | null;
  onkeydown?: ((event: KeyboardEvent) => unknown) | null;
  onpointerdown?: ((event: PointerEvent & { currentTarget: HTMLElement }) => unknown) | null;
  onchange?: ((event: FileEvent) => unknown) | null;
  oninput?: ((event: ControlEvent) => unknown) | null;
  onsubmit?: ((event: FormEvent) => unknown) | null;
  [attribute: string]: unknown;
}

/** An element that lib/dom.js has drawn, with what it keeps there. */
type DrawnElement = HTMLElement & {
  vKey?: string | number;
  vProps?: Props;
  /** When it appeared, in milliseconds of performance.now(). */
  vShownAt?: number;
};

/* ---- pages ---------------------------------------------------------------------------------------------- */

interface Action {
  label: string;
  run: () => unknown;
  note?: string | false | null;
  glyph?: Child;
  /** Drawn as the less important one. */
  quiet?: boolean;
  disabled?: boolean;
  player?: string;
}

/** What a page hands to the module of a game. */
interface PageContext {
  me: string | null;
  role: string;
  referee: boolean;
  send: (event: GameEvent) => Promise<Reply<{ seq: number }>>;
  answer: (question: string, option: string) => unknown;
  resume: () => unknown;
  /** Asks for the other fields of an event, one after the other, and sends it. */
  askFields: (kind: string, fixed: Record<string, JsonValue>) => unknown;
  redraw: () => void;
}

/** The members of a game's page: games/index.js describes them. */
interface GamePage {
  status(s: GameSnapshot): string;
  task(s: GameSnapshot, ctx?: PageContext): string;
  activePlayer(s: GameSnapshot): string | null;
  centre(s: GameSnapshot, ctx: PageContext): Child;
  playerDetails(s: GameSnapshot, player: string, ctx: PageContext): Child;
  playerScore(s: GameSnapshot, player: string): { value: number | string; unit: string };
  belowScores(s: GameSnapshot, ctx: PageContext): Child;
  actions(s: GameSnapshot, ctx: PageContext): Action[];
  tableView(s: GameSnapshot): Child;
  showsDeadline: boolean;
  senses: string[];
  fewestWins: boolean;
  /** The labels of the cards that may be named. */
  cards(s: GameSnapshot): string[];
  /** A picture in which a place is chosen, null if places are chosen from a list. */
  places: ((s: GameSnapshot<any>, places: Place[] | null, onPick: (at: Place) => void) => Child) | null;
}

interface Sheet {
  close: () => void;
  redraw: () => void;
}

/** A shape drawn on a picture; corners are shares of its width and height. */
interface PictureShape {
  corners: Point[];
  /** open, known, right, unsure, zone, marker or fault. */
  kind: string;
  text?: string;
}

/** How far a photograph is: `progress` from 0 to 1, null while none is sent. */
interface UploadView {
  player: string | null;
  progress: number | null;
  error: string;
}

/** What is shown while the table of Trio Monsters is photographed. */
interface LatticeView {
  reading: LatticeReading | null;
  progress: number | null;
  error: string;
  busy: boolean;
}

/** Receives the value of a setting, undefined for its default. */
type Change = (value: JsonValue) => void;

/** Receives the value of an event's field. */
type Answer = (value: JsonValue) => void;

interface FieldOptions {
  value: JsonValue;
  error?: string;
  players: string[];
  change: Change;
}
