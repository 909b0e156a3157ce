"""Every error of a request becomes one answer: `{"code", "message", "key", "values"}` for programs, a page for people.

RuleError, RoomError    the rules or the room refuse an action                 400, or the status in STATUS
HttpError               the web layer refuses: limits, origins, sizes          its status
HTTPException           unknown page, wrong method                             its status
RequestValidationError  an invalid body or parameter                           422 bad_request
StorageUnavailable      the database doesn't answer                            503 trouble
DamagedRoom             the room's stored data is damaged                      500 damaged
anything else           a bug: logged, without details in the response         500 trouble
"""

from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.rooms.errors import RoomError
from app.rooms.ports.storage import DamagedRoom, StorageUnavailable
from app.web.assets.templates import Templates
from app.web.client_address import Scope, client_key, header
from app.web.http.http_error import HttpError, not_found_error
from app.web.protocol.former_names import error_for_former_request_field
from app.web.protocol.message_errors import IS_WRONG, MISSING

__all__ = [
    "BAD_METHOD",
    "BAD_REQUEST",
    "CODES",
    "NOT_ASKED_FOR",
    "STATUS",
    "TOO_OFTEN",
    "HttpError",
    "UnknownRoomCode",
    "error_response",
    "install_error_handlers",
    "json_error_response",
    "message_key_and_values",
    "not_found_error",
    "rate_limit_error",
    "response_to_exception",
    "wants_html",
]

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
"""HTTP status by error code of rooms; all other codes are 400."""

CODES = {404: "not_found", 405: "bad_method", 413: "too_large", 429: "too_fast"}


TOO_OFTEN = MessageTemplate(
    "refused.too_often",
    {
        "one": "Too many requests. Try again in {count} second.",
        "other": "Too many requests. Try again in {count} seconds.",
    },
)

BAD_METHOD = MessageTemplate("refused.bad_method", "This address does not accept this kind of request.")
BAD_REQUEST = MessageTemplate("refused.bad_request", "This request can’t be read.")
NOT_ASKED_FOR = MessageTemplate("refused.not_asked_for", "“{where}” does not belong in this request.")


class UnknownRoomCode(HttpError):
    """Raised if no room has the requested code (404).

    The error page shows the code again, to be corrected.
    """

    LONGEST_SHOWN = 40

    def __init__(self, sentence: TranslatableMessage, typed: str) -> None:
        """Keep the code as it was typed, or an empty text if it is longer than the form field."""
        super().__init__(404, "not_found", sentence)
        self.typed = typed if len(typed) <= self.LONGEST_SHOWN else ""


def rate_limit_error(wait_seconds: float, sentence: MessageTemplate = TOO_OFTEN) -> HttpError:
    """Return, to be raised, a 429 error that asks the client to retry after `wait_seconds`.

    The time is rounded to whole seconds, at least one. `sentence` gets them as `count`.
    """
    seconds = max(1, round(wait_seconds))
    return HttpError(429, "too_fast", sentence(count=seconds), {"Retry-After": str(seconds)})


def error_response(
    templates: Templates,
    scope: Scope,
    status: int,
    code: str,
    message: TranslatableMessage,
    headers: Mapping[str, str] | None = None,
    *,
    typed: str | None = None,
) -> Response:
    """Return the response for an error: a page for a browser that opens one, JSON for everything else.

    `code` is the error's name for programs, and `message` the sentence for people. `headers` are additional response
    headers. `typed` is an unknown room code that the visitor typed; the page then has a form to correct it.
    """
    if wants_html(scope):
        texts = templates.texts_for_request(scope)
        request_id = scope.get("state", {}).get("request_id", "")
        context = {"code": code, "message": texts.say(message), "request_id": request_id, "typed": typed}
        return HTMLResponse(templates.render("error.html", texts, status=status, **context), status, headers)
    return json_error_response(status, code, message, headers)


def json_error_response(
    status: int, code: str, message: TranslatableMessage, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Return the response for an error as JSON."""
    return JSONResponse({"code": code, "message": message, **message_key_and_values(message)}, status, headers)


def wants_html(scope: Scope) -> bool:
    """Return whether a request is that of a browser which opens a page."""
    if scope["type"] != "http" or str(scope["path"]).startswith(("/api/", "/static/")):
        return False
    return "text/html" in (header(scope, b"accept") or "")


def message_key_and_values(message: TranslatableMessage) -> dict[str, object]:
    """Return the `key` and `values` of a message for an error's JSON, so that a page can translate it."""
    return message.to_json()


def response_to_exception(templates: Templates, scope: Scope, error: Exception) -> Response:
    """Return the response to an exception that a request raised.

    Unexpected errors are logged and answered with 500, without details.
    """
    english = templates.catalogues.english
    headers: Mapping[str, str] | None = None
    typed: str | None = None
    match error:
        case RuleError() | RoomError():
            status, code, said = STATUS.get(error.code, 400), error.code, error.sentence
        case UnknownRoomCode():
            status, code, said, typed = error.status, error.code, error.sentence, error.typed
        case HttpError():
            status, code, said, headers = error.status, error.code, error.sentence, error.headers
        case HTTPException():
            status, headers = error.status_code, error.headers
            code = CODES.get(status, "bad_request")
            said = {404: english.message("error.not_found"), 405: BAD_METHOD()}.get(status, BAD_REQUEST())
        case RequestValidationError():
            status, code, said = 422, "bad_request", _explain_validation_errors(error.errors())
        case StorageUnavailable():
            # Not logged here: Site.storage logs the failure once for all requests.
            status, code, said, headers = 503, "trouble", english.message("error.unavailable"), {"Retry-After": "5"}
        case DamagedRoom():
            status, code, said = 500, "damaged", english.message("error.damaged")
        case _:
            log.error("request failed", exc_info=error, client=client_key(scope))
            status, code, said = 500, "trouble", english.message("error.trouble")
    return error_response(templates, scope, status, code, said, headers, typed=typed)


def install_error_handlers(app: FastAPI, templates: Templates) -> None:
    """Have the application answer every exception with `response_to_exception`."""

    async def answered(request: Request, error: Exception) -> Response:
        return response_to_exception(templates, request.scope, error)

    for kind in (
        RuleError,
        RoomError,
        HttpError,
        HTTPException,
        RequestValidationError,
        StorageUnavailable,
        DamagedRoom,
        Exception,
    ):
        app.add_exception_handler(kind, answered)


def _explain_validation_errors(errors: Sequence[Mapping[str, Any]]) -> TranslatableMessage:
    """Return a translatable message for a former name among pydantic's errors, or else for the first error."""
    for error in errors:
        renamed = error_for_former_request_field(str(error["loc"][-1])) if error["type"] == "extra_forbidden" else None
        if renamed is not None:
            return renamed
    return _explain_validation_error(errors[0])


def _explain_validation_error(error: Mapping[str, Any]) -> TranslatableMessage:
    """Return an error of pydantic about a request as a message that names the field and can be translated.

    Reasons that can't be translated are quoted.
    """
    where = ".".join(str(part) for part in error["loc"] if part not in ("body", "query", "path")) or "body"
    if error["type"] == "missing":
        return MISSING(where=where)
    if error["type"] == "extra_forbidden":
        return NOT_ASKED_FOR(where=where)
    cause = error.get("ctx", {}).get("error")
    # Our own validators raise ValueError with a translatable message; pydantic's errors have only a text.
    return IS_WRONG(where=where, reason=cause.args[0] if isinstance(cause, ValueError) else str(error["msg"]))
