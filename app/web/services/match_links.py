"""Addresses of pages about matches."""


def replay_url(match_id: str, hand: int, move: int | None = None) -> str:
    """Return the path of the page that replays a hand of a match, from one move on if given."""
    return f"/matches/{match_id}/replay?hand={hand}" + ("" if move is None else f"&move={move}")
