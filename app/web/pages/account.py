"""Pages of a person: settings, a link for another device, recovery.

Templates, with what they get beside the context of `page.py`:

    me_settings.html (its script asks /api/me)
    device.html      state (offer; other: this browser belongs to another person; same: it is theirs already; done;
                     bad), name, code (of the room to go to next, or None)
    recover.html     state (offer, done or bad), name (of the person, or None)
"""

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from app.web.api.dependencies import Code, RoomCode
from app.web.pages.page import Here, counted

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/me/settings")
async def mine(here: Here) -> Response:
    """One's name, bird, colour and devices, which its script draws."""
    return here.page("me_settings")


@router.get("/device/{token}")
async def another_device(here: Here, token: Code, room: RoomCode = None) -> Response:
    """A link that adds a device. Opening it changes nothing: a button does."""
    found = await counted(here, await here.site.people.recoverable(token, adds=True))
    if found is None:
        return here.page("device", 404, state="bad", name=None, code=None)
    state = "offer" if here.me is None else "other" if here.me.id != found.id else "same"
    return here.page("device", state=state, name=found.name, code=room)


@router.post("/device/{token}")
async def add_device(here: Here, token: Code, room: RoomCode = None) -> Response:
    """The button: this browser is that person's, too."""
    found = await counted(here, await here.site.people.recover(here.request.scope, token, adds=True))
    if found is None:
        return here.page("device", 404, state="bad", name=None, code=None)
    here.me, new_token = found
    return here.remember(here.page("device", state="done", name=here.me.name, code=room), new_token)


@router.get("/recover/{token}")
async def recovery(here: Here, token: Code) -> Response:
    """A recovery link. Opening it changes nothing (previews open links, too): a button does."""
    found = await counted(here, await here.site.people.recoverable(token, adds=False))
    if found is None:
        return here.page("recover", 404, state="bad", name=None)
    return here.page("recover", state="offer", name=found.name)


@router.post("/recover/{token}")
async def recover(here: Here, token: Code) -> Response:
    """The button: from now on this browser is that person's."""
    found = await counted(here, await here.site.people.recover(here.request.scope, token, adds=False))
    if found is None:
        return here.page("recover", 404, state="bad", name=None)
    here.me, new_token = found
    here.site.signed_out(here.me.id)
    return here.remember(here.page("recover", state="done", name=here.me.name), new_token)
