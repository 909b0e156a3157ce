"""Make random small changes in the code and list those that no test notices.

python -m tests.mutate 50 --seed 1    # fifty, of app/rooms, app/store, app/web and static/js in turn
python -m tests.mutate --private      # all in the functions that hide private cards and events
python -m tests.mutate --from FILE    # those of a list, first with the tests that it names
"""

import argparse
import math
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from .mutants import Mutant, drawn, listed, private
from .nearest import nearest
from .trial import copied


def main(arguments: Iterable[str] | None = None) -> int:
    """Run the mutants. Return 0 if at most a tenth survived, and no private one."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=50, help="how many to draw")
    parser.add_argument("--seed", type=int, default=1, help="of the draw: the same seed draws the same")
    parser.add_argument("--private", action="store_true", help="all that may show private cards and events to others")
    parser.add_argument("--from", type=Path, dest="list_file", metavar="FILE", help="all of a list in TOML")
    parser.add_argument("--only", default="", help="of the list, those whose id begins so")
    parser.add_argument("--seconds", type=float, default=240, help="after which no further tests are tried on one")
    parser.add_argument("--list", action="store_true", help="print the mutants and try none")
    asked = parser.parse_args(arguments if arguments is None else [*arguments])
    if asked.list_file:
        return _run_list(asked.list_file, asked.only, asked.seconds)
    mutants = private() if asked.private else islice(drawn(asked.seed), asked.count)
    if asked.list:
        print(*mutants, sep="\n")
        return 0
    survivors, tried = list[Mutant](), 0
    with copied() as trial:
        for tried, mutant in enumerate(mutants, 1):
            outcome = trial.run(mutant, seconds=asked.seconds)
            said = f"killed by {outcome.killer}" if outcome.killer else "SURVIVED"
            print(f"{tried:3} {mutant}\n    {said} ({outcome.seconds:.0f} s)", flush=True)
            if outcome.killer is None:
                survivors.append(mutant)
    killed = tried - len(survivors)
    print(f"{killed} of {tried} mutants were killed ({killed / max(tried, 1):.0%}).")
    if survivors:
        print("Survivors:", *survivors, sep="\n")
    return int(len(survivors) > (0 if asked.private else math.ceil(tried / 10)))


def _run_list(file: Path, only: str, seconds: float) -> int:
    """Run the mutants of a list. Return 0 if tests notice all that the list says they noticed."""
    worse, noticed, entries = 0, 0, 0
    with copied() as trial:
        for mutant, entry in listed(file):
            if not entry["id"].startswith(only):
                continue
            entries += 1
            if mutant is None:
                said = "MOVED: change the text of this entry by hand"
            else:
                known = entry.get("test")
                outcome = trial.run(mutant, [*([[known]] if known else []), *nearest(mutant)], seconds)
                said = f"{outcome.killer or 'SURVIVED'} ({outcome.seconds:.0f} s)"
                noticed += outcome.killer is not None
                worse += outcome.killer is None and known is not None
            worse += mutant is None
            print(f"{entry['id']}\t{said}\t{mutant or entry['was']}", flush=True)
    print(f"{noticed} of {entries} mutants were noticed.")
    return int(worse > 0)


if __name__ == "__main__":
    sys.exit(main())
