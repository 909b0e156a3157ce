"""Jinja with the catalogues and the addresses of assets.

Every page gets `texts`, `t`, `listed`, `asset`, `needed`, `version`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.runtime import Context
from markupsafe import escape

from app.web.assets.static_files import Assets
from app.web.client_address import Scope
from app.web.i18n.catalogues import Catalogues, Texts


class Templates:
    """The folder templates/, ready to be filled in."""

    def __init__(self, folder: Path, catalogues: Catalogues, assets: Assets, *, watch: bool = False) -> None:
        self._watch = watch
        self.catalogues = catalogues
        self._assets = assets
        self._prepared: dict[object, list[str]] = {}
        self._environment = Environment(
            loader=FileSystemLoader(folder),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=watch,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.context_class = _Context
        self._environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "sort_keys": False}

    def texts(self, scope: Scope) -> Texts:
        """The catalogue of whoever asks."""
        if self._watch:
            self.catalogues.refresh()
        return self.catalogues.of(scope)

    def compile(self) -> None:
        """Compile every template now, so that nobody waits for it later."""
        for name in self._environment.list_templates():
            self._environment.get_template(name)

    def render(self, template: str, texts: Texts, /, **context: Any) -> str:
        """The page as text, in this language."""
        made: list[Context] = []
        page = self._environment.get_template(template).render(
            {_MADE: made},
            texts=texts,
            languages=self.catalogues.all,
            t=texts.t,
            listed=texts.listed,
            has_text=texts.__contains__,
            asset=self._assets.url,
            needed=self._assets.needed,
            version=self._assets.version,
            **context,
        )
        for each in made:
            for held in (each.vars, each.parent, each.exported_vars, each.blocks):
                held.clear()
        return page

    def fill_in(self, template: str, texts: Texts, told: Mapping[str, str], /, **context: Any) -> str:
        """The page as `render` makes it, for one that is shown all the time: it is made once for each `context`, whose
        values are few and can be compared, and what is `told` is only filled in.

        The template may write each of that down, as often as it likes, and do nothing else with it.
        """
        key = (template, texts.language, *context.items())
        parts = None if self._watch else self._prepared.get(key)
        if parts is None:
            marked = self.render(template, texts, **context, **{name: f"{_MARK}{name}{_MARK}" for name in told})
            parts = self._prepared[key] = marked.split(_MARK)
        # Each other part is the name of what stands there.
        return "".join([str(escape(told[part])) if nth % 2 else part for nth, part in enumerate(parts)])


_MARK = "\ue000"
"""Beside each name in a page that is to be filled in. No text has this character, which is nobody's."""
_MADE = " made"
"""What no template can name: all contexts of a page that is being made."""


class _Context(Context):
    """Is let go of with its page. It holds the macros that it knows, and they hold it, with all that the page shows."""

    def __init__(self, environment: Environment, parent: dict[str, Any], *given: Any, **more: Any) -> None:
        super().__init__(environment, parent, *given, **more)
        parent.get(_MADE, []).append(self)
