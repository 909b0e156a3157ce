"""Jinja templates with texts and asset URLs.

Every page gets `texts`, `t`, `listed`, `asset`, `has_asset`, `needed`, `version`, `operator`, `with_cards`,
`hyphenated`, `bird_svg`, `worn_svg`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.runtime import Context
from markupsafe import Markup, escape

from app.web.assets.drawings import bird_svg, worn_svg
from app.web.assets.static_files import Assets
from app.web.client_address import Scope
from app.web.i18n.catalogues import Catalogues, Texts
from app.web.i18n.soft_hyphens import add_soft_hyphens, load_words

_CARD = re.compile("((?:10|[2-9JQKA])[♣♦♥♠])")
_SUITS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}


def mark_cards(text: str) -> Markup:
    """Return a text as HTML in which cards, such as 7♣, look like cards.

    >>> mark_cards("Ana plays 7♣.")
    Markup('Ana plays <span class="mini" data-suit="c">7♣</span>.')
    """
    parts = _CARD.split(text)
    mini = Markup('<span class="mini" data-suit="{}">{}</span>')
    return Markup("").join(mini.format(_SUITS[part[-1]], part) if nth % 2 else part for nth, part in enumerate(parts))


@dataclass(frozen=True, slots=True)
class SiteOperator:
    """Who runs the server, for the foot of all pages."""

    name: str | None
    contact: str | None
    """An e-mail address or a URL."""
    privacy_url: str

    @property
    def contact_url(self) -> str | None:
        """The contact as a link, or None without a contact."""
        return f"mailto:{self.contact}" if self.contact and "://" not in self.contact else self.contact


class Templates:
    """Renders the page templates of a folder, with texts in the visitor's language."""

    def __init__(self, folder: Path, catalogues: Catalogues, assets: Assets, *, watch: bool = False) -> None:
        self._watch = watch
        self.catalogues = catalogues
        self._assets = assets
        self.operator: SiteOperator | None = None
        """Shown at the foot of all pages, if set before the first page."""
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

    def texts_for_request(self, scope: Scope, chosen: str | None = None) -> Texts:
        """Return the texts in the language of the request. `chosen`: the language of the person, if known.

        In watch mode, catalogue files are read again.
        """
        if self._watch:
            self.catalogues.reload()
        return self.catalogues.for_request(scope, chosen)

    def compile_steps(self) -> Iterable[Callable[[], object]]:
        """Return a function for each page template that compiles it, so that no visitor waits for it."""
        return [partial(self._environment.get_template, name) for name in self._environment.list_templates()]

    def render(self, template: str, texts: Texts, /, **context: Any) -> str:
        """Return a page as text: the template filled with these texts and values."""
        contexts: list[Context] = []
        page = self._environment.get_template(template).render(
            {_CONTEXTS: contexts},
            texts=texts,
            languages=self.catalogues.all_languages,
            operator=self.operator,
            t=texts.t,
            listed=texts.join_list,
            joined=texts.join_sentences,
            has_text=texts.__contains__,
            with_cards=mark_cards,
            hyphenated=partial(add_soft_hyphens, words=load_words(texts.language)),
            bird_svg=bird_svg,
            worn_svg=worn_svg,
            asset=self._assets.url,
            has_asset=self._assets.__contains__,
            needed=self._assets.initial_script_urls,
            version=self._assets.version,
            **context,
        )
        for each in contexts:
            for held in (each.vars, each.parent, each.exported_vars, each.blocks):
                held.clear()
        return page

    def render_prepared(self, template: str, texts: Texts, values: Mapping[str, str], /, **context: Any) -> str:
        """Return a frequently shown page as text, from a cached version that is filled with `values`.

        The page is rendered once for each language and `context`. Values of `context` must be hashable and few. The
        template may print each of the `values`, any number of times, and must not use them otherwise.
        """
        key = (template, texts.language, *context.items())
        parts = None if self._watch else self._prepared.get(key)
        if parts is None:
            marked = self.render(template, texts, **context, **{name: f"{_MARK}{name}{_MARK}" for name in values})
            parts = self._prepared[key] = marked.split(_MARK)
        # Every second part is the name of a value.
        return "".join([str(escape(values[part])) if nth % 2 else part for nth, part in enumerate(parts)])


_MARK = "\ue000"
"""Marks the names of values in a prepared page. A private-use character, which no text contains."""
_CONTEXTS = " contexts"
"""Context key for the list of all contexts of a page, with a name that templates can't use."""


class _Context(Context):
    """A template context that is cleared after rendering, to free the memory of the page's data.

    It forms reference cycles with its macros, which would keep the data.
    """

    def __init__(self, environment: Environment, parent: dict[str, Any], *given: Any, **more: Any) -> None:
        super().__init__(environment, parent, *given, **more)
        parent.get(_CONTEXTS, []).append(self)
