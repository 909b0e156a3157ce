"""Jinja with the catalogue and the addresses of assets. Every page gets `t`, `listed`, `asset` and `version`."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.web.assets import Assets
from app.web.texts import Texts


class Templates:
    """The folder templates/, ready to be filled in."""

    def __init__(self, folder: Path, texts_file: Path, assets: Assets, *, watch: bool = False) -> None:
        self._texts_file = texts_file
        self._watch = watch
        self.texts = Texts.read(texts_file)
        self._assets = assets
        self._environment = Environment(
            loader=FileSystemLoader(folder),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=watch,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "sort_keys": False}

    def render(self, template: str, /, **context: Any) -> str:
        """The page as text."""
        if self._watch:
            self.texts = Texts.read(self._texts_file)
        return self._environment.get_template(template).render(
            t=self.texts.t,
            listed=self.texts.listed,
            has_text=self.texts.__contains__,
            asset=self._assets.url,
            version=self._assets.version,
            **context,
        )
