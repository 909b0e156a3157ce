// What the page keeps, and the wire's messages (protocol.d.ts) with what each game adds to table and seat. For tsc only:
// nothing here reaches a browser.

import type * as Wire from "./protocol.d.ts";

/** One action as JSON: `do`, and its particulars. */
export interface Action {
  do: string;
  by?: string;
  cards?: string;
  to?: string | Record<string, string>;
  as?: string;
  call?: string;
  claim?: string;
  have?: string;
  want?: string;
  at?: number;
  first?: string;
  text?: string;
}

/** Something that happened: `e` is its name, the rest goes by the name. */
export interface GameEvent {
  e: string;
  by?: string;
  cause?: string;
  [more: string]: unknown;
}

export type Place = string | string[];

/** What may be read of any of these, whichever it is: keys that only some have may be missing. */
type Either<All, Key extends PropertyKey = All extends unknown ? keyof All : never> = Pick<All, keyof All> & {
  [K in Key]?: All extends unknown ? (K extends keyof All ? All[K] : never) : never;
};

/** The table of any game. */
export type Table = Either<Wire.Table>;
export type TablePlayer = Wire.TablePlayer;
export type Play = Wire.TrickPlay;
export type Trick = Wire.Trick;
export type Gift = Wire.OwedGift;
export type HandEnd = Wire.LastHand;
export type Panel = Wire.Panel;
export type Tally = Wire.Tally;
export type Counter = Wire.Counter;
export type Icon = Counter["icon"];
export type Person = Wire.Person;
export type Room = Wire.Room;

/** What only this person may know. */
export type You = Omit<Wire.You, "events" | "legal" | "may"> & {
  events?: GameEvent[];
  legal?: Action[];
  may?: Action[];
};
export type Owes = Wire.Owed;

/** The server's update; table and seat with the games' own keys spelled out. */
export type Update = Omit<Wire.Update, "table" | "you" | "events" | "earlier"> & {
  table: Table | null;
  you: You;
  events: GameEvent[];
  earlier?: GameEvent[] | null;
};
export type Answer = Omit<Wire.Answer, "id" | "plays"> & { id: string; plays?: Action[] | null };
export type FromServer = Update | Answer | Wire.Goodbye;

export interface Command {
  t: string;
  [more: string]: unknown;
}

export type Link = "connecting" | "open" | "lost" | "gone";

export interface LogLine {
  id: number;
  text: string;
  kind: string;
  hand: number;
}

/** A word to the person (see notices.js). */
export interface Notice {
  id: number;
  text: string;
  bad: boolean;
  /** That refuses. */
  rule: Ruled | null;
  /** By when it has been read, ms. */
  read: number;
  /** The moment that a refusal is about; null where it goes once it has been read. */
  about: string | null;
}

/** All that the page of a room knows. */
export interface Model {
  update: Update | null;
  link: Link;
  /** Server's clock less ours, in ms. */
  offset: number;
  log: LogLine[];
  /** What was said last, newest last: the line under the trick. */
  latest: string[];
  /** Slots of own cards chosen (see selection.js). */
  chosen: string[];
  /** The slot that Tab comes to; from there the arrows walk. null: the first. */
  stop: string | null;
  /** Chosen for a certain person, when several are owed gifts. */
  basket: Record<string, string[]>;
  /** Answers to `look`, by the cards asked about. */
  looked: Record<string, Action[]>;
  /** Ids of commands that wait for their answer. */
  waiting: Record<string, string>;
  notice: Notice | null;
  /** What each action is, by its `do`: told once. */
  actions: Record<string, Wire.ActionForm>;
  sheet: string | null;
  /** Whether a newcomer only wants to watch. */
  watching: boolean;
  /**
   * The room for the felt in pixels (0 if it isn't known yet), how much larger than usual the text on it is, and whether the
   * page is wide for such text. It decides between a ring of seats and rows of them, and how many cards stand in a row.
   */
  felt: { width: number; height: number; text: number; wide: boolean };
  sort: "rank" | "suit";
  /** The most cards held in this hand. */
  most: number;
  form: Record<string, unknown>;
}

/** The rule by which something was refused. */
export interface Ruled {
  id: string;
  name: string;
}

export interface Choice {
  value: unknown;
  label: string;
}

export type Domain =
  | { type: "choice"; values: Choice[] }
  | { type: "number"; low: number; high: number; none_label: string | null }
  | { type: "ranks"; most: number; of: string }
  | { type: "titles"; values: Choice[]; places: string[] }
  | { type: "steps"; most: number };

export interface Switch {
  id: string;
  key: string;
  name: string;
  sentence: string;
  example: string;
  source: string;
  default: unknown;
  domain: Domain;
}

export interface Section {
  key: string;
  name: string;
  switches: Switch[];
}

export interface Preset {
  id: string;
  key: string;
  name: string;
  sentence: string;
  changes: Record<string, unknown>;
  players: [number, number] | null;
}

export interface GameInfo {
  key: string;
  name: string;
  players: [number, number];
  sections: Section[];
  presets: Preset[];
}

export interface Catalogue {
  games: GameInfo[];
  bots: string[];
}

/** What lies on the felt and who sits around it: of a room now, or of a hand long played. */
export interface Scene {
  table: Table | null;
  /** Everybody in the room, or in the hand. */
  people: Array<Pick<Person, "name" | "present" | "bot" | "playing_for" | "program">>;
  /** When the clock acts, and when a bot plays for who is away, by name. */
  deadlines: Record<string, number>;
  away: Record<string, number>;
  /** Seconds for a turn, if there is a clock. */
  turn: number | null;
  /** Whose side of the table it is. */
  me: string | null;
  /** What only they may read. */
  panels: Panel[];
  /** Whether cards are played, and no result is shown. */
  playing: boolean;
  /** The room for it. */
  size: Model["felt"];
}

export interface Frame {
  by: string | null;
  action: Action | null;
  events: GameEvent[];
  table: Table;
  cards: Record<string, string>;
}

/** What the drawing functions get: the model, and ways to ask for something. */
export interface Desk {
  model: Model;
  update: Update;
  /** The games' declarations, once fetched. */
  catalogue: Catalogue | null;
  /** Change what only this page knows. */
  set(change: Partial<Model>): void;
  /** Keep a value of a small form. */
  fill(name: string, value: unknown): void;
  /** Ask the room something; what it refuses is shown. */
  ask(command: Command): Promise<boolean>;
  /** The same, but whoever asks shows what is refused. */
  request(command: Command): Promise<Answer>;
  /** Take an action of the game. */
  act(action: Action): Promise<boolean>;
  /** Tell the person something. */
  tell(text: string, bad?: boolean): void;
  /** Fetch the declarations if they aren't here yet. */
  declarations(): void;
}

/** A sentence as data: its key in the catalogue, and what fills its places. */
export interface Said {
  key: string;
  values: Record<string, unknown>;
}

/** Several words as a sentence has them. */
export interface Listed {
  list: "and" | "or" | "space";
  of: unknown[];
}
