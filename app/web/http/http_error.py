"""The error that refuses a request. Worker processes import it, so it needs no web framework."""

from collections.abc import Mapping

from app.engine.base.messages import TranslatableMessage


class HttpError(Exception):
    """Raised to refuse a request in the web layer: with HTTP status, error code, sentence and headers."""

    def __init__(
        self, status: int, code: str, sentence: TranslatableMessage, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.sentence = sentence
        self.headers = dict(headers or {})


def not_found_error(sentence: TranslatableMessage) -> HttpError:
    """Return, to be raised, a 404 error with this sentence."""
    return HttpError(404, "not_found", sentence)
