from __future__ import annotations

import pytest

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
