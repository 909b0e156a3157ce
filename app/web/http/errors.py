"""Every error of a request becomes one answer: `{"code", "message", "key", "values"}` for programs, a page for people.

RuleError, RoomError    somebody asked for what the rules or the room refuse   400, or what STATUS says
Refusal                 the web itself refuses: limits, origins, sizes         its own status
HTTPException           no such page, wrong method                             its own status
RequestValidationError  a body or a parameter that isn't what it should be     422 bad_request
Unavailable             the database doesn't answer                            503 trouble
anything else           a mistake of ours: logged, with nothing told           500 trouble
"""

from collections.abc import Mapping
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence
from app.rooms.errors import RoomError
from app.rooms.ports.storage import Unavailable
from app.web.assets.templates import Templates
from app.web.client_address import Scope, header
from app.web.protocol.message_errors import IS_WRONG, MISSING

log = structlog.get_logger("web")

STATUS = {
    "not_host": 403,
    "not_a_member": 403,
    "removed": 403,
    "no_such_name": 404,
    "bad_link": 404,
    "unavailable": 503,
    "name_taken": 409,
    "not_now": 409,
    "room_full": 409,
}
"""Where a refusal of rooms is not just a bad request."""

CODES = {404: "not_found", 405: "bad_method", 413: "too_large", 429: "too_fast"}


TOO_OFTEN = Sentence(
    "refused.too_often",
    {
        "one": "That was too often: try again in {count} second.",
        "other": "That was too often: try again in {count} seconds.",
    },
)

BAD_METHOD = Sentence("refused.bad_method", "Nothing at this address can be asked for in that way.")
BAD_REQUEST = Sentence("refused.bad_request", "This is no request that could be read.")
NOT_ASKED_FOR = Sentence("refused.not_asked_for", "“{where}” does not belong in this request.")


class Refusal(Exception):
    """The web says no, before anybody else is asked."""

    def __init__(self, status: int, code: str, sentence: Said, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.sentence = sentence
        self.headers = dict(headers or {})


class UnknownCode(Refusal):
    """There is no room with the code that was asked for. The error page offers the code again, to be corrected."""

    LONGEST_SHOWN = 40

    def __init__(self, sentence: Said, typed: str) -> None:
        """`typed`: the code as it was sent; one that is too long for the field is left out."""
        super().__init__(404, "not_found", sentence)
        self.typed = typed if len(typed) <= self.LONGEST_SHOWN else ""


def not_found(sentence: Said) -> Refusal:
    """Make the answer that there is no such thing."""
    return Refusal(404, "not_found", sentence)


def too_fast(wait: float) -> Refusal:
    """Too often; come back after `wait` seconds."""
    seconds = max(1, round(wait))
    return Refusal(429, "too_fast", TOO_OFTEN(count=seconds), {"Retry-After": str(seconds)})


def answer(
    templates: Templates,
    scope: Scope,
    status: int,
    code: str,
    message: Said,
    headers: Mapping[str, str] | None = None,
    *,
    typed: str | None = None,
) -> Response:
    """Return an error as a page to a browser that opens one, and as JSON to everything else.

    `typed`: a room code that leads nowhere; the page then has a form to correct it.
    """
    if _wants_page(scope):
        texts = templates.texts(scope)
        request_id = scope.get("state", {}).get("request_id", "")
        context = {"code": code, "message": texts.say(message), "request_id": request_id, "typed": typed}
        return HTMLResponse(templates.render("error.html", texts, status=status, **context), status, headers)
    return JSONResponse({"code": code, "message": message, **keyed(message)}, status, headers)


def keyed(message: Said) -> dict[str, object]:
    """The `key` and the `values` of a refusal's sentence, for a page in another language to say it."""
    return message.to_json()


def answer_to(templates: Templates, scope: Scope, error: Exception) -> Response:
    """What whoever asked is answered when this was raised. What is a mistake of ours is logged, and nothing told."""
    english = templates.catalogues.english
    headers: Mapping[str, str] | None = None
    typed: str | None = None
    match error:
        case RuleError() | RoomError():
            status, code, said = STATUS.get(error.code, 400), error.code, error.sentence
        case UnknownCode():
            status, code, said, typed = error.status, error.code, error.sentence, error.typed
        case Refusal():
            status, code, said, headers = error.status, error.code, error.sentence, error.headers
        case HTTPException():
            status, headers = error.status_code, error.headers
            code = CODES.get(status, "bad_request")
            said = {404: english.said("error.not_found"), 405: BAD_METHOD()}.get(status, BAD_REQUEST())
        case RequestValidationError():
            status, code, said = 422, "bad_request", _explained(error.errors()[0])
        case Unavailable():
            # In the log of the server it stands once for all requests (Site.storage).
            status, code, said, headers = 503, "trouble", english.said("error.unavailable"), {"Retry-After": "5"}
        case _:
            log.error("a request failed", exc_info=error)
            status, code, said = 500, "trouble", english.said("error.trouble")
    return answer(templates, scope, status, code, said, headers, typed=typed)


def install(app: FastAPI, templates: Templates) -> None:
    """Let this app answer every error in the one way."""

    async def answered(request: Request, error: Exception) -> Response:
        return answer_to(templates, request.scope, error)

    for kind in (RuleError, RoomError, Refusal, HTTPException, RequestValidationError, Unavailable, Exception):
        app.add_exception_handler(kind, answered)


def _explained(error: Mapping[str, Any]) -> Said:
    """Say what `pydantic` says. What it has no key for is quoted as it is."""
    where = ".".join(str(part) for part in error["loc"] if part not in ("body", "query", "path")) or "body"
    if error["type"] == "missing":
        return MISSING(where=where)
    if error["type"] == "extra_forbidden":
        return NOT_ASKED_FOR(where=where)
    cause = error.get("ctx", {}).get("error")
    # A check of ours raises with what it has to say; pydantic's own give a text, if anything.
    return IS_WRONG(where=where, reason=cause.args[0] if isinstance(cause, ValueError) else str(error["msg"]))


def _wants_page(scope: Scope) -> bool:
    if scope["type"] != "http" or str(scope["path"]).startswith(("/api/", "/static/")):
        return False
    return "text/html" in (header(scope, b"accept") or "")
