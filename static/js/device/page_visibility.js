// @ts-check
// Tells the server whether this page is in sight: who has none in sight may be called when it is their turn.

export class VisibilityReporter {
  /**
   * @param {(visible: boolean) => void} tell
   * @param {() => boolean} visible whether the page is in sight now
   */
  constructor(tell, visible) {
    this.tell = tell;
    this.visible = visible;
    /** What the server believes; null before there was a line. @type {boolean | null} */
    this.told = null;
  }

  /** There is a line, perhaps a new one: one that is told nothing counts as in sight. */
  onConnected() {
    // What was told on the line before may be on its way still.
    const first = this.told === null;
    this.told = first ? true : null;
    this.reportIfChanged();
  }

  /** The page has come in sight, or has gone; or nothing of that. */
  reportIfChanged() {
    const now = this.visible();
    if (now === this.told) return;
    this.told = now;
    this.tell(now);
  }
}
