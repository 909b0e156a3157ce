"""House rules under a name of one's own, over HTTP: what somebody keeps, as it is today; keeping, renaming, letting go.

What is kept is every switch as it was. A new version of the game may have a preset play otherwise: who keeps rules by a
name goes on playing what they kept. What there is not any more is said in a sentence, and the rest holds.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence
from app.engine.base.options import Options
from app.engine.match.game import AnyGame
from app.rooms.errors import RoomError
from app.rooms.model.state import milliseconds
from app.rooms.people import names
from app.store.repositories.saved_rules import KeptEnough, KeptRules, NameIsKept
from app.web.api.dependencies import REFUSALS, Body, Code, Me, SiteHere, Somebody
from app.web.client_address import is_secure
from app.web.context.sessions import remember
from app.web.http import errors
from app.web.i18n.catalogues import Texts
from app.web.protocol import server_messages
from app.web.services import room_access, rules_form, rules_link

router = APIRouter(prefix="/api/me/rules", tags=["api"])

LONGEST: Final = 40
"""Characters in a name of rules."""

ENOUGH_KEPT = Sentence(
    "web.enough_rules_kept",
    "You keep {most} sets of house rules, which is as many as there is room for. Delete one first.",
)
NAME_IS_KEPT = Sentence(
    "web.name_is_kept", "You keep rules called “{name}” already: replace them, or take another name."
)
NO_SUCH_RULES = Sentence("web.no_such_rules", "You keep no such rules: perhaps they were deleted in another window.")

Name = Annotated[str, Field(min_length=1, max_length=5 * LONGEST, description=f"At most {LONGEST} characters.")]


class NewRules(Body):
    """Rules to be kept."""

    game: server_messages.Word
    name: Name
    options: server_messages.Json = Field(default={}, description="A preset and the switches that differ from it.")
    replace: bool = Field(default=False, description="Whether in place of those of this game that have the name.")


class NewName(Body):
    """What rules shall be called."""

    name: Name
    replace: bool = Field(default=False, description="Whether those of this game that have the name go for it.")


class ChangeTold(BaseModel):
    """One thing that is not as in the preset, in words."""

    id: str = Field(description="Its row on the rules page.")
    name: str
    said: str


class RulesKept(BaseModel):
    """House rules, as they are today."""

    id: str
    game: str
    name: str
    preset: str = Field(description="What they begin with; empty: there is no such game any more.")
    called: str = Field(description="The name of that preset.")
    changes: dict[str, Any] = Field(description="The switches that differ from it.")
    lines: list[ChangeTold] = Field(description="The same in words, most telling first.")
    picture: str = Field(description="A few cards that stand for what is special.")
    mark: str = Field(description="A sign or two beside them; empty: none.")
    problems: list[str] = Field(description="What of them there is not any more, a sentence each.")
    link: str | None = Field(description="The form for a room with these rules, on this server.")
    kept: int = Field(description="Epoch milliseconds.")


class AllKept(BaseModel):
    """What somebody keeps."""

    rules: list[RulesKept] = Field(description="The newest first.")


@router.get("", responses=REFUSALS)
async def kept(request: Request, site: SiteHere, person: Me) -> AllKept:
    """The house rules that one keeps, of all games; what of them there is not any more is said."""
    found = () if person is None else await site.store.house_rules.of(person.id)
    texts = site.templates.texts(request.scope)
    return AllKept(rules=[told(each, texts) for each in found])


@router.post("", status_code=201, responses=REFUSALS)
async def keep(request: Request, response: Response, site: SiteHere, me: Me, asked: NewRules) -> RulesKept:
    """Keep rules under a name, for a game. Sets the cookie if there is none."""
    game = room_access.game_called(asked.game)
    options = game.declared.resolve(asked.options)
    name = names.clean(asked.name, LONGEST)
    person, token = (me, None) if me is not None else await room_access.newcomer(site, request.scope)
    most = site.settings.limits.house_rules_per_person
    changed = list(game.declared.differences(options))
    try:
        rules = await site.store.house_rules.keep(
            person.id, datetime.now(UTC), game.key, name, options.to_json(), changed, most=most, replace=asked.replace
        )
    except NameIsKept:
        raise RoomError("name_taken", NAME_IS_KEPT(name=name)) from None
    except KeptEnough:
        raise errors.Refusal(409, "not_now", ENOUGH_KEPT(most=most)) from None
    if token is not None:
        remember(response, token, secure=is_secure(request.scope))
    return told(rules, site.templates.texts(request.scope))


@router.put("/{rules}", responses=REFUSALS)
async def rename(request: Request, site: SiteHere, person: Somebody, rules: Code, asked: NewName) -> RulesKept:
    """Call rules otherwise that one keeps."""
    name = names.clean(asked.name, LONGEST)
    try:
        found = await site.store.house_rules.rename(person.id, rules, name, replace=asked.replace)
    except NameIsKept:
        raise RoomError("name_taken", NAME_IS_KEPT(name=name)) from None
    if found is None:
        raise errors.not_found(NO_SUCH_RULES())
    return told(found, site.templates.texts(request.scope))


@router.delete("/{rules}", status_code=204, responses=REFUSALS)
async def drop(site: SiteHere, person: Somebody, rules: Code) -> None:
    """Let go of rules that one keeps."""
    if not await site.store.house_rules.drop(person.id, rules):
        raise errors.not_found(NO_SUCH_RULES())


def told(rules: KeptRules, texts: Texts) -> RulesKept:
    """Rules that somebody keeps, as they are today and in one language."""
    always = {"id": rules.id, "game": rules.game, "name": rules.name, "kept": milliseconds(rules.kept_at)}
    try:
        game = room_access.game_called(rules.game)
    except RuleError as error:
        return RulesKept(
            **always, preset="", called="", changes={}, lines=[], picture="", mark="",
            problems=[texts.say(error.sentence)], link=None,
        )  # fmt: skip
    asked = _asked(game, rules)
    today = rules_link.by_parts(game, asked)
    first = game.declared.presets[0]
    preset = game.declared.preset(today.preset or first.key) or first
    _, changes = rules_link.parted(game, {**today.changes, "preset": preset.key})
    base = game.declared.resolve({"preset": preset.key})
    options = Options(preset.key, {**base.by_key, **changes})
    return RulesKept(
        **always,
        preset=preset.key,
        called=texts.t(f"{preset.id}.name"),
        changes=changes,
        lines=[
            ChangeTold(id=each["id"], name=each["name"], said=each["said"])
            for each in rules_form.differing(game, options, texts)
        ],
        picture=preset.picture,
        mark=preset.mark,
        problems=[texts.say(each) for each in today.problems],
        link=rules_link.link(game, asked),
    )


def _asked(game: AnyGame, rules: KeptRules) -> Mapping[str, Any]:
    """What was kept, without what nobody had chosen and there is not any more: of that nothing need be said."""
    declared = game.declared
    asked = {"preset": rules.options.get("preset", declared.presets[0].key)}
    for key, value in rules.options.items():
        switch = declared.switch(key)
        if key in rules.changed or (switch is not None and switch.domain.check(value) is None):
            asked[key] = value
    return asked
