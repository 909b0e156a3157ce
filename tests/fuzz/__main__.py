"""Fuzz the parsers for a time: `python -m tests.fuzz --minutes 60 --seed 7 [PARSER …]`."""

import argparse
import sys
import time
from collections import Counter
from itertools import count

from tests.fuzz.inputs import find_failing_input, keep
from tests.fuzz.parsers import running_parsers

AT_ONCE = 500
"""Inputs for one parser before the next one's turn."""


def main() -> int:
    """Print each failing input and the number of inputs tried. Returns 1 if any failed."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the parsers of strangers' inputs.")
    options.add_argument("--minutes", type=float, default=1, help="how long, for all parsers together; default 1")
    options.add_argument("--seed", type=int, default=1, help="the inputs depend on it; default 1")
    options.add_argument("parser", nargs="*", help="only these parsers")
    asked = options.parse_args()
    end = time.monotonic() + 60 * asked.minutes
    tried, failed = Counter[str](), 0
    with running_parsers() as parsers:
        chosen = {name: parsers[name] for name in asked.parser or parsers}
        for turn in count():
            for name, parser in chosen.items():
                if time.monotonic() > end:
                    for each, number in tried.items():
                        print(f"{each}: {number:,} inputs")
                    print(f"{failed} failed.")
                    return min(failed, 1)
                found = find_failing_input(parser, asked.seed + turn, AT_ONCE)
                tried[name] += AT_ONCE
                if found is not None:
                    data, error = found
                    print(f"{keep(name, data)}: {type(error).__name__}: {error}")
                    failed += 1
    raise AssertionError


if __name__ == "__main__":
    sys.exit(main())
