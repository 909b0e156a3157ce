"""Pages that are rendered once and then only filled in are the same as pages rendered each time."""

import pytest

from app import resources
from app.web.assets.static_files import Assets
from app.web.assets.templates import Templates
from app.web.i18n.catalogues import Catalogues


@pytest.fixture(scope="module")
def templates() -> Templates:
    static = resources.static()
    catalogues = Catalogues(static / "messages")
    return Templates(resources.templates(), catalogues, Assets(static, catalogues.files))


@pytest.mark.parametrize("page", ["table.html", "screen.html"])
@pytest.mark.parametrize("waits", [True, False])
def test_a_page_that_is_only_filled_in_is_the_one_that_would_be_made(
    templates: Templates, page: str, *, waits: bool
) -> None:
    texts = templates.catalogues.english
    context = {"here_only": not waits, "waits": waits, "push": None if waits else "key"}
    for told in (
        {"code": "AB12", "room": "r1", "link": "http://a/j/x"},
        {"code": '"><b>', "room": "&", "link": "{{ 1 }}"},
    ):
        made = templates.render(page, texts, **told, **context)
        assert templates.fill_in(page, texts, told, **context) == made
