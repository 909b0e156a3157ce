// Made by `python -m app schema` from what rooms, games and the web declare. Change that, not this.

/** An action of the game, in its JSON form: `{"do": "play", "cards": "7c 7d"}`. */
export type Act = {
  t: "act";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
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

/** What an action is to whoever draws buttons. */
export type ActionForm = {
  /** Whether it is what people mostly come for, of what can be done beside it. */
  main: boolean;
  /** Whether it needs more than a button: cards, a number, a name. */
  placed: boolean;
};

/** Seat a bot (host). */
export type AddBot = {
  t: "add_bot";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
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
  /** The refusal in English. */
  message?: string | null;
  /** Of its sentence in the catalogue, for another language. */
  key?: string | null;
  /** What fills the places of that sentence. */
  values?: Record<string, any> | null;
  /** The id of the rule that refuses: its row is at /rules/{game}#{rule}. */
  rule?: string | null;
  /** What this rule is called. */
  rule_name?: string | null;
  plays?: Array<Action> | null;
};

/** Take one's seat back from the bot that plays it. (Any other message but `seed` does that too.) */
export type Back = {
  t: "back";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
};

/** Big Two: all that everybody may know of the match, whole. */
export type BigTwoTable = {
  /** What lies in the middle of the table. */
  middle: "trick" | "panels";
  /** What is to be told there, where it is no trick. */
  panels: Array<Panel>;
  /** What is out of the ordinary now. */
  signs: Array<SignShown>;
  /** What all wait for, in a sentence; null where it is a play, or goes without saying. */
  asked: string | SaidShown | ListShown | null;
  /** When a newcomer plays, in a sentence; null: from the next hand. */
  late: string | SaidShown | ListShown | null;
  /** What is counted instead of points; null where points are all there is. */
  tally: Tally | null;
  /** Which game it is. */
  game: "big_two";
  /** Of the hand, from 1; 0 before the first. */
  number: number;
  /** Where the hand is; between: it is put away, and the next not dealt. */
  phase: "between" | "deal" | "exchange" | "play" | "over";
  /** Everybody at the table, clockwise. */
  seats: Array<string>;
  /** Who dealt the last hand. */
  dealer: string | null;
  /** Those whose action is awaited. */
  to_act: Array<string>;
  /** Each seat, by name. */
  players: Record<string, TablePlayer>;
  /** Who is out so far, best first; of a hand that is over, everybody. */
  standing: Array<string | Array<string>>;
  /** How the last finished hand ended. */
  last: LastHand | null;
  /** Whether the match is. */
  over: boolean;
  /** Those with most points, when the match is over. */
  winners: Array<string>;
  /** Who has not answered a decree yet. */
  decree_waits: Array<string>;
  /** The decree that each of them may answer next, by name. */
  decrees: Record<string, string>;
  /** Whose turn it is to play or pass; null outside play. */
  turn?: string | null;
  /** 1: clockwise, the order of `seats`; -1: against it. */
  direction?: 1 | -1;
  /** Whether the ranks are upside down. */
  inverted?: boolean;
  /** From low to high, as in force now. */
  ranks?: string;
  /** Ranks that are wild. */
  wild?: string;
  /** Who leads the first trick, once that is known. */
  starter?: string | null;
  /** What lies on the table; null before a lead. */
  trick?: Trick | null;
  /** The plays of the trick before. */
  last_trick?: Array<TrickPlay> | null;
  /** The cards of finished tricks, where they stay visible; else null. */
  pile?: string | null;
  /** How many cards finished tricks have left. */
  pile_count?: number;
  /** Who gives whom how many cards, in a hand that has gifts. */
  exchange?: Gifts | null;
  /** From low to high. */
  suits?: string;
  /** When the hand is over: the cards that everybody is left with. */
  left?: Record<string, string> | null;
  /** How many cards are left to draw (BIG-33). */
  stock?: number;
  /** The card over, where three get 17 each (BIG-31). */
  odd_card?: OddCard | null;
  /** Whether any card may be the last again, as nobody could play (BIG-20). */
  ban_lifted?: boolean;
};

/** Ceausescu: all that everybody may know of the match, whole. */
export type CeausescuTable = {
  /** What lies in the middle of the table. */
  middle: "trick" | "panels";
  /** What is to be told there, where it is no trick. */
  panels: Array<Panel>;
  /** What is out of the ordinary now. */
  signs: Array<SignShown>;
  /** What all wait for, in a sentence; null where it is a play, or goes without saying. */
  asked: string | SaidShown | ListShown | null;
  /** When a newcomer plays, in a sentence; null: from the next hand. */
  late: string | SaidShown | ListShown | null;
  /** What is counted instead of points; null where points are all there is. */
  tally: Tally | null;
  /** Which game it is. */
  game: "ceausescu";
  /** Of the hand, from 1; 0 before the first. */
  number: number;
  /** Where the hand is; between: it is put away, and the next not dealt. */
  phase: "between" | "deal" | "exchange" | "play" | "over";
  /** Everybody at the table, clockwise. */
  seats: Array<string>;
  /** Who dealt the last hand. */
  dealer: string | null;
  /** Those whose action is awaited. */
  to_act: Array<string>;
  /** Each seat, by name. */
  players: Record<string, TablePlayer>;
  /** Who is out so far, best first; of a hand that is over, everybody. */
  standing: Array<string | Array<string>>;
  /** How the last finished hand ended. */
  last: LastHand | null;
  /** Whether the match is. */
  over: boolean;
  /** Those with most points, when the match is over. */
  winners: Array<string>;
  /** Who has not answered a decree yet. */
  decree_waits: Array<string>;
  /** The decree that each of them may answer next, by name. */
  decrees: Record<string, string>;
  /** Between hands: the serf who asks to go and has no answer yet (CEAU-26). */
  asks_leave?: string | null;
  /** Whose turn it is to play or pass; null outside play. */
  turn?: string | null;
  /** 1: clockwise, the order of `seats`; -1: against it. */
  direction?: 1 | -1;
  /** Whether the ranks are upside down. */
  inverted?: boolean;
  /** From low to high, as in force now. */
  ranks?: string;
  /** Ranks that are wild. */
  wild?: string;
  /** Who leads the first trick, once that is known. */
  starter?: string | null;
  /** What lies on the table; null before a lead. */
  trick?: Trick | null;
  /** The plays of the trick before. */
  last_trick?: Array<TrickPlay> | null;
  /** The cards of finished tricks, where they stay visible; else null. */
  pile?: string | null;
  /** How many cards finished tricks have left. */
  pile_count?: number;
  /** Who gives whom how many cards, in a hand that has gifts. */
  exchange?: Gifts | null;
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

/** Chase the Ace: all that everybody may know of the match, whole. */
export type ChaseTheAceTable = {
  /** What lies in the middle of the table. */
  middle: "trick" | "panels";
  /** What is to be told there, where it is no trick. */
  panels: Array<Panel>;
  /** What is out of the ordinary now. */
  signs: Array<SignShown>;
  /** What all wait for, in a sentence; null where it is a play, or goes without saying. */
  asked: string | SaidShown | ListShown | null;
  /** When a newcomer plays, in a sentence; null: from the next hand. */
  late: string | SaidShown | ListShown | null;
  /** What is counted instead of points; null where points are all there is. */
  tally: Tally | null;
  /** Which game it is. */
  game: "chase_the_ace";
  /** Of the hand, from 1; 0 before the first. */
  number: number;
  /** Where the hand is; between: it is put away, and the next not dealt. */
  phase: "between" | "deal" | "exchange" | "play" | "over";
  /** Everybody at the table, clockwise. */
  seats: Array<string>;
  /** Who dealt the last hand. */
  dealer: string | null;
  /** Those whose action is awaited. */
  to_act: Array<string>;
  /** Each seat, by name. */
  players: Record<string, TablePlayer>;
  /** Who is out so far, best first; of a hand that is over, everybody. */
  standing: Array<string | Array<string>>;
  /** How the last finished hand ended. */
  last: LastHand | null;
  /** Whether the match is. */
  over: boolean;
  /** Those with most points, when the match is over. */
  winners: Array<string>;
  /** Who has not answered a decree yet. */
  decree_waits: Array<string>;
  /** The decree that each of them may answer next, by name. */
  decrees: Record<string, string>;
  /** How many dimes each in this game has, by name; 0 for who is out. */
  dimes?: Record<string, number>;
  /** The points in the pot. */
  pot?: number;
  /** The cards that lie face up, by name. */
  shown?: Record<string, string>;
  /** Whose turn it is; null when the deal is over. */
  turn?: string | null;
  /** From low to high. */
  ranks?: string;
  /** Who has a card in this deal, in order of seats. */
  playing?: Array<string>;
  /** Newcomers, who wait for the next game. */
  waiting?: Array<string>;
  /** Who has had their turn. */
  acted?: Array<string>;
  /** Who has no turn, for they have shown why. */
  silent?: Array<string>;
  /** How many cards are left to cut from. */
  stock?: number;
  /** All cards, once the deal is over, by name. */
  revealed?: Record<string, string>;
  /** Who has lost a dime, once the deal is over. */
  lost?: Array<string>;
  /** What was cut to decide the last tie (ACE-06). */
  cuts?: Array<Cut>;
  /** Whether the game is won, so that the next deal begins a new one. */
  decided?: boolean;
};

export type ClientMessage = Join | Watch | TakeChair | Leave | Configure | Start | Act | Next | Seed | AddBot | RemoveBot | Remove | LetBotPlay | HandOver | Lock | Rematch | Stop | Back | Ready | Look | Ping;

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

/** Seconds, or null for no hurry; what is left out stays as it is. */
export type ClockChange = {
  /** For each turn. */
  turn?: number | null;
  /** From the end of a hand to the next deal. */
  pause?: number | null;
  /** Until a bot plays for somebody who is gone. */
  away?: number;
  /** Until a bot may be let play for somebody who is here and does not act. */
  patience?: number;
};

/** Change the room's settings (host; the rules only while no match runs); what is left out stays as it is. */
export type Configure = {
  t: "configure";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  game?: string | null;
  /** A preset and the switches that differ from it. */
  options?: Record<string, any> | null;
  /** How long things may take. */
  clock?: ClockChange | null;
  /** Seconds a bot seems to think. */
  bots_delay?: number | null;
};

/** How many of something a player has. */
export type Counter = {
  /** How many. */
  count: number;
  /** What one of it looks like. */
  icon: "coin" | "pack" | "deck" | "nothing";
  /** The same in words. */
  text: string | SaidShown | ListShown;
};

/** A card cut for the last tie. */
export type Cut = {
  /** Whose it is. */
  by: string;
  /** The card. */
  cards: string;
};

/** A deal by hand under way. */
export type Dealing = {
  /** Whether the pack is shuffled. */
  shuffled: boolean;
  /** Whether it was offered for the cut. */
  offered: boolean;
  /** Whether it is cut. */
  cut: boolean;
};

/** The shuffle that comes (or runs): a promise now, the proof afterwards. */
export type Fair = {
  /** The SHA-256 of the secret for the next deal, or the one that is played. */
  commitment: string;
  /** What people have added to it, as hex, by name. */
  seeds: Record<string, string>;
  /** Where the pack will be cut, if somebody has said so. */
  cut: number | null;
  /** The proof of the last deal, once it is over. */
  previous: PastDeal | null;
};

/** An exchange. */
export type Gifts = {
  /** Every gift of this hand. */
  gifts: Array<OwedGift>;
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
  /** From 1. */
  number: number;
  /** Best first; those who share a place stand in a list. */
  standing: Array<string | Array<string>>;
  /** What the hand added, by name. */
  ledger: Record<string, number>;
};

/** Make somebody else the host (host). */
export type HandOver = {
  t: "hand_over";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  name: string;
};

/** Take part under this name; a seat now or, while a hand is played, from the next deal on. */
export type Join = {
  t: "join";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  name: string;
  /** Whether one is a program, which everybody is then shown. */
  program?: boolean;
};

/** How the last finished hand ended. */
export type LastHand = {
  /** Who dealt it. */
  dealer: string;
  /** Best first; those who share a place stand in a list. */
  standing: Array<string | Array<string>>;
  /** What they are called after it, by name. */
  titles: Record<string, string>;
  /** What the hand added, by name. */
  ledger: Record<string, number>;
  /** Names of what was notable in it, in order. */
  events: Array<string>;
  /** Points after it, by name. */
  totals: Record<string, number>;
  /** Who sits where for the next hand. */
  next_seats: Array<string>;
};

/** Go away; a seat in a running hand is played by a bot until its end. */
export type Leave = {
  t: "leave";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
};

/** Let a bot play for somebody who is awaited too long (host; where it is the host who is, anybody who plays). */
export type LetBotPlay = {
  t: "let_bot_play";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  name: string;
  /** Not this turn only, but their seat until they touch it. */
  seat?: boolean;
};

/** One thing that a panel tells. */
export type Line = {
  /** Its own in this panel. */
  key: string;
  /** What it says. */
  text: string | SaidShown | ListShown;
  /** How far it is, in a word. */
  state: string | SaidShown | ListShown | null;
  /** Whether it is over and done with. */
  done: boolean;
  /** What stands for it in a picture. */
  icon: "coin" | "pack" | "deck" | "nothing" | null;
};

/** Several texts as a sentence has them. */
export type ListShown = {
  /** Each a text again. */
  of: Array<any>;
  /** How they stand together. */
  list: "and" | "or" | "space";
};

/** Lock the room, or open it again (host): while it is locked, nobody new comes in. */
export type Lock = {
  t: "lock";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  locked?: boolean;
};

/** How could these cards of mine be played now? For seats whose `legal` is too long to list (`more`). */
export type Look = {
  t: "look";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  /** Such as “7c 7d”. */
  cards: string;
};

/** Deal the next hand now. */
export type Next = {
  t: "next";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
};

/** The card over. */
export type OddCard = {
  /** Who took it. */
  by: string;
  /** The card, if it lay face up. */
  card: string | null;
};

/** A gift that this seat still has to choose. */
export type Owed = {
  /** Who gets it. */
  to: string;
  /** How many cards. */
  count: number;
  /** Which cards. */
  which: "best" | "worst" | "any";
};

/** What one player owes another in an exchange. */
export type OwedGift = {
  /** Who gives. */
  from: string;
  /** Who gets it. */
  to: string;
  /** How many cards. */
  count: number;
  /** Which cards of the giver’s. */
  which: "best" | "worst" | "any";
  /** Whether the cards are chosen. */
  chosen: boolean;
  /** Whether they have changed hands. */
  done: boolean;
};

/** Two who collude. */
export type Pair = {
  /** The two. */
  two: Array<string>;
  /** How many cards each offers, by name. */
  offers: Record<string, number>;
  /** Who agrees to the swap. */
  agreed: Array<string>;
  /** Who wants no other. */
  done: Array<string>;
};

/** Several things that belong together, to be read or seen. */
export type Panel = {
  /** Its own in this game. */
  key: string;
  /** What it is about. */
  title: string | SaidShown | ListShown | null;
  /** list: lines of text; things: their icons, and the text below. */
  look: "list" | "things";
  /** In order. */
  lines: Array<Line>;
};

/** What has to be said with an action that is listed without it. */
export type Particulars = {
  /** The most cards; null: any number. */
  most: number | null;
  /** Whether it says what the cards are (`claim`), truly or not. */
  claim: boolean;
};

/** The one with whom one colludes. */
export type Partner = {
  /** Who it is. */
  name: string;
  /** What they hold. */
  cards: string;
  /** What they offer. */
  offer: string;
};

/** What proves the last deal. */
export type PastDeal = {
  /** The SHA-256 of the secret, as promised. */
  commitment: string;
  /** The server’s part of the chance, as hex. */
  secret: string;
  /** The players’ parts, as hex, by name. */
  seeds: Record<string, string>;
  /** Where the pack was cut, if it was. */
  cut: number | null;
  /** The deck as shuffled. */
  pack: string;
};

/** Somebody in the room. */
export type Person = {
  /** Nobody else here has it. */
  name: string;
  /** waiting: joins at the next hand. */
  role: "seated" | "waiting" | "watcher";
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
  t: "ping";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
};

/** President: all that everybody may know of the match, whole. */
export type PresidentTable = {
  /** What lies in the middle of the table. */
  middle: "trick" | "panels";
  /** What is to be told there, where it is no trick. */
  panels: Array<Panel>;
  /** What is out of the ordinary now. */
  signs: Array<SignShown>;
  /** What all wait for, in a sentence; null where it is a play, or goes without saying. */
  asked: string | SaidShown | ListShown | null;
  /** When a newcomer plays, in a sentence; null: from the next hand. */
  late: string | SaidShown | ListShown | null;
  /** What is counted instead of points; null where points are all there is. */
  tally: Tally | null;
  /** Which game it is. */
  game: "president";
  /** Of the hand, from 1; 0 before the first. */
  number: number;
  /** Where the hand is; between: it is put away, and the next not dealt. */
  phase: "between" | "deal" | "exchange" | "play" | "over";
  /** Everybody at the table, clockwise. */
  seats: Array<string>;
  /** Who dealt the last hand. */
  dealer: string | null;
  /** Those whose action is awaited. */
  to_act: Array<string>;
  /** Each seat, by name. */
  players: Record<string, TablePlayer>;
  /** Who is out so far, best first; of a hand that is over, everybody. */
  standing: Array<string | Array<string>>;
  /** How the last finished hand ended. */
  last: LastHand | null;
  /** Whether the match is. */
  over: boolean;
  /** Those with most points, when the match is over. */
  winners: Array<string>;
  /** Who has not answered a decree yet. */
  decree_waits: Array<string>;
  /** The decree that each of them may answer next, by name. */
  decrees: Record<string, string>;
  /** Whose turn it is to play or pass; null outside play. */
  turn?: string | null;
  /** 1: clockwise, the order of `seats`; -1: against it. */
  direction?: 1 | -1;
  /** Whether the ranks are upside down. */
  inverted?: boolean;
  /** From low to high, as in force now. */
  ranks?: string;
  /** Ranks that are wild. */
  wild?: string;
  /** Who leads the first trick, once that is known. */
  starter?: string | null;
  /** What lies on the table; null before a lead. */
  trick?: Trick | null;
  /** The plays of the trick before. */
  last_trick?: Array<TrickPlay> | null;
  /** The cards of finished tricks, where they stay visible; else null. */
  pile?: string | null;
  /** How many cards finished tricks have left. */
  pile_count?: number;
  /** Who gives whom how many cards, in a hand that has gifts. */
  exchange?: Gifts | null;
  /** How far a deal by hand is; else null (PRES-41). */
  dealing?: Dealing | null;
  /** Whether the trick waits for the bottom to clear it (PRES-40). */
  waits_for_clearing?: boolean;
  /** Who has touched the pile, in order (PRES-40). */
  touched?: Array<string>;
  /** The card turned up of each pile, by who got it (PRES-37). */
  exposed?: Record<string, string>;
  /** The trade of the two merchants, while it lasts (PRES-38). */
  trade?: Trade | null;
  /** Those who collude; empty where nobody does (PRES-38). */
  pairs?: Array<Pair>;
};

/** Say in the waiting room whether one is ready to begin; the host sees it, and starts when they like. */
export type Ready = {
  t: "ready";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  ready?: boolean;
};

/** Back to the waiting room with the same people, once the match is over (host). */
export type Rematch = {
  t: "rematch";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
};

/** Take a person's seat (host): they may watch, and take one again. */
export type Remove = {
  t: "remove";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  name: string;
  /** Keep them out of the room, too. */
  ban?: boolean;
};

/** Take a bot away (host): now, or when the hand is over. */
export type RemoveBot = {
  t: "remove_bot";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  name: string;
};

/** All that everybody may know of the room, whole. */
export type Room = {
  /** As in `GET /api/games`. */
  game: string;
  /** The bundle of switches that the options began with. */
  preset: string;
  /** The value of every switch. */
  options: Record<string, any>;
  /** Those that differ from the preset. */
  differences: Record<string, any>;
  /** How long things may take. */
  clock: Clock;
  /** Seconds that a bot seems to think. */
  bots_delay: number;
  /** The fewest who can play. */
  min: number;
  /** The most. */
  max: number;
  /** Whether nobody new may come in. */
  locked: boolean;
  /** The room’s, as in its address. */
  code: string;
  /** The secret part of the link to share, /j/{invite}. */
  invite: string;
  /** pause: between two hands. */
  phase: "lobby" | "playing" | "pause" | "finished";
  /** Whether the match was ended before its rules said so. */
  stopped: boolean;
  /** Who has the host’s powers. */
  host: string | null;
  /** Everybody with a name here, in the order in which they came. */
  people: Array<Person>;
  /** Sockets of those who only watch, without a name. */
  watchers: number;
  /** Who can get one. */
  chairs: Chairs;
  /** Whether a match, or its next hand, can begin with those who are here. */
  can_start: boolean;
  /** The sentence that says why not. */
  why_not: string | null;
  /** Of the match that runs or ran last: /matches/{match_id}. */
  match_id: string | null;
  /** The last finished hands of this match. */
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
  /** What makes the shuffle one that anybody can check. */
  fair: Fair;
};

/** A sentence by its key in the catalogue, to be said in any language. */
export type SaidShown = {
  /** Its key. */
  key: string;
  /** What fills its places, by name. */
  values: Record<string, any>;
};

/** Add some chance of one's own to the next shuffle. */
export type Seed = {
  t: "seed";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  value: string;
};

export type ServerMessage = Update | Answer | Goodbye;

/** Something out of the ordinary that holds now. */
export type SignShown = {
  /** Its own in this game. */
  key: string;
  /** One character, for the eye alone. */
  icon: string;
  /** What it says, in a few words. */
  text: string | SaidShown | ListShown;
  /** Whether it changes what may be played. */
  hot: boolean;
};

/** Begin the match with those who are seated (host). */
export type Start = {
  t: "start";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
};

/** End the match here (host). */
export type Stop = {
  t: "stop";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
};

export type Table = PresidentTable | CeausescuTable | BigTwoTable | ChaseTheAceTable;

/** What everybody may know of one player at the table. */
export type TablePlayer = {
  /** passed: they passed on this trick; out: they have a place in this hand; left: they play no more in this game; waits: they play from the next game. */
  state: "passed" | "out" | "left" | "waits" | null;
  /** What this game counts at the seats. */
  counter: Counter | null;
  /** What lies before them, in a game that is not played from a hand: a card, or empty if face down. */
  lies: string | null;
  /** How many they hold. */
  cards: number;
  /** What they are called, by the hierarchy. */
  title: string | null;
  /** In the hierarchy, 1 for the top; null before there is one. */
  place: number | null;
  /** Points so far. */
  total: number;
};

/** Have the chair of a bot: in the waiting room now, in a match from the next deal on. */
export type TakeChair = {
  t: "take_chair";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
  name: string;
};

/** What a game counts instead of points, for a result that anybody can read. */
export type Tally = {
  /** What is counted. */
  name: string | SaidShown | ListShown;
  /** What one of it looks like. */
  icon: "coin" | "pack" | "deck" | "nothing";
  /** How many everybody has, by name. */
  each: Record<string, number>;
  /** How many everybody began with. */
  most: number;
  /** Who has just lost one. */
  lost: Array<string>;
  /** What came of the hand, in a sentence; null until it is over. */
  told: string | SaidShown | ListShown | null;
  /** Whether this hand brought points, too. */
  points: boolean;
};

/** Two merchants who haggle. */
export type Trade = {
  /** The two. */
  merchants: Array<string>;
  /** The rank that each says they offer, by name. */
  claims: Record<string, string>;
  /** Who agrees to the swap. */
  agreed: Array<string>;
  /** Whether one has broken off, so that each gives a card unseen. */
  broken_off: boolean;
};

/** A trick under way. */
export type Trick = {
  /** In order; the last is to be beaten. */
  plays: Array<TrickPlay>;
  /** Those whose latest act in this trick was a pass. */
  passed: Array<string>;
  /** Those who may not act again before it is over. */
  barred: Array<string>;
};

/** One play of a trick. */
export type TrickPlay = {
  /** The rank or the like that it counts as, if it has one. */
  as?: string;
  /** Who played it. */
  by: string;
  /** Such as “7c 7d”. */
  cards: string;
  /** What it counts as: `single`, `pair` … */
  kind: string;
  /** What was called with it. */
  call?: string;
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
  /** In the first only: what each action is, by its `do`. */
  actions?: Record<string, ActionForm> | null;
  /** In the first only: what happened in this hand so far, for the log. */
  earlier?: Array<Record<string, any>> | null;
  you: You;
};

/** Stand up and watch: now if no hand is played, else when it is over. */
export type Watch = {
  t: "watch";
  /** Chosen by the client. The same id again gets the same answer, and acts once. */
  id: string;
};

/** What only this seat may know; a watcher's is almost empty. */
export type You = {
  /** One’s own name here; null before joining. */
  name: string | null;
  /** What one holds. */
  cards?: string;
  /** What one may do now, ready to be sent back as `action`. */
  legal?: Array<Action>;
  /** Whether more is legal than is listed: ask with `look`. */
  more?: boolean;
  /** What one may do besides, at one’s own time: nobody waits for it. */
  may?: Array<Action>;
  /** Those whom one may give orders. */
  subjects?: Array<string>;
  /** Whether there are any. */
  decree?: boolean;
  /** As in `people`. */
  role: "seated" | "waiting" | "watcher" | null;
  /** Whether one is the host. */
  host: boolean;
  /** When the clock acts for one. */
  deadline?: number | null;
  /** Whether the server knows who asks. */
  person: boolean;
  /** For whom one may let a bot play, and from when on. */
  helps?: Record<string, number>;
  /** What happened that only this seat may know. */
  events?: Array<Record<string, any>>;
  /** What is asked of them now, in a sentence; null where it is a play or a gift. */
  asked?: string | SaidShown | ListShown | null;
  /** What their actions are called now, by `do`, where it is not as always. */
  labels?: Record<string, string | SaidShown | ListShown>;
  /** By `do`. */
  particulars?: Record<string, Particulars>;
  /** What only they may read. */
  panels?: Array<Panel>;
  /** The gifts to be chosen now, in one action for all of them. */
  owes?: Array<Owed> | null;
  /** The cards that one has put down in a trade or for a partner. */
  offer?: string;
  /** The partner in collusion, during the exchange. */
  partner?: Partner;
};
