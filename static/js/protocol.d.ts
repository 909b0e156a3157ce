// Made by `python -m app schema` from app/web/protocol.py. Change that file, not this one.

/** An action of the game. */
export type Act = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "act";
  action: Action;
};

/** An action of a game. `by` stands only in records. */
export type Action = {
  do: "play";
  as?: string;
  call?: string;
  /** Such as “7c 7d”. */
  cards?: string;
  by?: string;
} | {
  do: "pass";
  by?: string;
} | {
  do: "give";
  /** Such as “7c 7d”. */
  cards?: string;
  to?: string | Record<string, string>;
  by?: string;
} | {
  do: "say";
  have?: string;
  want?: string;
  by?: string;
} | {
  do: "offer";
  /** Such as “7c 7d”. */
  cards?: string;
  claim?: string;
  by?: string;
} | {
  do: "agree";
  by?: string;
} | {
  do: "break_off";
  by?: string;
} | {
  do: "done";
  by?: string;
} | {
  do: "clear";
  by?: string;
} | {
  do: "touch";
  by?: string;
} | {
  do: "shuffle";
  by?: string;
} | {
  do: "offer_cut";
  by?: string;
} | {
  do: "cut";
  at?: number;
  by?: string;
} | {
  do: "deal";
  first?: string;
  by?: string;
} | {
  do: "keep";
  by?: string;
} | {
  do: "swap";
  by?: string;
} | {
  do: "decree";
  text?: string;
  to?: string | Record<string, string>;
  by?: string;
} | {
  do: "obey";
  by?: string;
} | {
  do: "defy";
  by?: string;
} | {
  do: "join";
  by?: string;
} | {
  do: "leave";
  by?: string;
} | {
  do: "ask_leave";
  by?: string;
} | {
  do: "dispense";
  by?: string;
} | {
  do: "refuse";
  by?: string;
};

/** Seat a bot (host). */
export type AddBot = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "add_bot";
  kind?: string;
  name?: string | null;
};

/** The answer to one message, found by its id. */
export type Answer = {
  t: "answer";
  id: string | null;
  ok: boolean;
  seq?: number | null;
  code?: string | null;
  message?: string | null;
  /** The id of the rule that refuses: its row is at /rules/{game}#{rule}. */
  rule?: string | null;
  /** What this rule is called. */
  rule_name?: string | null;
  plays?: Array<Action> | null;
};

/** Take one's seat back from the bot that plays it. (Any other message but `seed` does that too.) */
export type Back = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "back";
};

/** Who can get a chair. */
export type Chairs = {
  /** How many more could play the next hand. */
  free: number;
  /** Bots whose chairs may be taken (`take_chair`). */
  bots: Array<string>;
  /** Those who wait and play from the next deal on. */
  coming: Array<string>;
};

export type ClientMessage = Join | Watch | TakeChair | Leave | Configure | Start | Act | Next | Seed | AddBot | RemoveBot | Remove | HandOver | Rematch | Stop | Back | Ready | LetBotPlay | Look | Ping;

/** Seconds, or null for no hurry. */
export type Clock = {
  /** For each turn. */
  turn: number | null;
  /** From the end of a hand to the next deal. */
  pause: number | null;
  /** Until a bot plays for somebody who is gone. */
  away: number;
  /** Until a bot may be let play for somebody who is here and does not act. */
  patience: number;
};

/** Change the room's settings (host; the rules only while no match runs); what is left out stays as it is. */
export type Configure = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "configure";
  game?: string | null;
  /** A preset and the switches that differ from it. */
  options?: Record<string, any> | null;
  /** turn, pause: seconds or null; away, patience: seconds. */
  clock?: Record<string, any> | null;
  /** Seconds a bot seems to think. */
  bots_delay?: number | null;
};

/** Every gift of the exchange that runs. */
export type Exchange = {
  gifts: Array<Gift>;
  [more: string]: any;
};

/** The shuffle that comes (or runs): a promise now, the proof afterwards. */
export type Fair = {
  commitment: string;
  seeds: Record<string, string>;
  cut: number | null;
  previous: PastDeal | null;
};

/** What one player owes another in an exchange. */
export type Gift = {
  from: string;
  to: string;
  count: number;
  which: "best" | "any" | "worst";
  chosen: boolean;
  done: boolean;
  [more: string]: any;
};

/** The last frame before the server closes the socket. Without `retry_ms`, coming back would change nothing. */
export type Goodbye = {
  t: "goodbye";
  reason: "restart" | "trouble" | "too_fast" | "too_many" | "bad_messages" | "no_room" | "no_session" | "removed";
  /** Come back after so many milliseconds. */
  retry_ms?: number | null;
};

/** One finished hand of this match. */
export type HandLine = {
  number: number;
  standing: Array<string | Array<string>>;
  ledger: Record<string, number>;
};

/** Make somebody else the host (host). */
export type HandOver = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "hand_over";
  name: string;
};

/** Take part under this name. */
export type Join = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "join";
  name: string;
  /** Whether one is a program, which everybody is then shown. */
  program?: boolean;
};

/** Go away. */
export type Leave = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "leave";
};

/** Let a bot play for somebody who is awaited too long (host; where it is the host who is, anybody who plays). */
export type LetBotPlay = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "let_bot_play";
  name: string;
  /** Not this turn only, but their seat until they touch it. */
  seat?: boolean;
};

/** How could these cards of mine be played now? For seats whose `legal` is too long to list (`more`). */
export type Look = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "look";
  /** Such as “7c 7d”. */
  cards: string;
};

/** Deal the next hand now. */
export type Next = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "next";
};

/** A gift that this seat still has to choose. */
export type Owed = {
  to: string;
  count: number;
  which: "best" | "any" | "worst";
  [more: string]: any;
};

/** What proves the last deal. */
export type PastDeal = {
  commitment: string;
  secret: string;
  seeds: Record<string, string>;
  cut: number | null;
  pack: string;
};

/** Somebody in the room. */
export type Person = {
  name: string;
  /** waiting: joins at the next hand. */
  role: "seated" | "watcher" | "waiting";
  /** Whether a socket of theirs is open. */
  present: boolean;
  /** The kind of a bot that sits here. */
  bot: string | null;
  /** The kind of a bot that plays this seat while its person is away. */
  playing_for: string | null;
  /** Turns missed in a row. */
  missed: number;
  /** What becomes of them before the next deal. */
  going: "gone" | "watcher" | null;
  /** Whether this person says that they are a program. */
  program: boolean;
  /** In the waiting room: whether they said that they are ready. Bots always are. */
  ready: boolean;
  /** The bot whose chair they have from the next deal on. */
  chair: string | null;
  /** Whether the host took the seat that they are about to leave. */
  unseated: boolean;
};

/** Are you there? */
export type Ping = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "ping";
};

/** Say in the waiting room whether you are ready to begin. */
export type Ready = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "ready";
  ready?: boolean;
};

/** Back to the waiting room with the same people, once the match is over (host). */
export type Rematch = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "rematch";
};

/** Take a person's seat (host): they may watch, and take one again. */
export type Remove = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "remove";
  name: string;
  /** Keep them out of the room, too. */
  ban?: boolean;
};

/** Take a bot away (host). */
export type RemoveBot = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "remove_bot";
  name: string;
};

/** All that everybody may know of the room, whole. */
export type Room = {
  code: string;
  invite: string;
  phase: "lobby" | "playing" | "pause" | "finished";
  game: string;
  preset: string;
  options: Record<string, any>;
  differences: Record<string, any>;
  clock: Clock;
  bots_delay: number;
  /** Whether the match was ended before its rules said so. */
  stopped: boolean;
  host: string | null;
  people: Array<Person>;
  watchers: number;
  chairs: Chairs;
  min: number;
  max: number;
  can_start: boolean;
  why_not: string | null;
  match_id: string | null;
  hands: Array<HandLine>;
  /** Epoch milliseconds, by name. */
  deadlines: Record<string, number>;
  /** When a bot plays for them, by name. */
  away: Record<string, number>;
  /** Since when they have been waited for, by name. */
  waits: Record<string, number>;
  /** When the powers of a host who is away pass on. */
  host_at: number | null;
  /** When the next hand is dealt by itself. */
  next_at: number | null;
  /** From when on anybody may ask for the next hand. */
  next_open_at: number | null;
  fair: Fair;
};

/** Add some chance of one's own to the next shuffle. */
export type Seed = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "seed";
  value: string;
};

export type ServerMessage = Update | Answer | Goodbye;

/** Begin the match (host). */
export type Start = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "start";
};

/** End the match here (host). */
export type Stop = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "stop";
};

/** All that everybody may know of the match, whole. Games add their own keys. */
export type Table = {
  game: string;
  number: number;
  phase: "between" | "deal" | "exchange" | "play" | "over";
  seats: Array<string>;
  dealer: string | null;
  to_act: Array<string>;
  players: Record<string, TablePlayer>;
  standing: Array<string | Array<string>>;
  last: Record<string, any> | null;
  over: boolean;
  winners: Array<string>;
  decree_waits: Array<string>;
  trick?: Trick | null;
  last_trick?: Array<TrickPlay> | null;
  turn?: string | null;
  direction?: 1 | -1 | null;
  inverted?: boolean | null;
  exchange?: Exchange | null;
  [more: string]: any;
};

/** One seat. */
export type TablePlayer = {
  cards: number;
  title: string | null;
  place: number | null;
  total: number;
  [more: string]: any;
};

/** Have the chair of a bot: in the waiting room now, in a match from the next deal on. */
export type TakeChair = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "take_chair";
  name: string;
};

/** What lies on the table. */
export type Trick = {
  plays: Array<TrickPlay>;
  passed: Array<string>;
  barred: Array<string>;
  [more: string]: any;
};

/** One play of a trick. */
export type TrickPlay = {
  by: string;
  cards: string;
  kind: string;
  as?: string | null;
  call?: string | null;
  [more: string]: any;
};

/** The room, the table and your seat after a change: always whole, never a difference. */
export type Update = {
  t: "update";
  seq: number;
  /** The server's clock, epoch milliseconds. */
  now: number;
  room: Room;
  table: Table | null;
  /** What happened since the update before; empty in the first. */
  events: Array<Record<string, any>>;
  /** In the first only: the version of this protocol. */
  protocol?: number | null;
  /** In the first only: what happened in this hand so far, for the log. */
  earlier?: Array<Record<string, any>> | null;
  you: You;
};

/** Stand up and watch. */
export type Watch = {
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  t: "watch";
};

/** What only this seat may know; a watcher's is almost empty. Games add their own keys. */
export type You = {
  person: boolean;
  name: string | null;
  role: string | null;
  host: boolean;
  cards?: string | null;
  legal?: Array<Action> | null;
  more?: boolean | null;
  owes?: Array<Owed> | null;
  decree?: boolean | null;
  subjects?: Array<string> | null;
  deadline?: number | null;
  /** For whom one may let a bot play, and from when on. */
  helps?: Record<string, number> | null;
  events?: Array<Record<string, any>>;
  [more: string]: any;
};
