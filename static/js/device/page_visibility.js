// @ts-check
// Tells the server whether this page is visible. A player without a visible page may get a notification on their turn.

export class VisibilityReporter {
  /**
   * @param {(visible: boolean) => void} tell
   * @param {() => boolean} visible whether the page is visible now
   */
  constructor(tell, visible) {
    this.tell = tell;
    this.visible = visible;
    /** The visibility that the server assumes; null before the first connection. @type {boolean | null} */
    this.told = null;
  }

  /** Report the visibility on a new connection. The server assumes "visible" until it is told otherwise. */
  onConnected() {
    // On a reconnection always report: a message on the old connection may still be on its way.
    const first = this.told === null;
    this.told = first ? true : null;
    this.reportIfChanged();
  }

  /** Report the page's visibility, unless the server already knows it. */
  reportIfChanged() {
    const now = this.visible();
    if (now === this.told) return;
    this.told = now;
    this.tell(now);
  }
}
