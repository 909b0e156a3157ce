"""HEAD, everywhere: GET's answer without its body. Monitors and link checkers ask so."""

from app.web.client_address import Scope
from app.web.http.guards import ASGIApp, Message, Receive, Send


class Heads:
    """Asks the application inside for GET where HEAD was asked for, and keeps the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        asked = {**scope, "method": "GET"}

        async def headless(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        try:
            await self.app(asked, receive, headless)
        finally:
            # Those outside look for the route that was found inside.
            if "route" in asked:
                scope["route"] = asked["route"]
