/* Written by `python -m web.types_page > web/static/lib/api_types.d.ts` from companion/api.
   Do not edit it. docs/api.md describes the fields. The names are global, as in types.d.ts. */

/** A JSON value whose shape only one game knows, such as the value of an event's field. */
type JsonValue = any;

/** Everything that is known now. Between two games `game` is None and what belongs to a game is empty. */
interface Snapshot {
  seq: number;
  game: GameOnTable | null;
  state: Record<string, JsonValue>;
  scores: Record<string, number>;
  winner: string[];
  phase: string | null;
  turn: string | null;
  log: LogEntry[];
  sums: PointSums[];
  offers: EventOffer[];
  paused: string | null;
  deadline: DeadlineLeft | null;
  questions: TableQuestion[];
  sources: Record<string, SourceState>;
  announcement: Announced | null;
  night: NightSummary;
  recording: boolean;
  seating: SeatingOffer | null;
}

/** The game that is being played. `players` are in seating order. */
interface GameOnTable {
  id: number;
  name: string;
  title: string;
  settings: Record<string, JsonValue>;
  players: Seat[];
}

/** A player with the colour and the shape that tell them apart on every page. */
interface Seat {
  name: string;
  colour: string;
  shape: string;
}

/** One event with what came of it. */
interface LogEntry {
  n: number;
  event: GameEvent;
  sentences?: Sentence[];
  text: string;
  rules: string[];
  t: number | null;
  source: string | null;
  undone: boolean;
  rejected: string | null;
  turn: string | null;
  why: string | null;
  rule: string;
  verdicts: EntryVerdict[];
  overruled: boolean;
  agreed: number | null;
  dropped: DroppedEntry[];
  round: number | null;
  trick: number | null;
}

/** One sentence of the story. `code` is a key of the game's story files or of the common one. `params` fill its blanks: names, numbers, cards in the notation of events, and lists of them. */
interface Sentence {
  code: string;
  params: Record<string, JsonValue>;
  rules: string[];
}

/** A finding of the referee about one entry of the log. `params` holds its details. */
interface EntryVerdict {
  n: number;
  player: string;
  verdict: string;
  params: Record<string, JsonValue>;
  rule: string;
  text: string;
}

/** An entry that no longer fits after a correction. Its event and its sentences are in a preview only. */
interface DroppedEntry {
  n: number;
  code: string;
  turn?: string | null;
  event?: Record<string, JsonValue>;
  text?: string;
  why?: string;
}

/** How the points that an entry brought came about, e.g. of each display at the end of a round. */
interface PointSums {
  n: number;
  sentences?: Sentence[];
  lines: string[];
}

/** One event that would be accepted now. Times are seconds of the game. */
interface EventOffer {
  event: string;
  fields: Record<string, FieldChoice>;
  optional?: string[];
  by?: number | null;
  rule?: string;
  after?: number | null;
}

/** What one field of an offered event may be; which keys there are depends on `kind` (docs/events.md). */
interface FieldChoice {
  kind: string;
  values?: JsonValue[];
  low?: number | null;
  high?: number | null;
  before?: number | null;
  but?: string[];
  least?: number;
  count?: number;
  top?: number[];
  eyes?: number[];
  bottom?: number[];
  counted?: Record<string, number>;
  symbols?: number;
  tiles?: number;
  right?: string[][];
  left?: Record<string, number>;
  numbers?: Record<string, number[]> | null;
  number_required?: boolean;
  card?: FieldChoice;
  showing?: string[] | null;
  jokers?: number;
  total?: number | null;
}

/** The time that is left of the running deadline, in seconds, and whose it is. */
interface DeadlineLeft {
  in: number;
  player: string | null;
}

/** A question that the table is asked. `player`: whose reading it is about, None for everybody's. */
interface TableQuestion {
  id: string;
  code: string;
  params: Record<string, JsonValue>;
  options: AnswerOption[];
  player: string | null;
  picture: string | null;
  text: string;
}

/** One answer to a question; with neither `card` nor `words` it is "none of these". */
interface AnswerOption {
  id: string;
  card: JsonValue;
  words: string[];
  label: string;
}

/** Whether a source (`camera`, `microphone`, `buttons` ...) works, and what is wrong with it. `code` and `params` are the reason, `why` is its sentence; a source that is up has one if it works badly. */
interface SourceState {
  up: boolean;
  code: string | null;
  params: Record<string, JsonValue>;
  why: string;
}

/** Something that was announced. `priority` is 0 (routine) to 5 (alarm). */
interface Announced {
  code: string;
  params: Record<string, JsonValue>;
  priority: number;
  rhythm: string | null;
  text: string;
  n?: number;
}

/** The evening: its games in order, and the standings, best first. */
interface NightSummary {
  games: NightGame[];
  standings: Standing[];
}

/** One game of the evening. Without a winner it is still open or was broken off. */
interface NightGame {
  id: number;
  name: string;
  players: string[];
  winner: string[];
  scores: Record<string, number>;
  ended: boolean;
  points: Record<string, number>;
}

/** A player's points of the evening. */
interface Standing {
  player: string;
  points: number;
}

/** A game that a tournament has planned for this table. */
interface SeatingOffer {
  id: string;
  tournament: string;
  round: number;
  game: string;
  title: string;
  players: string[];
  declined: boolean;
}

/** What may be done now; empty between two games. */
interface MayReply {
  may: PossibleNow[];
  ok: boolean;
}

/** One thing that may be done now, as a sentence. `players` is empty for what anybody may do. */
interface PossibleNow {
  text: string;
  rule: string;
  players: string[];
}

/** Earlier entries of the log, oldest first; empty between two games. */
interface LogReply {
  entries: LogEntry[];
  ok: boolean;
}

/** What could have happened instead of an entry of the log. */
interface OffersReply {
  offers: EventOffer[];
  ok: boolean;
}

/** The command was carried out. */
interface Accepted {
  ok: boolean;
  n?: number;
  seq?: number;
  game?: number;
}

/** The command was not carried out. `code` and `params` say why, `text` is the sentence. */
interface Refusal {
  code: string;
  text: string;
  params?: Record<string, JsonValue>;
  n?: number;
  seq?: number;
  ok: boolean;
}

/** The request was refused or failed. `text` is a sentence in the reader's language. */
interface RequestError {
  code: string;
  text: string;
  ok: boolean;
}

/** Starts a game; the one on the table leaves it. `over`: only if that is the number of the game on the table (None: only if there is none). Without it the game on the table is replaced whichever it is. `position`: the game is taken up there (docs/events.md, "Positions"); None: from the beginning. */
interface NewGame {
  game: string;
  players: string[];
  settings: Record<string, JsonValue>;
  position: Record<string, JsonValue> | null;
  over?: number | null;
}

/** Starts the latest game again, with the same players and settings; `over` as in NewGame. */
interface NextGame {
  over?: number | null;
}

/** Starts the game that a tournament has planned for this table, if `seating` is still its id. */
interface BeginSeated {
  seating: string;
}

/** The players do not want the planned game `seating` now. They can still begin it later. */
interface DeclineSeated {
  seating: string;
}

/** The game leaves the table with its result as it stands. */
interface EndGame {
}

/** Takes back the latest move; with `n` only if that is its number. */
interface Undo {
  n?: number | null;
}

/** The effect that a correction would have. */
interface AmendPreview {
  scores: Record<string, number>;
  before: Record<string, number>;
  winner: string[];
  dropped: DroppedEntry[];
  ok: boolean;
}

/** Replaces entry `n` of the log by `event`, or removes it where that is null. With `preview` nothing changes: the reply says what would. `rest`: `as_entered` if the table went on as the later entries say, whatever the corrected one would have led to; null: they are judged again, and what no longer fits is dropped. */
interface Amend {
  n: number;
  event: Record<string, JsonValue> | null;
  preview: boolean;
  rest: "as_entered" | null;
}

/** Sets the verdicts about entry `n` of the log aside. */
interface Overrule {
  n: number;
}

/** What a position would bring about. */
interface PositionPreview {
  state: Record<string, JsonValue>;
  changes: PositionChange[];
  scores: Record<string, number>;
  before: Record<string, number>;
  winner: string[];
  latest: number;
  ok: boolean;
}

/** One value of the state that a position would change. */
interface PositionChange {
  key: string;
  player: string | null;
  before: JsonValue;
  after: JsonValue;
}

/** The table agrees how things stand, or to count a refused event. With `preview` nothing changes: the reply says what would. */
interface SetPosition {
  state: Record<string, JsonValue> | null;
  n: number | null;
  latest: number | null;
  preview: boolean;
}

/** Answers a question with one of its options. */
interface Answer {
  question: string | number;
  option: string | number;
}

/** After an interruption the game's clock runs again without a move. */
interface GoOn {
}

/** The table says that whoever has to act took too long, while the game's clock stands still. */
interface TooSlow {
}

/** Without a microphone nobody is timed until `go_on`: the reverse of it. */
interface StopTiming {
}

/** The role that the phone has now. */
interface RoleReply {
  role: "guest" | "referee";
  ok: boolean;
}

/** The code that makes a phone the referee's. */
interface CodeEntry {
  code: string;
}

/** It was done. */
interface Done {
  ok: boolean;
}

/** A request without fields: `{}`. */
interface NoFields {
}

/** A code that makes one phone the referee's. */
interface PairingCode {
  code: string;
  seconds: number;
  ok: boolean;
}

/** All phones that the table knows, in the order in which they came. */
interface PairedPhones {
  phones: PairedPhone[];
  ok: boolean;
}

/** A phone that the table knows. */
interface PairedPhone {
  number: number;
  name: string;
  referee: boolean;
  player: string | null;
  since: string;
  this: boolean;
}

/** A phone that the table knows. */
interface PhoneNumber {
  number: number;
}

/** The player whom the phone belongs to; null: a spectator. */
interface OwnerReply {
  me: string | null;
  ok: boolean;
}

/** The player whom the phone belongs to; null: a spectator. */
interface PhoneOwner {
  player: string | null;
}

/** The language of the phone; null: the browser's. */
interface LanguageReply {
  language: string | null;
  ok: boolean;
}

/** The language of a phone; null: the browser's. */
interface LanguageChoice {
  language: string | null;
}

/** What was read from a photograph of a display or of tiles. */
interface PhotoReply {
  reading: PhotoReading;
  ok: boolean;
}

/** A display or the tiles of a player, read from a photograph. `score` is None while anything is unsure; `unsure`: what is doubtful; the host gives messages, a page gets sentences. */
interface PhotoReading {
  player: string;
  id: string;
  picture: string;
  size: [number, number];
  cards: ReadCard[];
  score: number | null;
  unsure: string[];
  labels: string[];
  display?: Record<string, ColumnCount>;
  tiles?: Record<string, number>;
  places?: UnsureCard[];
  doubts?: UnreadTile[];
}

/** A card or tile that was recognised. `monster`: the column of a display that it lies in, which is the label of a card whose number is not sure. */
interface ReadCard {
  id: string;
  label: string;
  confidence: number;
  corners: [number, number][];
  monster: string | null;
}

/** What is to be said: `code` names a template, `params` fills the names in its braces. A parameter may be text, a number, another message, or a tuple of texts or messages, which becomes a list. `str(message)` is the English sentence. */
interface Message {
  code: string;
  params: Record<string, string | number | boolean | string[] | null>;
}

/** A column of a display: all its cards, and the jokers among them. */
interface ColumnCount {
  cards: number;
  jokers: number;
}

/** A place of a display that must be looked at before it can be scored. `likely`: labels that may lie there, likeliest first; `monster`: the column that it belongs to; `card`: the id of the card that was counted there, None if none was; `reason`: why it is unsure. */
interface UnsureCard {
  id: string;
  corners: [number, number][];
  likely: string[];
  monster: string | null;
  card: string | null;
  reason: string;
}

/** A place where a tile may lie that could not be read. `like`: the symbol that comes nearest. */
interface UnreadTile {
  id: string;
  like: string | null;
  centre: [number, number];
  radius: number;
}

/** Dice read from a photograph, from left to right. */
interface DicePhoto {
  dice: number[];
  unsure: string[];
  ok: boolean;
}

/** What was read from a photograph of triangles. */
interface LatticeReply {
  reading: LatticePhoto;
  ok: boolean;
}

/** The photographed table of Trio Monsters compared with the game. */
interface LatticePhoto {
  id: string;
  picture: string;
  size: [number, number];
  fits: boolean;
  ordered: boolean;
  cards: TrianglePhoto[];
  missing: MissingTriangle[];
  labels: string[];
}

/** A triangle of the photographed table. `at` is its place in the game, [row, column]. */
interface TrianglePhoto {
  id: string;
  at: [number, number];
  label: string;
  confidence: number;
  corners: [number, number][];
  kind: "differs" | "known" | "lost" | "new" | "unsure";
}

/** A card of the game that the photograph does not show. */
interface MissingTriangle {
  at: [number, number];
  card: string;
}

/** What a display would score; `points` is None in a game that scores no displays. */
interface DisplayPoints {
  points: number | null;
  columns: Record<string, number>;
  ok: boolean;
}

/** A display whose points are asked for; `aside`: jokers without a column. */
interface DisplayAsked {
  display: Record<string, ColumnCount>;
  aside: number;
}

/** What tiles would score: all together with the trophy, the trophy alone, and each symbol. */
interface TilePoints {
  points: number;
  trophy: number;
  symbols: Record<string, number>;
  ok: boolean;
}

/** A player's tiles {symbol: how many} whose points are asked for. */
interface TilesAsked {
  player: string;
  tiles: Record<string, number>;
}

/** The deck that is being learned, as it is now. */
interface EnrolmentReply {
  enrolment: EnrolmentState;
  ok: boolean;
}

/** The deck that is being learned; with `deck` None, the decks that may be chosen. */
interface EnrolmentState {
  camera: boolean;
  deck: string | null;
  decks: DeckChoice[];
  title: string;
  picture: string | null;
  cards: FoundCard[];
  labels: DeckLabel[];
  missing: string[];
  next: string[];
  weak: string[];
  refinement: RefinementProgress | null;
}

/** A deck that may be learned: `cards` learned so far, `of` how many there are (None: not known). */
interface DeckChoice {
  name: string;
  title: string;
  cards: number;
  of: number | null;
}

/** A card in the picture. */
interface FoundCard {
  id: number;
  corners: [number, number][];
  thumb: string;
  guess: string | null;
  new: boolean;
  problem: "blurred" | "burnt" | "cut_off" | "small" | "unclear" | null;
  label: string | null;
}

/** A card of the deck, and how many reference pictures of it there are. */
interface DeckLabel {
  label: string;
  looks: number;
}

/** How far the recognition of a deck's cards is refined: `step` of `steps` while it is running. `waiting`: it begins when the deck has not changed for a while. `paused`: it begins when no game is on the table. */
interface RefinementProgress {
  deck: string;
  status: "failed" | "paused" | "refined" | "running" | "waiting";
  step: number;
  steps: number;
}

/** What should be corrected in the deck. */
interface DeckCheckReply {
  check: DeckProblems;
  ok: boolean;
}

/** What should be corrected in a deck. */
interface DeckProblems {
  alike: [string, string][];
  misread: [string, number, string][];
  plain: string[];
  missing: string[];
  weak: string[];
  without_detail: string[];
}

/** The deck to be learned. */
interface DeckChosen {
  deck: string;
}

/** A card of the picture, by its number there, and its name. */
interface CardNamed {
  card: number;
  label: string;
}

/** A card of the picture that is upside down. */
interface CardTurned {
  card: number;
}

/** A card of the deck and its new name. */
interface CardRenamed {
  old: string;
  new: string;
}

/** A card of the deck that is taken out of it. */
interface CardDropped {
  label: string;
}

/** What the set-up page shows now. */
interface SetupReply {
  setup: TableSetupState;
  ok: boolean;
}

/** What the set-up page shows. */
interface TableSetupState {
  camera: boolean;
  game: string;
  games: GameTitle[];
  seats: number;
  zones: Record<string, [number, number][]>;
  source: string;
  mat: MatState | null;
  findings: PictureFault[];
  remembered: boolean;
  lens: LensState | null;
  mats: number;
}

/** A game whose table may be set up. */
interface GameTitle {
  name: string;
  title: string;
}

/** The mat in the picture; `error` is the mean distance of its corners from where they should be, in pixels. */
interface MatState {
  name: string;
  error: number;
  markers: MarkerSeen[];
}

/** A marker of the mat in the picture. */
interface MarkerSeen {
  id: number;
  corners: [number, number][];
}

/** Something that keeps the camera from seeing well; `where` is None for the whole picture. */
interface PictureFault {
  code: string;
  amount: number;
  where: [number, number][] | null;
}

/** What was learned of the lens: whether correcting helps, and the errors in pixels of the correction, of a model without and of one with distortion. */
interface LensState {
  helps: boolean;
  error: number;
  flat: number;
  bent: number;
  pictures: number;
}

/** The game whose table is set up; empty: the one that is played. */
interface SetupGame {
  game: string;
}

/** Zones that were drawn: name -> corners as shares of the picture's width and height. */
interface DrawnZones {
  game: string;
  zones: Record<string, [number, number][]>;
}

/** What the camera recognises now. */
interface SeenReply {
  seen: SeenCards;
  ok: boolean;
}

/** What is recognised in the camera's picture, and how many cards have no name. */
interface SeenCards {
  cards: SeenCard[];
  unknown: number;
}

/** A card that is recognised in the camera's picture. */
interface SeenCard {
  label: string;
  confidence: number;
  corners: [number, number][];
}

/** What the device test shows. `level` is None where there is no sound. */
interface DeviceState {
  findings: DeviceFinding[];
  buttons: ButtonState[];
  outputs: string[];
  level: MicrophoneLevel | null;
}

/** One thing that was looked for: whether it is there, what was found and what to do. The host gives messages, a page gets sentences. `text`: finding and remedy in the reader's language. */
interface DeviceFinding {
  name: string;
  there: boolean;
  what: string;
  remedy: string;
  needed: boolean;
  text: string;
}

/** A button, its pin (BCM number), and the seconds since it was pressed; None: not yet. */
interface ButtonState {
  name: string;
  gpio: number;
  ago: number | null;
}

/** Sound levels in dB of full scale; `clipped` is a share, `finding` a code or empty. */
interface MicrophoneLevel {
  now: number;
  loudest: number;
  background: number;
  clipped: number;
  finding: string;
}

/** What the service has found on its machine, for `companion doctor`. */
interface DeviceChecks {
  findings: DeviceFinding[];
  ok: boolean;
}

/** The output that is to give a sign: `buzzer`, `lamps` or `voice`. */
interface OutputChoice {
  name: string;
}

/** Whether the microphone heard the output `by`; `rise`: how much louder it got, in dB. */
interface LoopResult {
  by: string;
  heard: boolean;
  rise: number;
  ok: boolean;
}

/** What the page of the voices shows. `taught` are players' names. */
interface VoiceState {
  taught: string[];
  lesson: LessonState | null;
  outcome: LessonOutcome | null;
}

/** A player's voice is being taught: `word` is to be said; `said` of `of` recordings are there. */
interface LessonState {
  player: string;
  word: string;
  said: number;
  of: number;
  finding: string;
}

/** What came of a lesson. */
interface LessonOutcome {
  player: string;
  helps: boolean;
  text: string;
}

/** The player whose voice it is. */
interface PlayerName {
  player: string;
}

/** Which seats are known, and who is to say the own name now. */
interface SeatState {
  array: boolean;
  known: KnownSeat[];
  player: string;
  finding: string;
}

/** Where a player sits, seen from an array of microphones: direction and its standard deviation, in degrees. */
interface KnownSeat {
  player: string;
  degrees: number;
  spread: number;
}

/** How many times an invented sound has still to be made, of how many in all. */
interface SoundProgress {
  left: number;
  of: number;
  ok: boolean;
}

/** What the page of the recordings shows. */
interface RecordedEvenings {
  on: boolean;
  folder: string;
  evenings: EveningFacts[];
  ok: boolean;
}

/** One recorded evening. */
interface EveningFacts {
  name: string;
  began: string;
  seconds: number;
  bytes: number;
  frames_lost: number;
  running: boolean;
}

/** A recorded evening, by the name of its folder. */
interface EveningName {
  name: string;
}

/** Everything that can be deleted here; recordings and decks have pages of their own. */
interface StoredData {
  folder: string;
  games: StoredGame[];
  players: string[];
  voices: string[];
  files: StoredFile[];
  ok: boolean;
}

/** A game in the journal. */
interface StoredGame {
  id: number;
  title: string;
  started: string;
  players: string[];
  on_table: boolean;
}

/** A file or a folder in the data folder. */
interface StoredFile {
  kind: "damaged" | "evidence" | "replaced";
  name: string;
  bytes: number;
}

/** A game in the journal. */
interface GameNumber {
  game: number;
}

/** A file or folder of the stored data. */
interface StoredFileName {
  kind: "damaged" | "evidence" | "replaced";
  name: string;
}

/** What the page *Settings* shows. */
interface OwnerSettings {
  fields: SettingField[];
  file: string;
  version: string;
  run: string;
  previous: boolean;
  playing: boolean;
  ok: boolean;
}

/** One key of the configuration. */
interface SettingField {
  key: string;
  kind: "channels" | "choice" | "colours" | "flag" | "integer" | "number" | "pin" | "pins" | "secret" | "text" | "trophies";
  value: JsonValue;
  default: JsonValue;
  help: string;
  choices: SettingChoice[] | null;
  low: number | null;
  high: number | null;
}

/** A value that a field may have; `text`: what was found on the machine, such as a camera's name. */
interface SettingChoice {
  value: JsonValue;
  text: string;
}

/** What a change would do. With problems it can not be saved. */
interface SettingsCheck {
  problems: SettingProblem[];
  lines: string[];
  ok: boolean;
}

/** Why a value cannot be taken; `key` is "" where no single field is to blame. The host gives messages, a page gets sentences. */
interface SettingProblem {
  key: string;
  text: string;
}

/** New values by key; null: the default. `version`: that of the settings which the page shows. */
interface SettingsChange {
  values: Record<string, JsonValue>;
  version: string;
}

/** It was done and the service starts again; `run` is that of the service that ends. */
interface Restarting {
  run: string;
  ok: boolean;
}

/** What the page *This machine* shows. */
interface MachineState {
  version: string;
  health: DeviceFinding[];
  restored: RestoreResult | null;
  updates: UpdateState;
  run: string;
  ok: boolean;
}

/** What became of a backup that was to be restored at the start. `why`: of the host a message, of a page a sentence; `before`: the folder with the data that were replaced. */
interface RestoreResult {
  done: boolean;
  why: string;
  before: string;
}

/** Updates of an appliance. `available`: whether this machine can be updated from a phone; `from_file`: whether a phone may send the new version. */
interface UpdateState {
  available: boolean;
  from_file: boolean;
  versions: string[];
  result: "" | "current" | "done" | "failed" | "running" | "went_back";
  why: string;
}

/** How many bytes of the file have arrived. */
interface UploadProgress {
  size: number;
  ok: boolean;
}

/** A piece of a file that a phone sends; `offset` 0 begins a new file. `data` is base64 in JSON. */
interface UploadPiece {
  kind: "backup" | "update";
  offset: number;
  data: string;
}

/** What a backup holds. */
interface BackupContents {
  made: string;
  version: string;
  games: number;
  players: string[];
  last_game: string;
  decks: string[];
  settings: boolean;
  ok: boolean;
}

/** What is to be done: installing the newest version, the one that was sent, or the one before. */
interface UpdateRequest {
  action: "back" | "install" | "update";
}

/** What is known of wireless networks. Without the appliance's service nothing can be joined. */
interface WirelessState {
  available: boolean;
  hotspot: HotspotAccess | null;
  networks: string[];
  joined: boolean | null;
  ok: boolean;
}

/** Name and password of the hotspot; "": it has no password. */
interface HotspotAccess {
  name: string;
  password: string;
}

/** A network to join. */
interface WirelessJoin {
  network: string;
  password: string;
}

/** What the page of the first start asks for; `network` "": none is joined. */
interface FirstSettings {
  language: string;
  network: string;
  password: string;
}

/** Everybody who has played, most points first. */
interface PlayerReports {
  players: PlayerReport[];
  ok: boolean;
}

/** One player over all evenings. */
interface PlayerReport {
  player: string;
  games: number;
  won: number;
  points: number;
  tallies: GameTally[];
  opponents: HeadToHead[];
  calls: CallTimes[];
}

/** A player's decided games of one kind. */
interface GameTally {
  name: string;
  title: string;
  games: number;
  won: number;
}

/** Decided games that two players played together, seen from one of them. Equal places are neither. */
interface HeadToHead {
  player: string;
  games: number;
  above: number;
  below: number;
}

/** A player's right calls in one game. */
interface CallTimes {
  game: number;
  started: string;
  seconds: number[];
}

/** Some consecutive steps of a game. */
interface GameSteps {
  game: GameOnTable;
  started: string;
  ended: string | null;
  last: number;
  file: string;
  steps: GameStep[];
  ok: boolean;
}

/** The game as it was after entry `n` of its log; after 0 it had just begun. */
interface GameStep {
  n: number;
  entry: LogEntry | null;
  taken_back: number[];
  state: Record<string, JsonValue>;
  scores: Record<string, number>;
  winner: string[];
  phase: string | null;
  turn: string | null;
  worth: Record<string, DisplayPoints>;
}

/** A game was opened from a file. */
interface OpenedFile {
  key: string;
  ok: boolean;
}

/** A game as a file: its name, and the script that it holds. */
interface GameFile {
  name: string;
  text: string;
}

/** The evidence that was written. `file`: its path on the companion. */
interface KeptEvidence {
  file: string;
  pictures: number;
  sound: boolean;
  ok: boolean;
}

/** An entry of the log. */
interface LogNumber {
  n: number;
}

/** A message of the event stream: `snapshot` on connecting, `change` afterwards. */
interface TableChange {
  kind: "change" | "snapshot";
  snapshot: Snapshot;
  announcements: Announced[];
  since?: number | null;
}

/** Embedded in every page as JSON. What only the referee may see is null on a guest's phone. */
interface PageData {
  snapshot: Snapshot;
  role: "guest" | "referee";
  me: string | null;
  games: GameFacts[];
  open?: boolean;
  join_url?: string;
  phones?: PairedPhones | null;
  player?: string | null;
  past?: GameHistory;
  replay?: GameSteps;
  players?: PlayerReports;
  stored?: StoredData | null;
  enrolment?: EnrolmentState | null;
  rules?: GameRules | null;
  setup?: TableSetupState | null;
  devices?: DeviceState | null;
  voices?: VoiceState | null;
  seats?: SeatState | null;
  first_start?: boolean;
  wireless?: WirelessState | null;
  machine?: MachineState | null;
  settings?: OwnerSettings | null;
  recordings?: RecordedEvenings | null;
}

/** What pages have to know about a game to show it and to enter its events. */
interface GameFacts {
  name: string;
  title: string;
  seats: [number, number];
  fewest_points_win: boolean;
  sources: string[];
  zones: GameZone[];
  cards: string[];
  without: Record<string, Record<string, JsonValue>>;
  photographed: string;
  number_words: Record<string, string[]>;
  page: boolean;
  settings: GameSetting[] | null;
}

/** A zone of the table that the camera watches; with `each_player` one a player: `<name>:<seat>`. */
interface GameZone {
  name: string;
  text: string;
  each_player: boolean;
}

/** One house rule of a game. */
interface GameSetting {
  name: string;
  type: string;
  default: JsonValue;
  choices: JsonValue[] | null;
  keys: string[] | null;
  help: string;
}

/** The latest games, the latest first, the players' records, best first, and how right the senses were. */
interface GameHistory {
  games: PastGame[];
  records: PlayerRecord[];
  senses: SenseFigures;
  damage: JournalDamage[];
}

/** One game. `winner` is empty for a game that was broken off or is still on the table. `started` and `ended` are ISO 8601 times in UTC; `bgstats` is a link that enters it into BG Stats. */
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
  night: number;
  points: Record<string, number>;
}

/** A player's decided games over all evenings; one point for each player finished above. */
interface PlayerRecord {
  player: string;
  games: number;
  won: number;
  points: number;
}

/** How far the senses can be trusted, over the latest games. `advice` says what helps; the host gives messages, a page gets sentences. */
interface SenseFigures {
  games: number;
  senses: SenseFigure[];
  calls: CallFigure[];
  advice: string[];
}

/** How often a sense (`camera`, `microphone`, `buttons`) was right. `total` is the sum of what was right, what it asked about because it was not sure, what the table corrected, and what it missed and a phone entered. */
interface SenseFigure {
  sense: string;
  right: number;
  total: number;
  asked: number;
  corrected: number;
  missed: number;
}

/** How many of a player's calls were understood without help. */
interface CallFigure {
  player: string;
  right: number;
  total: number;
}

/** A journal that was damaged and has been repaired. */
interface JournalDamage {
  at: string;
  folder: string;
  found: string;
  rows: number;
  lost: number;
  unproven: number;
  games: DamagedGame[];
}

/** A game of which not everything could be kept. */
interface DamagedGame {
  id: number;
  name: string;
  players: string[];
  kept: number;
  lost: number;
}

/** All rules of a game. `sample` is empty for a game without a sample turn. */
interface GameRules {
  game: string;
  title: string;
  chapters: RuleChapter[];
  sample: SampleStep[];
}

/** A chapter of the rulebook. */
interface RuleChapter {
  title: string;
  rules: RuleText[];
}

/** One rule in our own words, in a phone's language. */
interface RuleText {
  id: string;
  text: string;
  note: string;
}

/** One event of the sample turn with the sentences that it makes and the rules behind them. */
interface SampleStep {
  event: Record<string, JsonValue>;
  lines: string[];
  rules: string[];
}
