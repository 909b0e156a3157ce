"""Answer HEAD on every route as GET without the body. Monitors and link checkers use HEAD."""

from app.web.client_address import Scope
from app.web.http.guards import ASGIApp, Message, Receive, Send


class HeadRequestMiddleware:
    """Middleware that handles HEAD as GET and drops the body of the response, so that every route answers HEAD."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        get_scope = {**scope, "method": "GET"}

        async def headless(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        try:
            await self.app(get_scope, receive, headless)
        finally:
            # Outer middleware reads the route from the scope.
            if "route" in get_scope:
                scope["route"] = get_scope["route"]
