"""Static files, at URLs that change with the content.

Pages link to `/static/v-<hash of all files>/…`. Scripts and styles import each other by relative paths, so all files of
a page share one hash. After an upgrade, an old page loads its own files for a day (`other_versions.py`), and never a
new script.
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
from app.web.assets.other_versions import OtherVersions
from app.web.i18n.catalogues import LateFiles

CACHE_FOREVER = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
GZIPPED_SUFFIXES = frozenset({".js", ".css", ".svg", ".json"})
"""File types sent gzipped. `PageContext.compress_public_page` says which pages are, too."""
OUTDATED_HEADER = "X-Outdated"
"""Tells a page that its file belongs to an older version."""

mimetypes.add_type("application/json", ".map")  # source maps


class Assets(StaticFiles):
    """Serves `/static`: URLs with the hash of all files are cached for good, fixed names are revalidated."""

    def __init__(
        self,
        folder: Path,
        generate: Callable[[], Mapping[str, bytes | LateFiles]] = dict,
        *,
        watch: bool = False,
        sources: Path | None = None,
    ) -> None:
        """Serve `folder` and generated content: `generate` returns it by path, such as catalogues and bundles.

        With `watch`, content is generated again when a file in `folder` or `sources` changes.
        """
        super().__init__(directory=folder)
        self._folder = folder
        self._sources = sources
        self._make = generate
        self._generated = dict(generate())
        self._watch = watch
        self._stamp: object = None
        self._packed: dict[str, bytes] = {}
        self._needed: dict[tuple[str, ...], list[str]] = {}
        self._version = self._hash_files()
        self.other_versions: OtherVersions | None = None
        """The files of other versions; None while the server has no database, and in watch mode."""

    @property
    def version(self) -> str:
        """The hash of all static files, part of their URLs. In watch mode it follows changes of the files."""
        if self._watch and self._stamp != (stamp := self._modification_times()):
            self._generated = dict(self._make())
            self._stamp, self._version = stamp, self._hash_files()
        return self._version

    def url(self, path: str) -> str:
        """Return the URL of a static file for a page; it changes with the content of the files."""
        return f"/static/v-{self.version}/{path}"

    def __contains__(self, path: str) -> bool:
        """Return whether there is a generated file, such as a style sheet, at this path below `/static/`."""
        return path in self._generated

    def initial_script_urls(self, *names: str) -> list[str]:
        """Return the URLs of all files that these scripts load at the start, so that a page can preload them.

        Empty in watch mode: each module is loaded separately, and a preloaded file may be gone after a change of
        imports.
        """
        if self._watch:
            return []
        if names not in self._needed:
            files = js_bundles.initial_files(self._script_modules, *names)
            self._needed[names] = [self.url(f"js/{file}") for file in files]
        return self._needed[names]

    def preload_script_graph(self) -> None:
        """Compute which files each page's scripts load at the start, now, so that no request waits for it."""
        if not self._watch:
            self.initial_script_urls(*js_bundles.page_modules(self._script_modules))

    @cached_property
    def _script_modules(self) -> Mapping[str, js_bundles.Module]:
        """All scripts by name. Cached, as reading them takes the time of a hundred actions."""
        return js_bundles.read_modules(self._folder / "js")

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the response with a static file, compressed if the browser accepts that.

        An old hash gives the file of that version, or 404. So an old page never mixes scripts of two versions.
        """
        head, _, rest = path.partition("/")
        if not head.startswith("v-"):
            plain = await super().get_response(path, scope)
            plain.headers["Cache-Control"] = REVALIDATE
            return plain
        packs = "gzip" in Headers(scope=scope).get("accept-encoding", "")
        # In watch mode files change while pages are open.
        if head != f"v-{self.version}" and not self._watch:
            return await self._other_version(head.removeprefix("v-"), rest, packs=packs)
        answer: Response
        if rest in self._generated:
            answer = Response(self._generated_content(rest), media_type=mimetypes.guess_type(rest)[0])
        else:
            answer = await super().get_response(rest, scope)
        answer.headers["Cache-Control"] = REVALIDATE if self._watch else CACHE_FOREVER
        if self._watch or not packs or answer.status_code != 200 or Path(rest).suffix not in GZIPPED_SUFFIXES:
            return answer
        return self._gzip_response(rest, answer, scope["method"])

    def _generated_content(self, path: str) -> bytes:
        """Return the content of a generated file. It is made now if this is its first use."""
        content = self._generated[path]
        if isinstance(content, LateFiles):
            made = content.make()
            self._generated |= made
            return made[path]
        return content

    def _gzip_response(self, path: str, answer: Response, method: str) -> Response:
        """Return the response with its file compressed. Each file is compressed once and cached."""
        packed = self._packed.get(path)
        if packed is None:
            content = Path(answer.path).read_bytes() if isinstance(answer, FileResponse) else bytes(answer.body)
            packed = self._packed[path] = gzip.compress(content, mtime=0)
        headers = {
            "Content-Encoding": "gzip",
            "Vary": "Accept-Encoding",
            "Cache-Control": answer.headers["Cache-Control"],
            "Content-Length": str(len(packed)),
        }
        return Response(b"" if method == "HEAD" else packed, media_type=answer.media_type, headers=headers)

    async def _other_version(self, version: str, path: str, *, packs: bool) -> Response:
        """Return the response with a file of another version. Raises 404 if there is none."""
        file = None if self.other_versions is None else await self.other_versions.find(version, path)
        if file is None:
            raise HTTPException(404)
        headers = {"Cache-Control": CACHE_FOREVER, **({OUTDATED_HEADER: "1"} if file.is_outdated else {})}
        content = file.content
        if Path(path).suffix in GZIPPED_SUFFIXES:
            headers["Vary"] = "Accept-Encoding"
            if packs:
                headers["Content-Encoding"] = "gzip"
            else:
                content = gzip.decompress(content)
        return Response(content, headers=headers, media_type=mimetypes.guess_type(path)[0])

    def page_files(self) -> list[str]:
        """Return the paths of all files that pages load; no sources of bundles."""
        names = (file.relative_to(self._folder).as_posix() for file in self._files() if file.suffix != ".js")
        return [*dict.fromkeys((*(path for path in self._generated if not path.endswith(".map")), *names))]

    def pack_files(self) -> dict[str, bytes]:
        """Return these files by path, compressed as they are sent. Late ones are made, but not kept in memory."""
        files: dict[str, bytes] = {}
        for path in self.page_files():
            content = self._generated.get(path)
            if content is None:
                files[path] = (self._folder / path).read_bytes()
            elif not isinstance(content, LateFiles):
                files[path] = content
            elif path not in files:
                files |= content.make()
        return {
            path: gzip.compress(content, mtime=0) if Path(path).suffix in GZIPPED_SUFFIXES else content
            for path, content in files.items()
        }

    def _files(self) -> list[Path]:
        return sorted(path for path in self._folder.rglob("*") if path.is_file())

    def _modification_times(self) -> object:
        sources = () if self._sources is None else self._sources.iterdir()
        return [(path, path.stat().st_mtime_ns) for path in (*self._files(), *sorted(sources))]

    def _hash_files(self) -> str:
        whole = hashlib.sha256()
        for path in self._files():
            whole.update(str(path.relative_to(self._folder)).encode())
            whole.update(hashlib.sha256(path.read_bytes()).digest())
        for generated, content in sorted(self._generated.items()):
            whole.update(generated.encode())
            whole.update(content.digest if isinstance(content, LateFiles) else content)
        return whole.hexdigest()[:12]
