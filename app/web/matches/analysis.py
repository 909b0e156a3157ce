"""What a hard bot would have done: asked after a hand, by who played it, about turns of their own."""

import asyncio

from pydantic import BaseModel, Field

from app.bots.search.analysis import Hindsight, TurnThen, hindsight
from app.bots.search.monte_carlo import Thought
from app.bots.search.worker_job import done, thought_of
from app.bots.view.seat_view import cards_in
from app.engine.base.messages import Sentence
from app.rooms.ports.bot_workers import Answer, Thinker
from app.rooms.recorded import positions
from app.web.context.sessions import Person
from app.web.context.site import Site
from app.web.http import errors
from app.web.http.work_queue import AGAIN_AFTER
from app.web.i18n.catalogues import Texts
from app.web.protocol.server_messages import Json

NOT_YOURS = Sentence("web.turn_not_yours", "Only who has played a turn can ask about it.")
NOT_OVER = Sentence("web.hand_not_over", "Ask when the hand is over.")
NOBODY_THINKS = Sentence("web.nobody_thinks", "Nobody has time to think about it just now: try again.")


class LineShown(BaseModel):
    """What came of one action."""

    what: str = Field(description="Which of them: the choice, what was played, passing, or what was thought of next.")
    cards: str = Field(description="Its cards; empty if there are none.")
    text: str = Field(description="What came of it.")


class HindsightShown(BaseModel):
    """What a bot would have done, and why."""

    by: str = Field(description="The kind of bot; not the hard one where nothing can be thought ahead.")
    action: Json = Field(description="What it would have done.")
    same: bool = Field(description="Whether that is what was done, or comes to the same.")
    close: bool = Field(description="Whether it is a close call: what was done may be as good, for all that is known.")
    worlds: int = Field(description="In how many deals that were possible it was played out.")
    says: list[str] = Field(description="What it would have done first, then why.")
    lines: list[LineShown] = Field(description="What is compared, its choice first; none where it need not think.")


async def asked(
    site: Site, client: str, person: Person, match_id: str, number: int, move: int, texts: Texts
) -> HindsightShown:
    """Ask about a turn, the one after so many moves."""
    turn = await _turn(site, client, person, match_id, number, move)
    job = turn.job()
    thought = None if job is None else await _thought(site, client, job)
    return _shown(hindsight(turn, thought), texts)


async def _turn(site: Site, client: str, person: Person, match_id: str, number: int, move: int) -> TurnThen:
    """A turn of a hand that is over; refused unless who asks has played it."""
    names = await site.store.history.names_of(match_id, person.id)
    if not names:
        raise errors.Refusal(403, "not_a_member", NOT_YOURS())
    if await site.store.history.hand(match_id, number) is None:
        raise errors.Refusal(409, "not_now", NOT_OVER())
    since = await site.store.history.since(match_id, number)
    first, kept = since or (0, await site.store.history.record(match_id) or {})
    async with site.slow_work.turn(client) as work:
        turn: TurnThen = await work(positions.turn, kept, number, move, first)
    if turn.seat not in names:
        raise errors.Refusal(403, "not_a_member", NOT_YOURS())
    return turn


async def _thought(site: Site, client: str, job: bytes) -> Thought:
    """Do a job in a worker process of the bots or, if there is none, in a thread. Addresses take turns."""
    async with site.thinking.turn(client) as work:
        if site.thinker is None:
            return thought_of(await work(done, job))
        # One job at a time, so that the bots of rooms wait for at most one.
        answer = await _answer(site.thinker, job)
    if not isinstance(answer, Thought):
        raise errors.Refusal(503, "trouble", NOBODY_THINKS(), {"Retry-After": str(AGAIN_AFTER)})
    return answer


async def _answer(thinker: Thinker, job: bytes) -> Answer:
    """What somebody elsewhere says; should nobody wait for it any more, they are told so."""
    answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def settle(answer: Answer) -> None:
        if not answered.done():
            answered.set_result(answer)

    drop = thinker.ask(job, settle)
    try:
        return await answered
    finally:
        drop()


def _shown(found: Hindsight, texts: Texts) -> HindsightShown:
    lines = [
        LineShown(what=texts.say(line.what), cards=" ".join(cards_in(line.action)), text=texts.say(line.comes_to))
        for line in found.lines
    ]
    says = [texts.say(each) for each in found.says]
    return HindsightShown(
        by=found.by,
        action=found.action,
        same=found.same,
        close=found.close,
        worlds=found.worlds,
        says=says,
        lines=lines,
    )
