"""Ask a hard bot about a past turn: only for the player of the turn, after the hand."""

import asyncio

from pydantic import BaseModel, Field

from app.bots.search.analysis import Hindsight, PastTurn, explain_turn
from app.bots.search.monte_carlo import SearchResult
from app.bots.search.worker_job import decode_search_result, run_search_job
from app.bots.view.seat_view import cards_of_action
from app.engine.base.messages import MessageTemplate
from app.rooms.ports.bot_workers import BotAnswer, BotWorkers
from app.rooms.recorded import positions
from app.web.context.sessions import Person
from app.web.context.site import AppContext
from app.web.http import errors
from app.web.http.work_queue import AGAIN_AFTER
from app.web.i18n.catalogues import Texts
from app.web.protocol.server_messages import Json

NOT_YOURS = MessageTemplate("web.turn_not_yours", "Only the player of this turn can ask about it.")
NOT_OVER = MessageTemplate("web.hand_not_over", "Wait until the hand is over, then ask.")
NOBODY_THINKS = MessageTemplate(
    "web.nobody_thinks", "The server is too busy to analyse this turn. Try again in a moment."
)


class ComparedAction(BaseModel):
    """One action that is compared in the analysis of a turn, with its expected result."""

    what: str = Field(description="The label: the bot’s choice, the played action, passing, or the bot’s next choice.")
    cards: str = Field(description="The cards of the action; empty for an action without cards.")
    text: str = Field(description="The expected result, as a text.")


class HindsightView(BaseModel):
    """The action of a bot at a past turn, with the reasons."""

    by: str = Field(description="The level of the bot: hard, or medium for a turn that can’t be searched.")
    action: Json = Field(description="The action that the bot would have chosen.")
    same_as_played: bool = Field(description="Whether the player did the same, or did about as well.")
    close_call: bool = Field(description="Whether the difference from the played action is too small to matter.")
    samples: int = Field(description="Number of possible deals in which the bot simulated the turn; 0: no search.")
    explanation: list[str] = Field(description="Sentences: the bot’s choice, then the reasons.")
    lines: list[ComparedAction] = Field(
        description="The compared actions, the bot’s choice first; empty without a search."
    )


async def analyse_turn(
    site: AppContext, client: str, person: Person, match_id: str, number: int, move: int, texts: Texts
) -> HindsightView:
    """Return what a hard bot would have done at the turn after `move` actions of a hand, and why.

    Raises `HttpError` unless this person played the turn and the hand is over, or if no worker has time. `client`: the
    address whose turn in the queue it is.
    """
    turn = await _load_own_turn(site, client, person, match_id, number, move)
    job = turn.search_job()
    thought = None if job is None else await _run_analysis_job(site, client, job)
    return _hindsight_view(explain_turn(turn, thought), texts)


async def _load_own_turn(
    site: AppContext, client: str, person: Person, match_id: str, number: int, move: int
) -> PastTurn:
    """Return a past turn with all that its player knew then; raise `HttpError` unless this person played it.

    Also refused if the hand is not over.
    """
    names = await site.store.history.names_of_person(match_id, person.id)
    if not names:
        raise errors.HttpError(403, "not_a_member", NOT_YOURS())
    if await site.store.history.find_hand(match_id, number) is None:
        raise errors.HttpError(409, "not_now", NOT_OVER())
    since = await site.store.history.find_replayable_record(match_id, number)
    first, record = since or (0, await site.store.history.load_record(match_id) or {})
    async with site.work_queue.worker_slot(client) as work:
        turn: PastTurn = await work(positions.load_turn, record, number, move, first)
    if turn.seat not in names:
        raise errors.HttpError(403, "not_a_member", NOT_YOURS())
    return turn


async def _run_analysis_job(site: AppContext, client: str, job: bytes) -> SearchResult:
    """Run a bot's search for the analysis of a turn, in a worker process or, without workers, in a thread.

    Client addresses take turns. Raises `HttpError` 503 if no worker has time.
    """
    async with site.analysis_queue.worker_slot(client) as work:
        if site.bot_workers is None:
            return decode_search_result(await work(run_search_job, job))
        # One job at a time, so that the bots of rooms wait for at most one analysis.
        answer = await _ask_worker(site.bot_workers, job)
    if not isinstance(answer, SearchResult):
        raise errors.HttpError(503, "trouble", NOBODY_THINKS(), {"Retry-After": str(AGAIN_AFTER)})
    return answer


async def _ask_worker(workers: BotWorkers, job: bytes) -> BotAnswer:
    """Return a bot worker's answer to a search job; cancel the job if the caller stops waiting."""
    answered: asyncio.Future[BotAnswer] = asyncio.get_running_loop().create_future()

    def settle(answer: BotAnswer) -> None:
        if not answered.done():
            answered.set_result(answer)

    drop = workers.submit_job(job, settle)
    try:
        return await answered
    finally:
        drop()


def _hindsight_view(found: Hindsight, texts: Texts) -> HindsightView:
    lines = [
        ComparedAction(
            what=texts.say(line.what), cards=" ".join(cards_of_action(line.action)), text=texts.say(line.comes_to)
        )
        for line in found.lines
    ]
    says = [texts.say(each) for each in found.says]
    return HindsightView(
        by=found.by,
        action=found.action,
        same_as_played=found.same,
        close_call=found.close,
        samples=found.worlds,
        explanation=says,
        lines=lines,
    )
