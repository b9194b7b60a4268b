/* What the scripts hand each other, and the snapshot; the states of the games stand in game_states.d.ts. What server and pages exchange stands
   in api_types.d.ts, which is made from the server's types.

   The browser never loads this file: `npx tsc --project web/tsconfig.json` reads it. All names are global, so that a
   JSDoc comment can use them without an import. */

/* ---- the snapshot --------------------------------------------------------------------------------------- */

/** An event in the words of its game; other fields depend on its kind. */
interface GameEvent {
  event: string;
  player?: string;
  [field: string]: JsonValue;
}

/** The parts of 13 Monsters that may be put together. */
interface PartsChoice extends FieldChoice {
  top: number[];
  eyes: number[];
  bottom: number[];
}

/** A snapshot while a game is running. */
type GameSnapshot<State = Record<string, JsonValue>> = Omit<Snapshot, "game" | "state"> & {
  game: GameOnTable;
  state: State;
  /** Of a past game: what each player's display was worth. */
  worth?: Record<string, DisplayPoints>;
};

type SevenSnapshot = GameSnapshot<SevenState>;
type NastySnapshot = GameSnapshot<NastyState>;
type TrioSnapshot = GameSnapshot<TrioState>;
type BugsSnapshot = GameSnapshot<BugsState>;
type ThirteenSnapshot = GameSnapshot<ThirteenState>;

/** Whether changes arrive; a number: there is no stream, and this page asks every so many seconds. */
type Connection = "live" | "lost" | number;

/** A message of the stream, or an answer that a tab shares with the others: then it asked `every` so many seconds. */
interface StreamMessage {
  snapshot: Snapshot;
  announcements: Announced[];
  every?: number;
}

/** The answer to a question for the snapshot. */
interface Asked {
  answered: boolean;
  /** null: nothing has changed, or there was no answer. */
  snapshot: Snapshot | null;
  /** What names this answer when the page asks again. */
  etag: string;
  /** In how many seconds it should. */
  waitS: number;
}

/** What is corrected, as the command `amend` has it. */
interface Correction {
  n: number;
  event: GameEvent | null;
  rest?: "as_entered";
}

/** What a page does with the stream; `own`: this tab holds it. */
interface StreamHandlers {
  message(data: string, own: boolean): void;
  beat(): void;
  /** Another tab holds the stream: what it sent before is not known. */
  joined(): void;
  /** The stream broke; `refused`: it does not come back by itself. */
  failed(refused: boolean): void;
}

/* ---- replies of the server ------------------------------------------------------------------------------ */

type Failure = Omit<Refusal, "ok"> & { ok: false };

type Reply<Body = {}> = ({ ok: true } & Body) | Failure;

/** A card in a photograph; corners are pixels of the picture. */
interface ShownCard {
  id: number | string;
  label: string;
  confidence: number | null;
  corners: Point[] | null;
  /** The column that it belongs to, null for a joker put aside. */
  monster?: string | null;
  /** Whether somebody has corrected it. */
  changed?: boolean;
}

interface DisplayReading extends Omit<PhotoReading, "cards"> {
  cards: ShownCard[];
}

/** Cards of a display that was counted without a picture. */
interface HandCount {
  display: Display;
  aside: number;
}

/** A tile in a photograph, or a place where one may be; lengths are pixels of the picture. */
interface ShownTile {
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

interface TileReading extends Omit<PhotoReading, "cards" | "doubts"> {
  cards: (ShownTile & { label: string; confidence: number })[];
  doubts: ShownTile[];
}

/* ---- what the server puts into a page ------------------------------------------------------------------- */

/** A game with its house rules, on the page that starts one. */
interface PlayableGame extends GameFacts {
  settings: GameSetting[];
}

/** The data of the page; each page reads what it shows, which the server has then put there. */
type Boot = Omit<Required<PageData>, "open" | "games" | "enrolment" | "setup" | "devices" | "voices" | "seats" | "recordings"> & {
  open?: boolean;
  games: PlayableGame[];
  enrolment: EnrolmentState;
  setup: TableSetupState;
  devices: DeviceState;
  voices: VoiceState;
  seats: SeatState;
  recordings: RecordedEvenings;
};

type Zones = Record<string, Point[]>;

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
  tablePlayer(s: GameSnapshot, player: string, ctx: PageContext): Child;
  middleBeside: boolean;
  showsDeadline: boolean;
  senses: string[];
  fewestWins: boolean;
  /** Values as pictures to pick from, null if they have none; `chosen`: several are picked, null: one. */
  pictures:
    | ((values: JsonValue[], field: string, chosen: JsonValue[] | null, onPick: (value: JsonValue) => void) => Child)
    | null;
  /** The labels of the cards that may be named. */
  cards(s: GameSnapshot): string[];
  /** A picture in which a place is chosen, null if places are chosen from a list. */
  position(form: PositionForm): PositionFields;
  places: ((s: GameSnapshot<any>, places: Place[] | null, onPick: (at: Place) => void) => Child) | null;
}

/** The form "How things stand": the state as entered so far. */
interface PositionForm {
  s: GameSnapshot;
  /** The state before anything was entered. */
  start: Record<string, JsonValue>;
  state: Record<string, JsonValue>;
  set: (changes: Record<string, JsonValue>) => void;
}

/** What the form shows, and what has to add up. */
interface PositionFields {
  fields: Child;
  sums: { text: string; right: boolean }[];
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

/** Dice chosen so far, and what is doubtful in their photograph. */
interface DiceView {
  dice: number[];
  doubts: string[];
  /** Whether a photograph is being read. */
  busy: boolean;
}

/** What is shown while the table of Trio Monsters is photographed. */
interface LatticeView {
  reading: LatticePhoto | null;
  progress: number | null;
  error: string;
  busy: boolean;
}

/** Receives the value of a setting, undefined for its default. */
type OnChange = (value: JsonValue) => void;

/** Receives the value of an event's field. */
type OnAnswer = (value: JsonValue) => void;

interface FieldOptions {
  value: JsonValue;
  error?: string;
  players: string[];
  change: OnChange;
}
