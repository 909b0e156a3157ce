"""A program for the arena: it does what is listed first, and nothing of ours is imported."""

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
