"""A small Wikipedia about a bridge that there is not, on a web site of this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from tests.fakes import search_services
from tests.fakes.page_server import Page, PageServer

ARTICLES = {
    "Sorrel Bridge": (
        "The Sorrel Bridge is a road bridge across the river Arn. It was opened in 1894 and designed by the engineer "
        "Ada Lind. The bridge is 210 metres long and rests on nine arches of grey stone. The town painted it in 1990."
    ),
    "Ada Lind": (
        "Ada Lind was a Norwegian engineer. She was born in Bergen in 1852. Lind designed the Sorrel Bridge, which was "
        "opened in 1894, and eleven other bridges. She died in Bergen in 1921."
    ),
    "Bridges of the Arn valley": (
        "Nine bridges cross the river Arn. The oldest of them stands at Tarn. The road bridge at Sorrel, the Sorrel "
        "Bridge, was opened in 1894 and has nine arches."
    ),
    "River Arn": (
        "The Arn is a river of the northern valley. It rises at Lake Ferrin and is 140 kilometres long. It is crossed "
        "by nine bridges, among them the Sorrel Bridge of 1894."
    ),
}


class _Everything(dict[str, Sequence[str]]):
    """Finds the same articles, whatever is asked."""

    def __init__(self, titles: Sequence[str]) -> None:
        super().__init__()
        self._titles = titles

    def get(self, words: str, default: Sequence[str] = ()) -> Sequence[str]:  # type: ignore[override]
        return self._titles


@contextmanager
def wikipedia(articles: Mapping[str, str] = ARTICLES) -> Iterator[PageServer]:
    """The site; its API is at ``/w/api.php``."""
    with PageServer({"/robots.txt": Page(status=404)}).running() as site:
        found = _Everything([*articles])
        site.pages["/w/api.php"] = search_services.wikipedia(site.url(""), articles, found)
        yield site
