"""Pages of a person: settings, files of their matches, a link for another device, recovery.

Templates, and the values that they get in addition to the context of `page.py`:

    me_settings.html (its script asks /api/me)
    device.html      state (offer; other: this browser belongs to another person; same: it is theirs already; done;
                     bad), name, code (of the room to go to next, or None)
    recover.html     state (offer, done or bad), name (of the person, or None)
"""

from collections.abc import AsyncIterator

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response, StreamingResponse

from app.web.api.dependencies import ExportingPerson, InjectedAppContext, PathSegment, RoomCode
from app.web.pages.page import InjectedPageContext, count_if_guess
from app.web.services import personal_data

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/me/settings")
async def settings_page(here: InjectedPageContext) -> Response:
    """Show the page of personal settings. Its script loads name, bird, colour and devices from `/api/me`."""
    return here.render("me_settings")


@router.get("/me/matches.json")
async def export_matches(site: InjectedAppContext, person: ExportingPerson) -> Response:
    """Send a file with the records of all matches of the signed-in person; 409 while another file is being sent."""
    return _file_response(personal_data.export_matches(site, person.id), "application/json", "matches.json")


@router.get("/me/hands.csv")
async def export_hands(site: InjectedAppContext, person: ExportingPerson) -> Response:
    """Send places and points in all counted hands of the signed-in person as CSV; 409 while another file is sent."""
    return _file_response(site.store.match_export.stream_csv(person.id), "text/csv", "hands.csv")


def _file_response(content: AsyncIterator[str], kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingResponse(content, media_type=kind, headers=headers)


@router.get("/device/{token}")
async def device_link_page(here: InjectedPageContext, token: PathSegment, room: RoomCode = None) -> Response:
    """Show the page of a link that adds a device. Opening it changes nothing; its button does.

    A link that is not valid gets 404.
    """
    found = await count_if_guess(here, await here.site.people.find_person_by_recovery_token(token, adds=True))
    if found is None:
        return here.render("device", 404, state="bad", name=None, code=None)
    state = "offer" if here.me is None else "other" if here.me.id != found.id else "same"
    return here.render("device", state=state, name=found.name, code=room)


@router.post("/device/{token}")
async def add_device(here: InjectedPageContext, token: PathSegment, room: RoomCode = None) -> Response:
    """Handle the button on a device link's page: sign this browser in as the person of the link.

    Their other devices stay signed in. A link that is not valid gets 404.
    """
    found = await count_if_guess(
        here, await here.site.people.redeem_recovery_token(here.request.scope, token, adds=True)
    )
    if found is None:
        return here.render("device", 404, state="bad", name=None, code=None)
    person, new_token = found
    here.sign_in(person)
    return here.set_session_cookie(here.render("device", state="done", name=person.name, code=room), new_token)


@router.get("/recover/{token}")
async def recovery_page(here: InjectedPageContext, token: PathSegment) -> Response:
    """Show the page of a recovery link.

    Opening it changes nothing, as previews open links too; its button does.
    """
    found = await count_if_guess(here, await here.site.people.find_person_by_recovery_token(token, adds=False))
    if found is None:
        return here.render("recover", 404, state="bad", name=None)
    return here.render("recover", state="offer", name=found.name)


@router.post("/recover/{token}")
async def recover_account(here: InjectedPageContext, token: PathSegment) -> Response:
    """Handle the button on a recovery link's page: sign this browser in as the person of the link.

    All their other devices are signed out, and their sockets closed. A link that is not valid gets 404.
    """
    found = await count_if_guess(
        here, await here.site.people.redeem_recovery_token(here.request.scope, token, adds=False)
    )
    if found is None:
        return here.render("recover", 404, state="bad", name=None)
    person, new_token = found
    here.sign_in(person)
    here.site.close_signed_out_sockets(person.id)
    return here.set_session_cookie(here.render("recover", state="done", name=person.name), new_token)
