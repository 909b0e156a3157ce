"""Endpoints for push notifications on this device: read, subscribe, unsubscribe."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from app.engine.base.messages import MessageTemplate
from app.store.repositories.push_subscriptions import Subscription
from app.web.api.dependencies import REFUSALS, InjectedAppContext, OptionalSession, RequiredPerson, StrictBody
from app.web.client_address import site_origin
from app.web.http import errors
from app.web.push.safe_post import LONGEST, NotPublicAddress

router = APIRouter(prefix="/api/me/push", tags=["api"])

NOBODY_CALLS = MessageTemplate("web.nobody_calls", "Notifications are turned off on this server.")
NO_SERVICE = MessageTemplate("web.no_service", "The push service must have an https address on the internet.")
NO_KEYS = MessageTemplate("web.no_keys", "These push keys are invalid.")


class PushStatus(BaseModel):
    """Whether notifications are on for this device, and the server's key for subscribing."""

    key: str | None = Field(
        description="The server’s public key for subscribing; null: this server sends no notifications."
    )
    subscribed: bool = Field(description="Whether this device gets a notification when it is your turn.")


class PushSubscription(StrictBody):
    """Where and how a browser receives notifications, as its `PushSubscription` says."""

    endpoint: Annotated[str, Field(min_length=1, max_length=LONGEST)] = Field(
        description="The address at the push service."
    )
    p256dh: Annotated[str, Field(min_length=1, max_length=200)] = Field(
        description="The browser's public key, in base64url."
    )
    auth: Annotated[str, Field(min_length=1, max_length=50)] = Field(
        description="The browser's authentication secret, in base64url."
    )


@router.get("", responses=REFUSALS)
async def get_push_status(site: InjectedAppContext, known: OptionalSession) -> PushStatus:
    """Return whether notifications are on for this device, and the key with which it can subscribe."""
    if site.push_sender is None:
        return PushStatus(key=None, subscribed=False)
    subscribed = known is not None and await site.store.subscriptions.find_by_device(known.device) is not None
    return PushStatus(key=site.push_sender.public_key, subscribed=subscribed)


@router.put("", responses=REFUSALS)
async def subscribe(
    request: Request, site: InjectedAppContext, person: RequiredPerson, known: OptionalSession, body: PushSubscription
) -> PushStatus:
    """Turn on notifications for this device: when a room waits for the person, and none of their pages shows it.

    Refused if the server sends no notifications, or if the address is not on the internet.
    """
    from app.web.push.encryption import BrowserKeys, InvalidKeys  # saves 7 MB until the first person subscribes

    assert known is not None
    if site.push_sender is None:
        raise errors.HttpError(409, "not_now", NOBODY_CALLS())
    try:
        site.push_sender.parse_allowed_endpoint(body.endpoint)
        BrowserKeys.parse(body.p256dh, body.auth)
    except NotPublicAddress:
        raise errors.HttpError(422, "bad_request", NO_SERVICE()) from None
    except InvalidKeys:
        raise errors.HttpError(422, "bad_request", NO_KEYS()) from None
    language = site.templates.texts_for_request(request.scope, person.language).language
    own = site_origin(request.scope, site.settings.public_url)
    browser = Subscription(body.endpoint, body.p256dh, body.auth, language, own)
    await site.store.subscriptions.save_subscription(person.id, known.device, browser, datetime.now(UTC))
    return PushStatus(key=site.push_sender.public_key, subscribed=True)


@router.delete("", status_code=204, responses=REFUSALS)
async def unsubscribe(site: InjectedAppContext, person: RequiredPerson, known: OptionalSession) -> None:
    """Turn off notifications for this device."""
    assert known is not None
    await site.store.subscriptions.delete_by_device(known.device)
