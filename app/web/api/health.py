"""Endpoints for operators and monitoring: liveness, readiness and metrics."""

import asyncio
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, PlainTextResponse, Response

from app.rooms.ports.storage import StorageUnavailable
from app.settings import Settings
from app.store.maintenance.figures import read_figures
from app.version import version_with_commit
from app.web.client_address import Scope, is_private
from app.web.context.metrics import Metrics, UnreadyReason
from app.web.context.site import AppContext, site_of
from app.web.http import errors

router = APIRouter(tags=["server"])

PING_SECONDS = 3

InjectedAppContext = Annotated[AppContext, Depends(site_of)]


@router.get("/healthz", response_class=PlainTextResponse)
async def healthz() -> str:
    """Answer `ok`, the version and the commit: the process is alive.

    The database is not asked (see `/readyz`).
    """
    return health_text()


def health_text() -> str:
    """Return the answer of `/healthz`."""
    return f"ok {version_with_commit()}"


class Readiness(BaseModel):
    """Whether a load balancer should send people to this server, and if not, why."""

    ready: bool = Field(description="Whether the server can take requests.")
    reason: UnreadyReason | None = Field(
        None,
        description="starting: the server opens its database, and upgrades it first if it is of an older version; "
        "leaving: the server is about to stop; database: nothing can be saved; null: ready.",
    )
    done_rows: int | None = Field(None, description="The rows that the upgrade has done. Only during an upgrade.")
    total_rows: int | None = Field(None, description="The rows that the upgrade has to do in all.")


@router.get("/readyz", response_model=Readiness, responses={503: {"model": Readiness}})
async def readyz(site: InjectedAppContext) -> JSONResponse:
    """Answer 200 if the server has started, can save log entries and people, and is not about to stop.

    Otherwise 503 with the reason.
    """
    reason = await unready_reason(site)
    if reason is not None:
        return JSONResponse({"ready": False, "reason": reason}, 503)
    return JSONResponse({"ready": True})


async def unready_reason(site: AppContext) -> UnreadyReason | None:
    """Return why a server that has started should get no people now, or None if it is ready."""
    if site.draining:
        return "leaving"
    if site.store.database.health.write_error is not None:
        return "database"
    try:
        async with asyncio.timeout(PING_SECONDS):
            await site.store.database.ping()
            saves = await site.store.database.health.can_save()
    except (StorageUnavailable, TimeoutError):
        saves = False
    return None if saves else "database"


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses={404: {"description": "This client may not read the metrics."}},
)
async def metrics(request: Request, site: InjectedAppContext) -> Response:
    """Return the server's metrics in Prometheus format. 404 for clients that the settings don't allow.

    By default, clients in private networks are allowed.
    """
    if not _may_see_metrics(request.scope, site.settings):
        raise errors.not_found_error(site.message("error.not_found"))
    site.metrics.show_readiness(await unready_reason(site))
    with suppress(StorageUnavailable, TimeoutError):  # then the last figures stay
        async with asyncio.timeout(PING_SECONDS):
            site.metrics.show_database(await site.store.database.read(read_figures))
    return _encode_metrics(site.metrics)


def metrics_response(scope: Scope, settings: Settings, metrics: Metrics) -> Response | None:
    """Return the response with the metrics as they are, or None for clients that the settings don't allow."""
    return _encode_metrics(metrics) if _may_see_metrics(scope, settings) else None


def _may_see_metrics(scope: Scope, settings: Settings) -> bool:
    return {"off": False, "private": is_private(scope), "public": True}[settings.metrics]


def _encode_metrics(metrics: Metrics) -> Response:
    return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)
