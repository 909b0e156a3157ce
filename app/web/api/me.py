"""Endpoints for the signed-in person: name and looks, devices, personal data."""

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Path, Request, Response
from pydantic import BaseModel, Field
from starlette.responses import StreamingResponse

from app.engine.base.messages import MessageTemplate
from app.rooms.model.state import to_milliseconds
from app.rooms.people import avatars, names
from app.web.api.dependencies import (
    REFUSALS,
    ExportingPerson,
    InjectedAppContext,
    OptionalPerson,
    OptionalSession,
    PathSegment,
    RequiredPerson,
    RoomCode,
    StrictBody,
)
from app.web.assets.qr import qr_data_uri
from app.web.client_address import Scope, is_secure
from app.web.context.sessions import clear_session_cookie
from app.web.context.site import AppContext
from app.web.http import errors
from app.web.http.share_url import is_loopback_url, shareable_origin
from app.web.services import personal_data, room_access

router = APIRouter(prefix="/api/me", tags=["api"])


class Profile(BaseModel):
    """The signed-in person's name and look, which all rooms use."""

    known: bool = Field(description="Whether the server knows you: your cookie or token is valid.")
    name: str | None = Field(None, description="The name used last; null: none yet.")
    bird: str | None = Field(None, description="The bird chosen as avatar; null: each room assigns one.")
    colour: str | None = Field(None, description="The chosen colour; null: each room assigns one.")
    name_taken_in: list[dict[str, str]] = Field(
        default=[],
        description="Rooms where another person has the new name, as `code` and the `name` that you keep there.",
    )


class ProfileChange(StrictBody):
    """A change of the signed-in person's name or look; fields that are left out stay unchanged."""

    name: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(None, description="The new name.")
    bird: Annotated[str, Field(max_length=40)] | None = Field(
        None, description="The bird for the avatar; null: each room assigns one."
    )
    colour: Annotated[str, Field(max_length=40)] | None = Field(
        None, description="The colour; null: each room assigns one."
    )


class DeviceView(BaseModel):
    """A browser or a program that is signed in as this person."""

    id: str = Field(description="The id of the device.")
    label: str | None = Field(description="The kind of browser, as the browser stated it; null: unknown.")
    created_at: int = Field(description="When it signed in, in epoch milliseconds.")
    last_seen_at: int = Field(description="When it was used last, in epoch milliseconds, accurate to one hour.")
    is_current: bool = Field(description="Whether it is the device of this request.")


class DeviceLink(BaseModel):
    """A link that signs in another device as this person, once and until it expires."""

    url: str = Field(description="The link.")
    qr: str | None = Field(
        description="The link as a QR code, as a `data:` address; null if it leads to localhost and fails elsewhere."
    )
    expires_at: int = Field(description="When the link expires, in epoch milliseconds.")


class DeletionConfirmation(StrictBody):
    """Confirmation that the person wants to delete their data, which can't be undone."""

    confirm: bool = Field(description="Must be true. Deletion can't be undone.")


FOR_GOOD = MessageTemplate("web.for_good", "This can’t be undone. Send confirm to delete your data.")


@router.get("", responses=REFUSALS)
async def get_profile(person: OptionalPerson) -> Profile:
    """Return the name that this browser's person used last, and their chosen look; `known` is false for others."""
    if person is None:
        return Profile(known=False)
    return Profile(known=True, name=person.name, bird=person.bird, colour=person.colour)


@router.put("", responses=REFUSALS)
async def change_profile(
    request: Request,
    site: InjectedAppContext,
    person: RequiredPerson,
    body: ProfileChange,
    afterwards: BackgroundTasks,
) -> Profile:
    """Change the signed-in person's name, bird or colour, in every room that they are in.

    While a match runs, its players keep their names. In a room where somebody else has the name, they keep the old one
    too.
    """
    name = None if body.name is None else person.name if body.name == person.name else names.clean_new_name(body.name)
    chosen = body.model_dump(include={"bird", "colour"}, exclude_unset=True)
    avatars.check_avatar(body.bird, body.colour)
    room_access.refuse_if_too_much_saved(site, request.scope)
    # Unset fields keep their current values, read now: a page may send two requests at a time.
    if name is not None:
        person = await site.people.rename(person, name) or person
    if chosen:
        person = await site.people.set_avatar(person, chosen) or person
    how = name, person.bird, person.colour
    name_taken_in = await room_access.update_profile_in_recent_rooms(site, request.scope, person, name)
    afterwards.add_task(room_access.update_profile_in_other_rooms, site, request.scope, person, *how)
    return Profile(
        known=True, name=name or person.name, bird=person.bird, colour=person.colour, name_taken_in=name_taken_in
    )


@router.get("/data", responses=REFUSALS)
async def export_data(site: InjectedAppContext, person: ExportingPerson) -> StreamingResponse:
    """Return all data stored about the signed-in person as a file.

    It has their name and look, devices, rooms, house rules, and matches with their records, played or imported. 409
    while another file of theirs is being sent.
    """
    headers = {"Content-Disposition": 'attachment; filename="pecking-order-me.json"', "Cache-Control": "no-store"}
    return StreamingResponse(
        personal_data.export_person_data(site.store, person), media_type="application/json", headers=headers
    )


@router.post("/forget", status_code=204, responses=REFUSALS)
async def delete_person(
    request: Request, response: Response, site: InjectedAppContext, person: RequiredPerson, body: DeletionConfirmation
) -> None:
    """Delete the signed-in person: their name is removed from every room and match, and this can't be undone.

    Their actions stay in the matches under a neutral name. All their devices are signed out.
    """
    if not body.confirm:
        raise errors.HttpError(409, "not_now", FOR_GOOD())
    await personal_data.delete_person(site, person.id)
    clear_session_cookie(response, secure=is_secure(request.scope))


@router.get("/devices", responses=REFUSALS)
async def list_devices(site: InjectedAppContext, person: RequiredPerson, known: OptionalSession) -> list[DeviceView]:
    """Return the devices that are signed in as this person, most recently seen first."""
    assert known is not None
    return [
        DeviceView(
            id=each.id,
            label=each.label,
            created_at=to_milliseconds(each.created_at),
            last_seen_at=to_milliseconds(each.seen_at),
            is_current=each.id == known.device,
        )
        for each in await site.people.devices_of(person)
    ]


@router.post("/devices", status_code=201, responses=REFUSALS)
async def create_device_link(
    request: Request, site: InjectedAppContext, person: RequiredPerson, room: RoomCode = None
) -> DeviceLink:
    """Create a link and its QR code that sign in another device as this person, once.

    The device then opens the room `room`, if given. All other devices stay signed in.
    """
    return await _create_device_link(site, request.scope, person, adds=True, room=room)


@router.delete("/devices/{device}", status_code=204, responses=REFUSALS)
async def sign_out_device(
    request: Request,
    response: Response,
    site: InjectedAppContext,
    person: RequiredPerson,
    known: OptionalSession,
    device: Annotated[PathSegment, Path(description="The id of the device.")],
) -> None:
    """Sign out one device of this person and close its connections; 404 for an unknown device."""
    if not await site.people.sign_out_device(person, device):
        raise errors.not_found_error(site.message("error.no_device"))
    site.close_signed_out_sockets(device)
    if known is not None and known.device == device:
        clear_session_cookie(response, secure=is_secure(request.scope))


@router.post("/recovery", status_code=201, responses=REFUSALS)
async def create_recovery_link(request: Request, site: InjectedAppContext, person: RequiredPerson) -> DeviceLink:
    """Create a link that signs in another device as this person, once, and signs out all their other devices."""
    return await _create_device_link(site, request.scope, person, adds=False)


async def _create_device_link(
    site: AppContext, scope: Scope, person: RequiredPerson, *, adds: bool, room: str | None = None
) -> DeviceLink:
    token, expires_at = await site.people.create_recovery_link(person, adds=adds)
    url = f"{shareable_origin(scope, site.settings)}/{'device' if adds else 'recover'}/{token}"
    url += "" if room is None else f"?room={room}"
    qr = None if is_loopback_url(url) else qr_data_uri(url)
    return DeviceLink(url=url, qr=qr, expires_at=to_milliseconds(expires_at))
