from __future__ import annotations

import lxml.html
import pytest

from detection.core.documents.readers.html_blocks import visible_blocks
from detection.core.errors import UnreadableDocument
from detection.core.types import PlaceKind

from .files import labels, read

STORY = "The yard built forty ships before the first war, and after it the yard turned to bridges. " * 3
PAGE = f"""<!DOCTYPE html>
<html><head><title>Karsholm &amp; sons</title><style>p {{ color: red }}</style><script>var a = "script";</script></head>
<body><nav><ul><li><a href="/">Home</a></li><li>Menu of the page</li></ul></nav>
<article><h1>The harbour</h1><p>It was <b>founded</b> in
1911<script>alert("script")</script> by Ada&nbsp;Lind.<br>It is old.</p><p>{STORY}</p>
<h2>Finances</h2><ul><li>Rents</li><li><p>Duties</p></li></ul>
<table><tr><th>Year</th><th>Revenue</th></tr><tr><td>1911</td><td><p>5</p></td></tr></table>
<p hidden>Nobody sees this.</p><p>{STORY}</p></article>
<footer>Imprint and contact</footer></body></html>"""


def test_the_main_text_of_a_page_is_read_and_what_surrounds_it_is_not() -> None:
    document = read(PAGE.encode())
    assert document.title == "Karsholm & sons"
    assert document.text.split("\n\n") == [
        "The harbour",
        "It was founded in 1911 by Ada Lind.\nIt is old.",
        STORY.strip(),
        "Finances",
        "- Rents\n- Duties",
        "| Year | Revenue |\n| 1911 | 5 |",
        STORY.strip(),
    ]
    (first, its_text), (second, rest) = labels(document, PlaceKind.HEADING)
    assert (first, second) == ("The harbour", "Finances")
    assert its_text + rest == document.text


def test_a_page_of_a_few_words_is_read_whole() -> None:
    document = read(b"<html><body><div>One word.</div><div>Two <i>words</i>.</div><table><tr><td>1<td>2</table></body>")
    assert document.text == "One word.\n\nTwo words.\n\n| 1 | 2 |"


def test_a_page_laid_out_as_a_table_is_read_as_paragraphs() -> None:
    document = read(b"<html><table><tr><td><h1>A</h1><p>One.</p><p>Two.</p></td><td><p>Three.</p></td></tr></table>")
    assert document.text == "A\n\nOne.\n\nTwo.\n\nThree."


def test_a_page_of_scripts_has_no_text() -> None:
    page = (
        b"<html><head><title>App</title></head><body>" + b"<script>var x = 'text';</script>" * 2000 + b"</body></html>"
    )
    with pytest.raises(UnreadableDocument, match="no text"):
        read(page)


@pytest.mark.parametrize("element", ["article", "main", "section"])
def test_a_page_without_a_body_that_begins_with_a_newer_element_is_read(element: str) -> None:
    """libxml2 does not know these elements, and leaves them in the head of the page."""
    page = f"<title>Gates</title><meta name=a content=b><{element}><p>It has two gates.</p></{element}>"
    document = read(page.encode(), "a.html")
    assert (document.title, document.text) == ("Gates", "It has two gates.")


@pytest.mark.parametrize("declaration", ['<meta charset="windows-1250">', ""])
def test_a_page_says_which_encoding_it_is_in_or_the_server_does(declaration: str) -> None:
    page = f"<html><head>{declaration}</head><body><p>Zażółć gęślą jaźń</p></body></html>".encode("cp1250")
    media_type = "" if declaration else "text/html; charset=windows-1250"
    assert read(page, media_type=media_type).text == "Zażółć gęślą jaźń"


def test_html_without_its_root_is_told_by_name_or_type() -> None:
    assert read(b"<p>One.</p>", "a.HTM").text == "One."
    assert read(b"<p>One.</p>", media_type="text/html").text == "One."
    assert read(b"<p>One.</p>").text == "<p>One.</p>"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("<div>" * 50_000 + "deep" + "</div>" * 50_000 + "<p>after</p>", id="deep"),
        pytest.param("<p>" + "word " * 2_100_000 + "</p><p>after</p>", id="long"),
    ],
)
def test_what_the_parser_would_cut_is_refused(body: str) -> None:
    with pytest.raises(UnreadableDocument, match="nested too deeply"):
        read(f"<html><body>{body}".encode())


def test_entities_do_not_grow() -> None:
    entities = "".join(f'<!ENTITY e{i + 1} "{f"&e{i};" * 10}">' for i in range(9))
    page = f'<!DOCTYPE html [<!ENTITY e0 "ha">{entities}]><html><body><p>One. &e9; Two.</p></body></html>'
    assert len(read(page.encode(), "a.html").text) < 2000


def test_items_of_numbered_lists_keep_their_numbers() -> None:
    page = "<html><body><p>Rules.</p><ol><li>Open.<li><p>Close.</p><ul><li>A key</ul><li>Lock.</ol><ul><li>A lamp</ul>"
    assert read(page.encode()).text == "Rules.\n\n1. Open.\n2. Close.\n- A key\n3. Lock.\n- A lamp"


def test_a_list_that_begins_later_keeps_its_numbers_in_the_main_text() -> None:
    words = "The harbour of Orla has rules that every boat has to keep, whatever its size and flag. " * 3
    items = '<ol start="4"><li>Moor at the north quay only.<li value="9">Pay before noon on the first day.</ol>'
    page = (
        f"<html><body><nav>Home</nav><article><h1>Rules</h1><p>{words}</p>{items}<p>{words}</p></article></body></html>"
    )
    text = read(page.encode()).text
    assert "4. Moor at the north quay only." in text
    assert "9. Pay before noon on the first day." in text
    assert "1. Moor" not in text


PAGE_OF_DIVS = """<html><body><div id="menu"><a href="/">Home</a> | <a href="/about">About</a></div>
<div class="content"><h1>Marten Bridge</h1><p>The Marten Bridge was opened in 1932.</p>
<h2>Facts</h2><ul><li>Length: 820 m</li><li>Height: 54 m</li></ul>
<table><caption>Numbers</caption><tr><th>Property</th><th>Value</th></tr><tr><th>Opened</th><td>1933</td></tr></table>
</div><div id="footer">Copyright 2023 Example Ltd.</div></body></html>"""
BETWEEN_DIVS = [
    "Marten Bridge",
    "The Marten Bridge was opened in 1932.",
    "Facts",
    "- Length: 820 m\n- Height: 54 m",
    "Numbers",
    "| Property | Value |\n| Opened | 1933 |",
]


def test_a_page_of_unnamed_elements_keeps_its_headings_lists_and_tables() -> None:
    assert read(PAGE_OF_DIVS.encode()).text.split("\n\n") == BETWEEN_DIVS


def test_all_of_a_document_without_a_site_is_read() -> None:
    page = (
        "<html><body><h2>Overview</h2><p>The <b>lamp</b> weighs 300 g.</p>"
        "<table><tr><th>Property</th><th>Value</th></tr><tr><td>Weight</td><td>350 g</td></tr></table>"
        "<ol start=3><li><p>Charge it.</p></li><li>Use it.</li></ol><blockquote>Good light.</blockquote></body></html>"
    )
    assert read(page.encode()).text.split("\n\n") == [
        "Overview",
        "The lamp weighs 300 g.",
        "| Property | Value |\n| Weight | 350 g |",
        "3. Charge it.\n4. Use it.",
        "Good light.",
    ]


def test_a_menu_is_left_out_if_it_is_made_of_links() -> None:
    links = '<div class="menu"><a href="/">Home</a> <a href="/news">News</a></div>'
    dishes = '<div class="menu"><p>Soup of the day: four crowns.</p><p>Fish: nine crowns.</p></div>'
    tree = lxml.html.document_fromstring(f"<html><body>{links}{dishes}</body></html>")
    assert [block.text for block in visible_blocks(tree, without_surroundings=True)] == [
        "Soup of the day: four crowns.",
        "Fish: nine crowns.",
    ]


def test_the_heading_above_the_main_text_is_read() -> None:
    page = f"<html><body><script>1</script><h1>The inn</h1><p>{STORY}</p></body></html>"
    assert read(page.encode()).text.split("\n\n") == ["The inn", STORY.strip()]


@pytest.mark.parametrize("site", ["", "<nav><a href='/'>Home</a></nav>"])
def test_a_term_and_its_description_are_one_item(site: str) -> None:
    terms = "<dl><dt>Length<dd>82 m<dt>Speed<dd><p>14 knots</p><p>At sea.</p></dl>"
    page = f"<html><body>{site}<h1>The Alder</h1><p>{STORY}</p>{terms}<p>{STORY}</p></body></html>"
    assert "- Length: 82 m\n- Speed: 14 knots\n\nAt sea." in read(page.encode()).text


def test_a_table_that_the_extraction_drops_is_read_between_the_paragraphs() -> None:
    rows = "".join(f"<tr><td>{name}</td><td>{length} m</td></tr>" for name, length in [("Alder", 82), ("Birch", 64)])
    table = f'<div class="ad-box related"><table><tr><th>Ferry</th><th>Length</th></tr>{rows}</table></div>'
    page = f"<html><body><nav>Home</nav><article><p>{STORY}</p>{table}<p>{STORY}</p></article></body></html>"
    assert "| Ferry | Length |\n| Alder | 82 m |\n| Birch | 64 m |" in read(page.encode()).text


def test_the_header_of_an_article_has_its_title() -> None:
    title = '<header><h1><a href="/inn">The inn</a></h1></header>'
    page = f'<html><body><header><a href="/">Home</a></header><article>{title}<p>{STORY}</p></article></body></html>'
    assert read(page.encode()).text.split("\n\n") == ["The inn", STORY.strip()]
