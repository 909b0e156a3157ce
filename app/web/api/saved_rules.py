"""Endpoints for a person's saved house rules: list, save, rename, delete.

Every option is saved with its value. If a new version of the game changes a preset, saved rules stay the same. Options
that no longer exist are reported in a sentence, and the rest still applies.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, Field

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Options
from app.engine.match.game import AnyGame
from app.rooms.errors import RoomError
from app.rooms.model.state import to_milliseconds
from app.rooms.people import names
from app.store.repositories.saved_rules import RulesNameTaken, SavedRules, TooManySavedRules
from app.web.api.dependencies import (
    REFUSALS,
    InjectedAppContext,
    OptionalPerson,
    PathSegment,
    RequiredPerson,
    StrictBody,
)
from app.web.client_address import is_secure
from app.web.context.sessions import set_session_cookie
from app.web.http import errors
from app.web.i18n.catalogues import Texts
from app.web.protocol import server_messages
from app.web.services import room_access, rules_form, rules_link

router = APIRouter(prefix="/api/me/rules", tags=["api"])

RulesPath = Annotated[PathSegment, Path(description="The id of the saved rules.")]

LONGEST: Final = 40
"""Limit for the characters in a name of rules."""

ENOUGH_KEPT = MessageTemplate(
    "web.enough_rules_kept",
    "You have saved {most} sets of house rules, which is the limit. Delete one first.",
)
NAME_IS_KEPT = MessageTemplate(
    "web.name_is_kept", "You have already saved rules called “{name}”. Replace them, or choose another name."
)
NO_SUCH_RULES = MessageTemplate(
    "web.no_such_rules", "These rules were not found. They may have been deleted in another window."
)

Name = Annotated[
    str,
    Field(
        min_length=1, max_length=5 * LONGEST, description=f"The name of the rules, with at most {LONGEST} characters."
    ),
]


class RulesToSave(StrictBody):
    """House rules to be saved under a name."""

    game: server_messages.Word = Field(description="The key of the game.")
    name: Name
    options: server_messages.Json = Field(default={}, description="A `preset`, and the options that differ from it.")
    replace: bool = Field(default=False, description="Whether to replace saved rules of this game with the same name.")


class RulesRename(StrictBody):
    """A new name for saved house rules."""

    name: Name
    replace: bool = Field(
        default=False, description="Whether to delete other saved rules of this game with the new name."
    )


class ChangedOption(BaseModel):
    """One option of saved rules that differs from the preset, in words."""

    id: str = Field(description="The anchor of the option on the rules page.")
    name: str = Field(description="The name of the option.")
    text: str = Field(description="The value in words.")


class SavedRulesView(BaseModel):
    """Saved house rules as they apply today."""

    id: str = Field(description="The id of the saved rules.")
    game: str = Field(description="The key of the game.")
    name: str = Field(description="The name of the rules.")
    preset: str = Field(description="The preset that the rules are based on; empty if the game no longer exists.")
    preset_name: str = Field(description="The name of this preset.")
    changes: dict[str, Any] = Field(description="The options that differ from the preset.")
    lines: list[ChangedOption] = Field(description="The same options in words, most important first.")
    picture: str = Field(description="A few cards as a picture of the preset.")
    mark: str = Field(description="One or two signs beside the cards; empty: none.")
    mark_text: str = Field(description="The meaning of the signs in a few words; empty: no signs.")
    problems: list[str] = Field(description="A sentence for each part of the rules that no longer exists.")
    link: str | None = Field(
        description="The path of the form for a new room with these rules; null: the game no longer exists."
    )
    saved_at: int = Field(description="When the rules were saved, in epoch milliseconds.")


class SavedRulesList(BaseModel):
    """All house rules that a person has saved."""

    rules: list[SavedRulesView] = Field(description="The saved rules, newest first.")


@router.get("", responses=REFUSALS)
async def list_saved_rules(request: Request, site: InjectedAppContext, person: OptionalPerson) -> SavedRulesList:
    """Return the house rules that the signed-in person has saved, newest first.

    Options that no longer exist are named in `problems`.
    """
    found = () if person is None else await site.store.saved_rules.rules_of_person(person.id)
    texts = site.templates.texts_for_request(request.scope)
    return SavedRulesList(rules=[saved_rules_view(each, texts) for each in found])


@router.post("", status_code=201, responses=REFUSALS)
async def save_rules(
    request: Request, response: Response, site: InjectedAppContext, me: OptionalPerson, body: RulesToSave
) -> SavedRulesView:
    """Save house rules of a game under a name for the signed-in person.

    A visitor who is not known yet becomes a new person and gets the cookie. Refused if the name is used and `replace`
    is false, or if there are too many.
    """
    game = room_access.find_game_or_raise(body.game)
    options = game.option_schema.resolve_options(body.options)
    name = names.clean_name(body.name, LONGEST)
    person, token = (me, None) if me is not None else await room_access.register_person(site, request.scope)
    most = site.settings.limits.house_rules_per_person
    changed = list(game.option_schema.changes_from_preset(options))
    try:
        rules = await site.store.saved_rules.save_rules(
            person.id,
            datetime.now(UTC),
            game.key,
            name,
            options.to_json(),
            changed,
            max_rules=most,
            replace=body.replace,
        )
    except RulesNameTaken:
        raise RoomError("name_taken", NAME_IS_KEPT(name=name)) from None
    except TooManySavedRules:
        raise errors.HttpError(409, "not_now", ENOUGH_KEPT(most=most)) from None
    if token is not None:
        set_session_cookie(response, token, secure=is_secure(request.scope))
    return saved_rules_view(rules, site.templates.texts_for_request(request.scope))


@router.put("/{rules}", responses=REFUSALS)
async def rename_rules(
    request: Request, site: InjectedAppContext, person: RequiredPerson, rules: RulesPath, body: RulesRename
) -> SavedRulesView:
    """Rename saved house rules of the signed-in person; 404 for an unknown id.

    Refused if other rules of the game have the name and `replace` is false.
    """
    name = names.clean_name(body.name, LONGEST)
    try:
        found = await site.store.saved_rules.rename_rules(person.id, rules, name, replace=body.replace)
    except RulesNameTaken:
        raise RoomError("name_taken", NAME_IS_KEPT(name=name)) from None
    if found is None:
        raise errors.not_found_error(NO_SUCH_RULES())
    return saved_rules_view(found, site.templates.texts_for_request(request.scope))


@router.delete("/{rules}", status_code=204, responses=REFUSALS)
async def delete_rules(site: InjectedAppContext, person: RequiredPerson, rules: RulesPath) -> None:
    """Delete saved house rules of the signed-in person; 404 for an unknown id."""
    if not await site.store.saved_rules.delete_rules(person.id, rules):
        raise errors.not_found_error(NO_SUCH_RULES())


def saved_rules_view(rules: SavedRules, texts: Texts) -> SavedRulesView:
    """Return saved house rules as they apply today, with texts in one language.

    Options or a game that no longer exist are named in `problems`.
    """
    always = {"id": rules.id, "game": rules.game, "name": rules.name, "saved_at": to_milliseconds(rules.saved_at)}
    try:
        game = room_access.find_game_or_raise(rules.game)
    except RuleError as error:
        return SavedRulesView(
            **always, preset="", preset_name="", changes={}, lines=[], picture="", mark="",
            mark_text="", problems=[texts.say(error.sentence)], link=None,
        )  # fmt: skip
    relevant = _still_relevant_options(game, rules)
    today = rules_link.check_options_separately(game, relevant)
    basic = game.option_schema.basic_preset
    preset = game.option_schema.find_preset(today.preset or basic.key) or basic
    _, changes = rules_link.split_preset_and_changes(game, {**today.changes, "preset": preset.key})
    base = game.option_schema.resolve_options({"preset": preset.key})
    options = Options(preset.key, {**base.values_by_key, **changes})
    return SavedRulesView(
        **always,
        preset=preset.key,
        preset_name=texts.t(f"{preset.id}.name"),
        changes=changes,
        lines=[
            ChangedOption(id=each["id"], name=each["name"], text=each["said"])
            for each in rules_form.changed_options(game, options, texts)
        ],
        picture=preset.picture,
        mark=preset.mark,
        mark_text=rules_form.mark_text(preset, texts),
        problems=[texts.say(each) for each in today.problems],
        link=rules_link.rules_url(game, relevant),
    )


def _still_relevant_options(game: AnyGame, rules: SavedRules) -> Mapping[str, Any]:
    """Return the saved options of house rules that are still to be applied or reported.

    Left out are options that no longer exist and had the value of their preset.
    """
    declared = game.option_schema
    options = {"preset": rules.options.get("preset", declared.basic_preset.key)}
    for key, value in rules.options.items():
        switch = declared.find_option(key)
        if key in rules.changed or (switch is not None and switch.domain.expected_if_invalid(value) is None):
            options[key] = value
    return options
