// @ts-check
// Tells the server whether this page is visible, and whether it only watches. A player without a visible page may get a
// notification on their turn.

/** @typedef {{ visible: boolean, watches: boolean }} PageState */

export class VisibilityReporter {
  /**
   * @param {(state: PageState) => void} tell
   * @param {() => PageState} look returns the page's state now
   */
  constructor(tell, look) {
    this.tell = tell;
    this.look = look;
    /** The state that the server assumes; null before the first connection. @type {PageState | null} */
    this.told = null;
  }

  /** Report the state on a new connection. The server assumes a visible page that may join until it is told otherwise. */
  onConnected() {
    // On a reconnection always report: a message on the old connection may still be on its way.
    const first = this.told === null;
    this.told = first ? { visible: true, watches: false } : null;
    this.reportIfChanged();
  }

  /** Report the page's state, unless the server already knows it. */
  reportIfChanged() {
    const now = this.look();
    if (now.visible === this.told?.visible && now.watches === this.told.watches) return;
    this.told = now;
    this.tell(now);
  }
}
