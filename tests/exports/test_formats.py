"""Plain text, Markdown and the report: what they hold, and what they never do to whoever opens them."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from django.test import Client
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from detection.core.retrieval.links import site_of
from detection.core.types import BlockKind
from detection.exports import FORMATS
from detection.exports.document import document_of
from detection.exports.markdown import as_written, escaped
from detection.models import Check
from detection.selectors.detail import CheckDetail
from tests.exports.documents import TEXT, decided, sample


def written(format_id: str, detail: CheckDetail) -> str:
    return FORMATS[format_id].write(detail).decode()


# --- Blocks -----------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_document_has_the_blocks_of_the_text() -> None:
    blocks = document_of(sample()).blocks
    assert [(block.kind, block.marker, block.level) for block in blocks] == [
        (BlockKind.HEADING, "", 1),
        (BlockKind.PARAGRAPH, "", 0),
        (BlockKind.HEADING, "", 2),
        (BlockKind.LIST_ITEM, "1.", 0),
        (BlockKind.LIST_ITEM, "2.", 0),
        (BlockKind.LIST_ITEM, "3.", 0),
        (BlockKind.LIST_ITEM, "•", 1),
        (BlockKind.LIST_ITEM, "•", 1),
        (BlockKind.PARAGRAPH, ">", 0),
        (BlockKind.PARAGRAPH, "", 0),
        (BlockKind.CODE, "", 0),
        (BlockKind.PARAGRAPH, "", 0),
    ]
    assert [position for position, block in enumerate(blocks) if block.is_removed] == [4, 11]


@pytest.mark.django_db
def test_underlined_headings_keep_their_level() -> None:
    detail = decided("Sorrel\n======\n\nIt lies on a lake.\n\nSights\n------\n\nThere are two.\n\nPeople\n\nFew.", {})
    assert [block.level for block in document_of(detail).blocks if block.kind is BlockKind.HEADING] == [1, 2, 2]


# --- Each format ------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_plain_text_is_the_revised_text() -> None:
    detail = sample()
    assert written("text", detail) == detail.revised_text
    assert "1967" in detail.revised_text


@pytest.mark.django_db
def test_markdown_has_the_structure_of_the_text_and_the_warnings_below() -> None:
    text = written("markdown", sample())
    body, _, report = text.partition("\n---\n")
    assert "# The village of Sorrel\n\nSorrel has 1,200 inhabitants." in body
    assert "## Sights\n\n1. The old station, which closed in 1967.\n3. The church.\n   - with a tower" in body
    assert "```\ndef main():\n    return 1\n```" in body
    assert "lighthouse" not in body
    assert "### 1. Two sentences contradict each other: sentence 3 (very sure, 0.90)" in report
    assert "Sentence 3 could read: “It lies on the southern shore of Lake Ferrin.”" in report
    assert r"The lighthouse of 1888 \& its \<keeper\>." in report


def test_emphasis_and_links_of_the_text_are_kept_in_markdown() -> None:
    for text in ("It is **old** and `x < y`.", "See [the guide](https://guide.example/a_b).", "Two\nlines."):
        assert as_written(text) == text


HOSTILE = [
    "<script>alert(1)</script> It is.",
    "<img src=x onerror=alert(1)> It is.",
    "![](https://spy.example/?q=1) It is.",
    "[It](javascript:alert(1)) is.",
    "[It][a] is.\n[a]: javascript:alert(1)",
    "[a]: https://spy.example/",
    "<https://spy.example/> and <javascript:alert(1)>",
    "# It is no heading",
    "- It is no item",
    "12. It is no number",
    "> It is no quotation",
    "It is.\n===",
    "```It is no code",
    "&lt;script&gt;alert(1)&lt;/script&gt; \\<b>",
    "\u202eIt is.",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_a_text_holds_markdown_shows_it_and_does_nothing(text: str) -> None:
    assert_harmless(as_written(text))


MARKS = st.lists(st.sampled_from([*"<>&![]()`*_~#-+=.:|\\\"' \n1a", "https://x.example", "javascript:"]), max_size=25)


@given(MARKS.map("".join))
def test_escaped_text_reads_letter_by_letter(text: str) -> None:
    html = MarkdownIt("commonmark").renderInline(escaped(text))
    assert " ".join(_text_of(html).split()) == " ".join(text.split())


@given(MARKS.map("".join))
@example("    <")
@example("  \t# a")
def test_no_text_becomes_more_than_words_in_markdown(text: str) -> None:
    assert_harmless(as_written(text))


def assert_harmless(text: str) -> None:
    for token in MarkdownIt("commonmark").parse(text):
        assert token.type in ("paragraph_open", "inline", "paragraph_close")
        for child in token.children or ():
            assert child.type not in ("html_inline", "image")
            if child.type == "link_open":
                assert site_of(str(child.attrGet("href")))


@pytest.mark.django_db
def test_the_report_shows_text_warnings_and_what_was_not_checked() -> None:
    page = written("html", sample())
    assert "<del>1971</del>" in page
    assert "<ins>1967</ins>" in page
    assert page.count('class="note ') == 5
    assert "5 warnings, 1 not decided yet" in page.replace("</strong>", "")
    assert "“No problem found” does not mean “true”" in page
    stopped = sample()
    stopped.check.units.filter(sentence__index=1).update(state="failed", reason="It timed out.", verdict="")
    assert "It timed out." in written("html", CheckDetail(Check.objects.get(pk=stopped.check.pk)))


def _text_of(html: str) -> str:
    return unescape(re.sub("<br ?/?>", " ", html))


class Tags(HTMLParser):
    """Collects what a page could do."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


@pytest.mark.django_db
def test_the_report_runs_nothing_and_asks_for_nothing() -> None:
    corpus = "\n\n".join(f"{text} It was founded in 1894." for text in HOSTILE)
    attack = "</style></title></script><script>alert(1)</script><img src=x onerror=alert(1)>"
    detail = decided(corpus, {0: f"{attack} 1967."}, left_open={3: attack})
    Check.objects.filter(pk=detail.check.pk).update(title=attack, topic=attack, prompt=attack)
    page = written("html", CheckDetail(Check.objects.get(pk=detail.check.pk)))
    parser = Tags()
    parser.feed(page)
    assert not parser.tags & {"script", "img", "iframe", "object", "embed", "link", "base", "form", "svg", "video"}
    for name, value in parser.attributes:
        assert not name.startswith("on")
        assert name not in ("src", "srcset", "style", "action", "formaction", "background", "ping")
        assert name != "href" or value.startswith("#")
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page
    assert page.count("<style>") == page.count("</style>") == 1


# --- Downloads --------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("format_id", FORMATS)
def test_every_format_is_a_file_with_a_safe_name(owner: Client, format_id: str) -> None:
    check = decided('"../../etc/passwd\u202e" <b>Ünïcode</b> & סורל: CON. Two.', {}).check
    response = owner.get(f"/checks/{check.pk}/exports/{format_id}/")
    assert response.headers["Content-Type"] == FORMATS[format_id].media_type
    assert response.headers["Content-Disposition"].startswith("attachment;")
    name = FORMATS[format_id].file_name(check)
    assert re.fullmatch(r"checked-[\w-]{1,60}\.(txt|md|docx|html|json)", name)
    assert "ünïcode" in name


@pytest.mark.django_db
def test_a_title_without_letters_has_a_file_name_as_well() -> None:
    assert FORMATS["word"].file_name(Check(title="…/…")) == "checked-text.docx"


@pytest.mark.django_db
def test_the_page_offers_every_format_without_a_script(owner: Client) -> None:
    check = sample().check
    page = owner.get(f"/checks/{check.pk}/").content.decode()
    for format_id in FORMATS:
        assert f'href="/checks/{check.pk}/exports/{format_id}/"' in page
    assert owner.get(f"/checks/{check.pk}/exports/pdf/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("format_id", FORMATS)
def test_a_text_that_is_not_split_yet_can_be_taken_away(format_id: str) -> None:
    detail = decided(TEXT, {})
    detail.check.sentences.all().delete()
    detail.check.units.all().delete()
    assert FORMATS[format_id].write(CheckDetail(detail.check))


@pytest.mark.django_db
def test_words_of_a_warning_inside_a_change_lead_to_its_note() -> None:
    blocks = document_of(sample()).blocks
    station = next(block for block in blocks if block.marker == "1.")
    assert sum(len(stretch.ends) for stretch in station.stretches) == 1
