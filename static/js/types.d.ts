// What the page keeps, and the wire's messages (made by `make types`) with what each game adds to table and seat. For tsc only:
// nothing here reaches a browser.

import type * as Wire from "../../build/protocol.d.ts";

export type Place = string | string[];

/** What may be read of any of these, whichever it is: keys that only some have may be missing. */
type Either<All, Key extends PropertyKey = All extends unknown ? keyof All : never> = Pick<All, keyof All> & {
  [K in Key]?: All extends unknown ? (K extends keyof All ? All[K] : never) : never;
};

/** An action of any game: the page knows no name of one. */
export type Action = Omit<Either<Wire.Action>, "do"> & { do: string };
/** The table of any game. */
export type Table = Either<Wire.Table>;
export type GameEvent = Wire.Event;
export type TablePlayer = Wire.TablePlayer;
export type Play = Wire.TrickPlay;
export type Trick = Wire.TrickShown;
export type Gift = Wire.OwedGift;
export type HandEnd = Wire.LastHand;
export type Reason = Wire.ReasonShown;
export type Panel = Wire.Panel;
export type Tally = Wire.Tally;
export type Counter = Wire.Counter;
export type Icon = Counter["icon"];
/** Somebody, by the name that is read; `known`: what the match knows them as, where that is another (net/display_names.js). */
export type Person = Wire.PersonShown & { known?: string };
export type Room = Omit<Wire.Room, "people"> & { people: Person[] };

export type You = Omit<Wire.You, "legal" | "may"> & { legal?: Action[]; may?: Action[] };
export type Owes = Wire.Owed;
export type Said = Wire.SaidShown;
export type Listed = Wire.ListShown;

/** What an action is done with. */
export type Control = Wire.ActionForm["control"];

/** The server's update as it comes, whichever game it is. */
export type Told = Omit<Wire.Update, "room" | "table" | "you" | "changed"> & {
  room?: Room;
  table?: Table | null;
  you?: You;
  changed?: { room?: Partial<Room>; table?: Partial<Table>; you?: Partial<You> };
};
/** An update with all that this connection was shown: the whole picture. */
export type Update = Omit<Told, "changed"> & {
  room: Room;
  table: Table | null;
  you: You;
  /** What each action is, by its `do`. */
  actions: Record<string, Wire.ActionForm>;
  /** How loud events are, by their `e`. */
  tones: NonNullable<Wire.Update["tones"]>;
  /** What is seen to move as events happen, by their `e`. */
  motions: Record<string, Motion>;
};
export type Motion = Wire.Movement;
/** Where cards are (engine/display/animations.py). */
export type Where = NonNullable<Motion["ways"]>[number][number];
export type Answer = Wire.Answer;
export type Prospect = Omit<Wire.Prospect, "action"> & { action: Action };
export type Reaction = Wire.React["reaction"];
/** What people tell each other beside the game. */
export type Aside = Wire.Reacted | Wire.Chat;
export type ChatLine = Wire.ChatLine;
export type Quick = NonNullable<ChatLine["quick"]>;
export type FromServer = Told | Answer | Wire.Notice | Aside | Wire.Goodbye;

/** What the page asks of the room; the connection gives it an id. */
export type Command = Unanswering<Unsent<Exclude<Wire.ClientMessage, Wire.Act>>> | { t: Wire.Act["t"]; action: Action };
/** Without what it answers, which net/command_context.js adds from what the page shows. */
type Unanswering<Each> = Each extends { commitment: string; hash: string }
  ? Each
  : Each extends unknown
    ? Omit<Each, "commitment" | "question" | "request">
    : never;
type Unsent<Message> = Message extends unknown ? Omit<Message, "id"> : never;

export type Link = "connecting" | "open" | "lost" | "gone";

export interface LogLine {
  id: number;
  text: string;
  kind: string;
  hand: number;
}

/** A word to the person (see model/notice_timeout.js). */
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

/** In which order one's cards stand: by rank, by suit, those of one rank together, or as one puts them. */
export type Sort = "rank" | "suit" | "sets" | "own";

/** Cards of one's own that are drawn: along the hand, to be chosen, or away from it. */
export interface Drag {
  how: "run" | "carry";
  /** Slots of the cards that are carried. */
  ids: string[];
  /** What they are held over. */
  over: "hand" | "felt" | null;
  /** How many others would stand before them if they were put there. */
  to: number | null;
}

/** All that the page of a room knows. */
export interface Model {
  update: Update | null;
  link: Link;
  /** What everybody should read now, as long as it stands; "" if there is nothing. */
  stands: string;
  /** Why the last deal was not fair; "" if nothing was found. It stands until a later deal was. */
  unfair: string;
  /** Server's clock less ours, in ms. */
  offset: number;
  /** What has happened and is yet to be told (events/log_lines.js), in which hand, and whether one was here when it did. */
  untold: { event: GameEvent; hand: number; news: boolean }[];
  log: LogLine[];
  /** Whether the server has not answered a press for almost two seconds, though the connection looks open. */
  slow: boolean;
  /** Whether the host has changed the rules since I said that I am ready, or came in. */
  rulesChanged: boolean;
  /** What was said last, newest last: the line under the trick. */
  latest: string[];
  /** Whether something great was among it, and is celebrated. */
  great: boolean;
  /** Slots of own cards chosen (see model/card_selection.js). */
  chosen: string[];
  /** Slots of own cards that have come in mid-hand, or as a gift, and that nobody has touched yet. */
  fresh: string[];
  /** The slot that Tab comes to; from there the arrows walk. null: the first. */
  stop: string | null;
  /** Chosen for a certain person, when several are owed gifts. */
  basket: Record<string, string[]>;
  /** Answers to `look`, by the cards asked about. */
  looked: Record<string, Action[]>;
  /** Ids of commands that wait for their answer. */
  waiting: Record<string, string>;
  notice: Notice | null;
  /** What people show each other just now. */
  reactions: { id: string; by: string; reaction: Reaction | null; words: string }[];
  /** What people have said, and how many lines of it one has not seen. */
  /** `unread`: which lines are marked as new, by what tells them apart (chat/incoming.js). */
  chat: { lines: ChatLine[]; unread: string[] };
  sheet: string | null;
  /** The play that one is asked about before it is made, as one likes it. */
  sure: Action | null;
  /** The chosen cards, where they are to be played as soon as it is one's turn (model/premove.js). */
  ahead: string | null;
  /** What one has let the page pass for: until one can beat what lies there, or until this trick ends (model/auto_pass.js). */
  passing: { until: "beats" | "trick"; trick: string | null } | null;
  /** Whether a newcomer only wants to watch. */
  watching: boolean;
  /**
   * The room for the felt in pixels (0 if it isn't known yet), how much larger than usual the text on it is, and whether the
   * page is wide for such text, and scrolls. It decides between a ring of seats and rows of them, and how many cards stand in a row.
   */
  felt: { width: number; height: number; text: number; wide: boolean; tall: boolean; scrolls: boolean };
  sort: Sort;
  /** What one's cards make together, largest first, as it was when one could lead any of it in this hand. */
  groups: string[][];
  drag: Drag | null;
  /** What one may play at this moment, as far as it was asked; null where it was not. */
  prospects: { all: Prospect[]; next: number | null; failed: boolean } | null;
  /** Slots of one's cards as one has put them, of this hand; none while one has not. */
  own: string[];
  /** The story of the match that is over, once it is known, and which of its scenes is shown; null: none. */
  tale: { match: string; scenes: MatchScene[]; at: number | null } | null;
  /** The most cards held in this hand. */
  most: number;
  /** What came of asking to be called, here and with the page closed: "asking", why it could not be, or "". */
  calling: string;
  pushing: string;
  form: Record<string, unknown>;
}

/** The rule by which something was refused. */
export interface Ruled {
  id: string;
  name: string;
}

export type LessonShown = Omit<Wire.LessonShown, "updates"> & { updates: Told[] };
export type Catalogue = Wire.CatalogueShown & {
  /** House rules that one keeps, as far as they were asked for. */
  kept?: KeptRules[];
};
/** House rules under a name, as they are today (web/api/saved_rules.py). */
export interface KeptRules {
  id: string;
  game: string;
  name: string;
  preset: string;
  called: string;
  changes: Record<string, unknown>;
  lines: { id: string; name: string; said: string }[];
  picture: string;
  mark: string;
  problems: string[];
  link: string | null;
  kept: number;
}
export type GameInfo = Wire.GameShown;
export type Switch = Wire.SwitchShown;
export type Domain = Switch["domain"];
export type Choice = Wire.ValueShown;

/** What lies on the felt and who sits around it: of a room now, or of a hand long played. */
/** A scene of the story of a match, in words, as the server tells it. */
export interface MatchScene {
  kind:
    | "won"
    | "rose"
    | "fell"
    | "reign"
    | "play"
    | "close"
    | "points"
    | "cost"
    | "firsts"
    | "bottom"
    | "changes"
    | "most";
  heading: string;
  text: string;
  names: string[];
  cards: string | null;
  hand: number | null;
  href: string | null;
}

export interface Scene {
  table: Table | null;
  /** Everybody in the room, or in the hand. */
  names: string[];
  /** Their colours, by name. In an imported match, which has none, colours go by the order of `names`. */
  hues: Readonly<Record<string, number>>;
  /** What they chose to look like. */
  looks: readonly import("./ui/bird_avatars.js").Looks[];
  /** Who of them is here, who plays for them and how long they have; null where a hand is long over. */
  here: Pick<Room, "people" | "deadlines" | "away" | "clock"> | null;
  /** Whose side of the table it is. */
  me: string | null;
  /** What only they may read. */
  panels: Panel[];
  /** Whether cards are played, and no result is shown. */
  playing: boolean;
  /** Whether something great has just happened. */
  great: boolean;
  /** The room for it. */
  size: Model["felt"];
  /** Whether nobody is to be seen around the felt yet, and nothing on it (animation/staged_render.js). */
  bare?: boolean;
}

export type Frame = Omit<Wire.FrameShown, "table" | "action"> & { table: Table | null; action: Action | null };

/** What the drawing functions get: the model, and ways to ask for something. */
/** What the check of a hand has found, and whether this browser's seed was left out of it (net/seed_commitment.js). */
export interface Dealing {
  verdict: import("./replay/fairness_check.js").Verdict;
  left: boolean;
  hand: number | null;
  list: import("./replay/fairness_check.js").ClosedList;
}

export interface Desk {
  model: Model;
  update: Update;
  /** The games' declarations, once fetched. */
  catalogue: Catalogue | null;
  /** Change what only this page knows. */
  set(change: Partial<Model>): void;
  /** Close this sheet with its form, unless another one is open by now: an answer may come late. */
  close(sheet: Model["sheet"]): void;
  /** Keep a value of a small form. */
  fill(name: string, value: unknown): void;
  /** Ask the room something; what it refuses is shown. */
  ask(command: Command): Promise<boolean>;
  /** The same, but whoever asks shows what is refused. */
  sendCommand(command: Command): Promise<Answer>;
  /** Take an action of the game. */
  playAction(action: Action): Promise<boolean>;
  /** Tell the person something. */
  showNotice(text: string, bad?: boolean): void;
  /** To ask what may be played; null where there is nobody to ask. */
  prospects: import("./model/playable_list.js").PlayableList | null;
  /** Shows the story of a match; null where there is none. */
  tale: import("./result/story_player.js").StoryPlayer | null;
  /** Tell it to the ears at once. */
  say(text: string): void;
  /** Mute the table, or let it be heard; soon, where what sounds is still on its way. */
  toggleSound(): Promise<void>;
  /** What is drawn at a table once its cards can be seen; null until then. */
  after: typeof import("./pages/room_deferred.js").deferredViews | null;
  /** This browser's part in fair deals; null where nothing is dealt. */
  chance: import("./net/seed_commitment.js").SeedCommitter | null;
  /** Fetch the declarations if they aren't here yet. */
  fetchCatalogueOnce(): void;
}
