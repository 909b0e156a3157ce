"""Test that pages with cached templates equal pages that are rendered each time."""

import pytest

from app import resources
from app.web.assets.static_files import Assets
from app.web.assets.templates import Templates
from app.web.i18n.catalogues import Catalogues


@pytest.fixture(scope="module")
def templates() -> Templates:
    static = resources.static_folder()
    catalogues = Catalogues()
    return Templates(resources.templates_folder(), catalogues, Assets(static, catalogues.build_script_catalogues))


@pytest.mark.parametrize("page", ["table.html", "screen.html"])
@pytest.mark.parametrize("waits", [True, False])
def test_filling_in_a_cached_page_equals_rendering_it(templates: Templates, page: str, *, waits: bool) -> None:
    texts = templates.catalogues.english
    context = {"here_only": not waits, "own_face": waits, "waits": waits, "push": None if waits else "key"}
    for told in (
        {"code": "AB12", "room": "r1", "link": "http://a/j/x"},
        {"code": '"><b>', "room": "&", "link": "{{ 1 }}"},
    ):
        made = templates.render(page, texts, **told, **context)
        assert templates.render_prepared(page, texts, told, **context) == made
