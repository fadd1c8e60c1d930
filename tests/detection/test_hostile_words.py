"""Markup in every field that a person, a source, a page or a model can fill."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client
from lxml import html

from detection import services
from detection.core import reports
from detection.core.messages import Message
from detection.core.types import DocumentLink, Evidence, FindingKind, Span, Verdict
from detection.models import Check, ShareLink, Source
from detection.services.runs import RunWriter
from tests.factories import DETECTOR, OWNER, finding, segment, start_run

pytestmark = pytest.mark.django_db

PAYLOADS = (
    "<script>alert(1)</script>",
    "</textarea></title></style><img src=x onerror=alert(1)>",
    "\"' onmouseover='alert(1)' autofocus onfocus=\"alert(1)\" x=",
    "<svg/onload=alert(1)>",
    "javascript:alert(1)//",
    '<a href="javascript:alert(1)">x</a>',
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "{{ settings.SECRET_KEY }}{% csrf_token %}${alert(1)}$text",
    "<!--<p hx-on:load=\"alert(1)\" hx-get='//evil.example/'>",
    "]]><x xlink:href='data:text/html,<script>alert(1)</script>'>",
    "<base href=//evil.example/><meta http-equiv=refresh content='0;//evil.example/'>",
    "\u202e<x>\u2028\\u003cscript\\u003e&lt;script&gt;&#60;script&#62;",
)
TAGS_OF_NO_PAGE = {"img", "iframe", "object", "embed", "base", "style", "applet", "math", "x"}
ADDRESSES = ("href", "src", "action", "formaction", "hx-get", "hx-post", "xlink:href")


def _check_full_of(payload: str) -> Check:
    text, sentences = segment(f"It was founded {payload} in 1894.")
    source = services.source_add_text(owner=OWNER, text=f"{payload} It was founded in 1849.", is_kept=True)
    Source.objects.filter(pk=source.pk).update(name=payload[:200], error=payload, url="https://example.org/")
    services.source_add_file(owner=OWNER, name=f"{payload}.pdf", data=payload.encode(), is_kept=True)
    check = services.check_create(owner=OWNER, text=text, topic=payload, prompt=payload, sources=[source])
    writer = RunWriter(start_run(check), detectors=(DETECTOR,))
    writer.write([reports.TextSegmented(sentences, topic=payload)])
    use = str(check.sources.get().pk)
    document = DocumentLink(title=payload, url=f"https://example.org/{payload}")
    evidence = (
        Evidence(payload, Span(0, len(payload)), source=use),
        Evidence(payload, Span(0, len(payload)), document=document),
        Evidence(payload, Span(0, len(payload))),
    )
    problem = finding(sentences, 0, "1894", f"{payload} 1849.", kind=FindingKind.CONFLICTS_WITH_SOURCE)
    found = replace(problem, message=Message(text=payload), explanation=payload, evidence=evidence, prompt=payload[:64])
    writer.write([reports.UnitDone(DETECTOR, 0, Verdict.CONTRADICTED, (found,))])
    Check.objects.filter(pk=check.pk).update(state=Check.State.FAILED, error=payload, waiting_reason=payload)
    services.share_create(check=check)
    return check


@pytest.mark.parametrize("payload", PAYLOADS)
def test_words_stay_words_on_every_page(owner: Client, payload: str) -> None:
    check = _check_full_of(payload)
    pages = [
        f"/checks/{check.pk}/",
        f"/checks/{check.pk}/sentences/0/",
        f"/shared/{ShareLink.objects.get().token}/",
        "/checks/",
        "/sources/",
        *(f"/sources/{source.pk}/" for source in Source.objects.all()),
        *(f"/sources/{source.pk}/delete/" for source in Source.objects.all()),
        "/sources/rows/?" + "&".join(f"id={source.pk}" for source in Source.objects.all()),
    ]
    answers = [owner.get(path) for path in pages]
    answers.append(owner.post("/checks/new/", {"text": payload, "topic": payload * 200, "prompt": payload}))
    answers.append(owner.post(f"/checks/{check.pk}/findings/{check.findings.get().pk}/edit/", {"wording": payload}))
    for answer in answers:
        if answer.status_code not in (302, 404):
            _assert_harmless(answer.content.decode())


def _assert_harmless(page: str) -> None:
    assert "SECRET_KEY }}" in page or "SECRET_KEY" not in page
    for element in html.document_fromstring(f"<div>{page}</div>" if "<html" not in page else page).iter():
        if not isinstance(element.tag, str):
            continue
        assert element.tag not in TAGS_OF_NO_PAGE, html.tostring(element)
        assert element.tag != "script" or element.get("src", "").startswith("/static/")
        assert element.tag != "meta" or element.get("http-equiv") is None
        for name, value in element.attrib.items():
            assert not str(name).startswith(("on", "hx-on", "style", "srcdoc")), html.tostring(element)
            if name in ADDRESSES:
                assert str(value).startswith(("/", "#", "?", "https://example.org/")), html.tostring(element)
                assert not str(value).startswith("//")
