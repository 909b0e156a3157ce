// @ts-check
// A reporter of `node --test` that lists failures for tests/closing.py: place, tab, command.

import { relative } from "node:path";

/**
 * Yield a line for each test that failed.
 * @param {AsyncIterable<{ type: string, data: { file?: string, line?: number, details?: { type?: string } } }>} events
 */
export default async function* failures(events) {
  for await (const { type, data } of events) {
    if (type !== "test:fail" || data.file === undefined || data.details?.type === "suite") continue;
    const file = relative(".", data.file);
    yield `failed: ${file}:${data.line ?? 1}\tnode --test ${file}\n`;
  }
}
