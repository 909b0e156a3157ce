// @ts-check
// The English catalogue as a server joins it: what pages say is in a file, and each rule has its own words beside it.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const OURS = `${ROOT}.venv/bin/python`;

/** Every text by its key. @returns {Record<string, string>} */
export function english() {
  const python = existsSync(OURS) ? OURS : "python3";
  return JSON.parse(execFileSync(python, ["-m", "app", "texts"], { cwd: ROOT, encoding: "utf8" }));
}
