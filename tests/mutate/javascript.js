// @ts-check
// Prints the mutants of one file of static/js as JSON: `node tests/mutate/javascript.js FILE`.
import { readFileSync } from "node:fs";
import { Instrumenter } from "@stryker-mutator/instrumenter";

// Strings are left unchanged: most are class names, and cosmic-ray does not change strings in Python either.
const excludedMutations = ["StringLiteral"];
const no = () => false;
const silent = { trace: no, debug: no, info: no, warn: no, error: no, fatal: no };
const quiet = {
  ...silent,
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
};

const name = process.argv[2] ?? "";
const files = [{ name, mutate: true, content: readFileSync(name, "utf-8") }];
const options = { excludedMutations, plugins: null, ignorers: [], noHeader: true };
const { mutants } = await new Instrumenter(quiet).instrument(files, options);
console.log(JSON.stringify(mutants.filter((mutant) => mutant.status !== "Ignored")));
