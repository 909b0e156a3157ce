"""What grows is for each who holds it as if it had been copied, whoever goes on from where."""

import random

from app.rooms.growing import Accepted, Growing


def test_whoever_goes_on_from_where_each_stays_as_it_was() -> None:
    rng = random.Random(1)
    made: list[tuple[Growing[int], tuple[int, ...]]] = [(Growing(), ()), (Growing(range(3)), (0, 1, 2))]
    for n in range(600):
        grown, plain = made[-1] if rng.random() < 0.7 else rng.choice(made)
        more = tuple(rng.randrange(9) for _ in range(rng.randrange(3)))
        made.append((grown.and_also(*more), plain + more))
        if n % 20 == 0:
            made.append((Growing(made[-1][1]), made[-1][1]))
    for grown, plain in made:
        assert tuple(grown) == plain
        assert len(grown) == len(plain)
        assert tuple(reversed(grown)) == plain[::-1]
        assert grown == Growing(plain)
        at = rng.randrange(-5, 5)
        assert grown[at:] == plain[at:]
        assert grown[:at:2] == plain[:at:2]
        assert [grown[n] for n in range(-len(plain), len(plain))] == [*plain, *plain]
    long, other = made[-1][0], Growing(range(100))
    assert long != other
    assert long.and_also(1) != long


def test_what_was_never_done_from_here_on_is_not_known() -> None:
    """A command that was tried and is not in the log may come again: it was not done."""
    rng = random.Random(2)
    made: list[tuple[Accepted, dict[str, int]]] = [(Accepted(), {}), (Accepted({"c1": 2, "c2": 3}), {"c1": 2, "c2": 3})]
    commands = [f"c{n}" for n in range(40)]
    for n in range(400):
        known, plain = made[-1] if rng.random() < 0.7 else rng.choice(made)
        command, seq = rng.choice(commands), max(plain.values(), default=0) + rng.randrange(1, 4)
        if command not in plain:
            made.append((known.and_also(command, seq), {**plain, command: seq}))
        if n % 20 == 0:
            made.append((Accepted(plain), plain))
    for known, plain in made:
        assert [*known.items()] == [*plain.items()]
        assert len(known) == len(plain)
        assert [known.get(command) for command in commands] == [plain.get(command) for command in commands]
        assert known == Accepted(plain)
    assert made[-1][0] != Accepted({"c1": 1})
