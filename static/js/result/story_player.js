// @ts-check
// The story of a finished match: fetched once, announced, and shown scene by scene when somebody asks for it.
// They can leave it at any time, and the next match ends it.

import { isMotionAllowed } from "../animation/overlay.js";
import { labelled } from "../lib/messages.js";

/** @import { MatchScene, Model, Update } from "../types.d.ts" */

/** Duration of a scene, and an addition for each character, in milliseconds. */
const SEEN = 2200;
const PER_CHARACTER = 32;
/** Requests to a busy server, and the pause between them in milliseconds. */
const MAX_TRIES = 4;
const RETRY_AFTER = 3000;

/** Return the duration of a scene in milliseconds. @param {MatchScene} scene */
export function sceneDuration({ text }) {
  return SEEN + PER_CHARACTER * text.length;
}

/** Replace old names in a scene with the current names. @param {MatchScene} scene @param {Update["room"]} room @returns {MatchScene} */
export function withCurrentNames(scene, { people }) {
  const called = new Map(people.flatMap(({ name, known }) => (known === undefined ? [] : [[known, name]])));
  const anew = (/** @type {string} */ text) =>
    [...called].reduce((words, [known, name]) => replaceName(words, known, name), text);
  return {
    ...scene,
    names: scene.names.map((name) => called.get(name) ?? name),
    heading: anew(scene.heading),
    text: anew(scene.text),
  };
}

const LETTER = /[\p{L}\p{N}]/u;

/** Replace a name in a text, except inside other words. @param {string} text @param {string} known @param {string} name */
function replaceName(text, known, name) {
  const [first = "", ...rest] = text.split(known);
  let before = first;
  return rest.reduce((made, after) => {
    const part = LETTER.test(before.at(-1) ?? "") || LETTER.test(after.at(0) ?? "");
    before = after;
    return made + (part ? known : name) + after;
  }, first);
}

/** Fetch the story, on a television in the language of its address. @param {string} match @returns {Promise<MatchScene[]>} */
async function fetchStory(match) {
  const answer = await fetch(`/api/matches/${match}/story${location.search}`);
  if (!answer.ok) throw new Error(`the story: ${answer.status}`);
  return (await answer.json()).scenes;
}

/** Shows the story of the match that has just ended. */
export class StoryPlayer {
  /** @type {string | null} Id of the match whose story is loaded or requested. */
  #match = null;
  #timer = 0;

  /**
   * @param {() => Model["tale"]} tale returns the current story
   * @param {(tale: Model["tale"]) => void} set
   * @param {(text: string) => void} say announces a text to screen readers
   * @param {{ ask: (match: string) => Promise<MatchScene[]>, moves: () => boolean, set: (done: () => void, ms: number) => number,
   *   clear: (id: number) => void }} [world]
   */
  constructor(tale, set, say, world) {
    this.tale = tale;
    this.set = set;
    this.say = say;
    this.world = world ?? {
      ask: fetchStory,
      moves: isMotionAllowed,
      set: (done, ms) => window.setTimeout(done, ms),
      clear: (id) => window.clearTimeout(id),
    };
  }

  /** Load the story when a match ends, and drop it when the next begins. @param {Update} update */
  onUpdate({ room }) {
    const match = room.phase === "finished" ? room.match_id : null;
    if (match === this.#match) return;
    this.#match = match;
    this.world.clear(this.#timer);
    if (this.tale() !== null) this.set(null);
    if (match !== null) void this.#fetch(room, match, MAX_TRIES);
  }

  /** Show the next scene. After the last scene, show the result again. */
  nextScene = () => {
    const tale = this.tale();
    if (tale === null || tale.at === null) return;
    if (tale.at + 1 >= tale.scenes.length) this.endShow();
    else this.#show(tale.at + 1);
  };

  /** End the show and return to the result. */
  endShow = () => {
    const tale = this.tale();
    this.world.clear(this.#timer);
    if (tale !== null) this.set({ ...tale, at: null });
  };

  /** Start the show from the first scene. */
  startShow = () => this.#show(0);

  /** @param {Update["room"]} room @param {string} match @param {number} tries */
  async #fetch(room, match, tries) {
    const got = await this.world.ask(match).catch(() => null);
    if (this.#match !== match) return;
    if (got === null) {
      // The result is complete without the story, so a retry can wait.
      if (tries > 1) this.#timer = this.world.set(() => void this.#fetch(room, match, tries - 1), RETRY_AFTER);
      return;
    }
    if (got.length === 0) return;
    const scenes = got.map((scene) => withCurrentNames(scene, room));
    this.set({ match, scenes, at: null });
    for (const { heading, text } of scenes) this.say(labelled(heading, text));
  }

  /** @param {number} at */
  #show(at) {
    const tale = this.tale();
    const scene = tale?.scenes[at];
    if (!tale || scene === undefined) return;
    this.world.clear(this.#timer);
    this.set({ ...tale, at });
    // With reduced motion, scenes change only by a press.
    if (this.world.moves()) this.#timer = this.world.set(this.nextScene, sceneDuration(scene));
  }
}
