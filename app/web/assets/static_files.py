"""What browsers fetch as it is, under addresses that change with the content.

Every page links `/static/v-<hash of all of it>/…`; scripts and styles import each other by relative paths, so all that
a page loads stands under the same hash. After a deploy an old page can't get a new script: its address is gone.
"""

import gzip
import hashlib
import mimetypes
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.web.assets import js_bundles

FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
PACKED = frozenset({".js", ".css", ".svg", ".json"})
"""Kinds of files that are sent packed to whoever can unpack them. Pages are not: they hold secrets of their own."""

mimetypes.add_type("application/json", ".map")  # source maps


class Assets(StaticFiles):
    """`/static`: with the hash for pages, without it (and asking again each time) for what has to have a fixed name."""

    def __init__(self, folder: Path, made: Callable[[], Mapping[str, bytes]] = dict, *, watch: bool = False) -> None:
        """`made` gives what is no file, or more than its file, by path: the catalogues of texts, stylesheets
        with their parts."""
        super().__init__(directory=folder)
        self._folder = folder
        self._make = made
        self._made = made()
        self._watch = watch
        self._stamp: object = None
        self._packed: dict[str, bytes] = {}
        self._needed: dict[tuple[str, ...], list[str]] = {}
        self._version = self._hash()

    @property
    def version(self) -> str:
        """The hash of all files. Where files are watched, as they are now."""
        if self._watch and self._stamp != (stamp := self._stamps()):
            self._made = self._make()
            self._stamp, self._version = stamp, self._hash()
        return self._version

    def url(self, path: str) -> str:
        """The address of a file for a page."""
        return f"/static/v-{self.version}/{path}"

    def needed(self, *names: str) -> list[str]:
        """The addresses of all files with which these scripts begin. None where files are watched: each comes by
        itself, and who changes imports would wait for what is gone."""
        if self._watch:
            return []
        if names not in self._needed:
            files = js_bundles.needed(self._scripts, *names)
            self._needed[names] = [self.url(f"js/{file}") for file in files]
        return self._needed[names]

    def read_scripts(self) -> None:
        """See now what imports what, so that nobody waits for it later."""
        if not self._watch:
            self.needed(*js_bundles.pages(self._scripts))

    @cached_property
    def _scripts(self) -> Mapping[str, js_bundles.Module]:
        """All of them, by name: to read them takes as long as a hundred actions, and every kind of page asks."""
        return js_bundles.sources(self._folder / "js")

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, if the version in its address is ours."""
        head, _, rest = path.partition("/")
        if not head.startswith("v-"):
            plain = await super().get_response(path, scope)
            plain.headers["Cache-Control"] = ASK_AGAIN
            return plain
        # Who watches files changes them while pages are open; else another version is an error, not a mix.
        if head != f"v-{self.version}" and not self._watch:
            raise HTTPException(404)
        answer: Response
        if rest in self._made:
            answer = Response(self._made[rest], media_type=mimetypes.guess_type(rest)[0])
        else:
            answer = await super().get_response(rest, scope)
        answer.headers["Cache-Control"] = ASK_AGAIN if self._watch else FOREVER
        packs = "gzip" in Headers(scope=scope).get("accept-encoding", "")
        if self._watch or not packs or answer.status_code != 200 or Path(rest).suffix not in PACKED:
            return answer
        return self._pack(rest, answer, scope["method"])

    def _pack(self, path: str, answer: Response, method: str) -> Response:
        """The same, packed. Files are few and never change while we run, so each is packed once and kept."""
        packed = self._packed.get(path)
        if packed is None:
            packed = self._packed[path] = gzip.compress(
                Path(answer.path).read_bytes() if isinstance(answer, FileResponse) else bytes(answer.body), mtime=0
            )
        headers = {
            "Content-Encoding": "gzip",
            "Vary": "Accept-Encoding",
            "Cache-Control": answer.headers["Cache-Control"],
            "Content-Length": str(len(packed)),
        }
        return Response(b"" if method == "HEAD" else packed, media_type=answer.media_type, headers=headers)

    def _files(self) -> list[Path]:
        return sorted(path for path in self._folder.rglob("*") if path.is_file())

    def _stamps(self) -> object:
        return [(path, path.stat().st_mtime_ns) for path in self._files()]

    def _hash(self) -> str:
        whole = hashlib.sha256()
        for path in self._files():
            whole.update(str(path.relative_to(self._folder)).encode())
            whole.update(hashlib.sha256(path.read_bytes()).digest())
        for made, content in sorted(self._made.items()):
            whole.update(made.encode())
            whole.update(content)
        return whole.hexdigest()[:12]
