"""A program for the arena that takes the first listed action and imports nothing from the project."""

import json
import sys


def main() -> None:
    for line in sys.stdin:
        view = json.loads(line)
        assert view["room"]["game"], "it is told which rules are in force"
        assert view["told"], "and what its seat has heard since the deal"
        print(json.dumps(view["you"]["legal"][0]), flush=True)


if __name__ == "__main__":
    main()
