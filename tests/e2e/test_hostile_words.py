"""Hostile words in a real browser: through every field into every page, fragment and download, and nothing runs.

The pages are opened without the Content-Security-Policy, so that it is escaping alone that stands against them; that
the policy would stop them as well is a test of its own.
"""

from __future__ import annotations

import html
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from fpdf import FPDF
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from detection.core.types import FindingKind, text_hash
from detection.lab.benchmarks.server import Server
from tests.core.documents.files import word
from tests.fakes import page_server as site_pages
from tests.fakes import search_services
from tests.fakes.model_server import Asked, ModelServer, Reply, answering
from tests.fakes.page_server import PageServer
from tests.fakes.writing import prefix_of
from tests.hostile import CANARY, PAYLOADS
from tests.servers import server_with_model

pytestmark = pytest.mark.browser

PASSWORD = "correct horse battery staple"
#: What would run by itself on a page that shows it raw; the others want a click, or another place to stand in.
RUNS_RAW = 15

#: Markup that no page of ours has, wherever it comes from.
FIND_MARKUP = """(CANARY) => [...document.querySelectorAll("*")].flatMap((element) => {
  const name = element.tagName.toLowerCase();
  const found = [], STRANGE = "img iframe object embed base math marquee audio video animate template x".split(" ");
  if (STRANGE.includes(name)) found.push(name);
  const source = new URL(element.src || "about:", location);
  if (name === "script" && !source.pathname.startsWith("/static/")) found.push(name);
  if (name === "meta" && element.httpEquiv === "refresh") found.push("meta refresh");
  for (const {name: key, value} of element.attributes) {
    const isOurStyle = key === "style" && element === document.documentElement;
    if (/^(on|hx-on|srcdoc|xlink|style)/.test(key) && !isOurStyle) found.push(`${name} ${key}=${value}`);
    if (!["href", "src", "action", "formaction", "data", "hx-get", "hx-post"].includes(key)) continue;
    if (!/^(https?|file|about):$/.test(new URL(value, location).protocol)) found.push(`${key}=${value}`);
    if (value.includes(CANARY)) found.push(value);
  }
  return found;
})"""


class Watch:
    """What happens in a browser that should not: calls of ``hit``, dialogs, errors, requests to other places."""

    def __init__(self, context: BrowserContext, *own: str) -> None:
        self.hits: set[int] = set()
        self.strange: list[str] = []
        self._own = (*own, "data:", "file:", "blob:")
        context.expose_function("hit", lambda number=-1: self.hits.add(number))
        context.on("dialog", lambda dialog: (self.strange.append(f"dialog {dialog.message}"), dialog.dismiss()))
        context.on("request", self._requested)
        context.on("weberror", lambda error: self.strange.append(str(error.error)))

    def _requested(self, request: Request) -> None:
        if not request.url.startswith(self._own):
            self.strange.append(f"request to {request.url}")

    def assert_nothing_ran(self, where: str) -> None:
        assert (where, self.hits, self.strange) == (where, set(), [])


@pytest.fixture(scope="module")
def site() -> Iterator[PageServer]:
    """A search service, and the pages it finds: their titles and texts are hostile."""
    with PageServer({"/robots.txt": site_pages.Page(status=404)}).running() as running:
        urls = [running.url(f"/page-{number}") for number in range(3)]
        results = json.loads(search_services.searxng(urls).body)  # type: ignore[arg-type]
        for result, payload in zip(results["results"], PAYLOADS, strict=False):
            result |= {"title": payload, "content": payload}
        running.pages["/search"] = search_services.as_json(results)
        for number in range(3):
            running.pages[f"/page-{number}"] = hostile_page(PAYLOADS[number * 23 : number * 23 + 23])
        yield running


def hostile_page(payloads: tuple[str, ...]) -> site_pages.Page:
    """A web page that shows them as text, in its title, its headings and its paragraphs."""
    words = [html.escape(payload) for payload in payloads]
    body = "".join(f"<h2>{one}</h2><p>{FACTS} It says {one} on a sign at the gate of the harbour.</p>" for one in words)
    title = html.escape(" ".join(payloads))
    return site_pages.Page(f"<title>{title}</title><article>{body}</article>".encode())


FACTS = "The harbour of Karsholm was founded by Ada Lind in 1911. Its first crane was bought in 1914."


class HostileModel:
    """Answers every prompt in the form that it asks for, with hostile words wherever there is room for words."""

    def __init__(self) -> None:
        self._words = cycle(" ".join(PAYLOADS[start : start + 5])[:380] for start in range(0, len(PAYLOADS), 5))

    def __call__(self, asked: Asked) -> Reply:
        words, last = next(self._words), asked.last
        if asked.body.get("stream"):
            text = f"The harbour of Karsholm was founded in 1911 {words}. Its first crane was bought in 1941 {words}."
            return Reply(("END" if prefix_of(asked) else text,))
        if "Rewrite the question" in last:
            return Reply((f"Why did Ada Lind found the harbour of Karsholm in 1911 {PAYLOADS[25]}?",))
        if "takes for granted right?" in last:
            return _json(assumption=words, quote=FACTS[:56], reason=words, answer="no")
        if "Pick out the concepts" in last:
            return _json(questions=[{"words": "1941", "question": f"Was it in 1941? {words}"}])
        if "Take the sentence apart" in last:
            return _json(claims=[{"words": "1941", "claim": f"The crane was bought in 1941 {words}."}])
        if "passages, boundary" in last:
            return _json(quote="Its first crane was bought in 1914.", reason=words, answer="no")
        if "what was asked about the sentence" in last:
            return Reply((f"Its first crane was bought in 1914 {words}.",))
        if "So, are the two statements" in last:
            return Reply(("Yes",) * asked.samples)
        return Reply((words,) * asked.samples)


def _json(**values: object) -> Reply:
    return Reply((json.dumps(values),))


@pytest.fixture(scope="module")
def server(models: ModelServer, site: PageServer) -> Iterator[Server]:
    with (
        answering(models, HostileModel()),
        server_with_model(
            models,
            CHATPROTECT_SEARXNG_URL=site.url(""),
            CHATPROTECT_FETCH_ALLOW=site.host,
            CHATPROTECT_OFFER_LOGIN="1",
            CHATPROTECT_ADMIN_SECOND_FACTOR="0",
        ) as running,
    ):
        add_accounts(running)
        yield running


def add_accounts(server: Server) -> None:
    """An operator, and accounts with hostile names: what an operator's own tools would not refuse."""
    password = PBKDF2PasswordHasher().encode(PASSWORD, "salt", 1_000)
    with closing(sqlite3.connect(server.data_dir / "chatprotect.sqlite3")) as database, database:
        database.executemany(
            "INSERT INTO auth_user (username, first_name, last_name, email, password, is_superuser, is_staff,"
            " is_active, date_joined) VALUES (?, ?, ?, ?, ?, ?, ?, 1, '2026-01-01')",
            [
                (f"{payload}"[:150], payload[:150], payload[:150], payload[:254], password, not number, not number)
                for number, payload in enumerate(["operator", *PAYLOADS])
            ],
        )


@pytest.fixture(scope="module")
def defenceless(browser: Browser, server: Server) -> Iterator[tuple[Page, Watch]]:
    """A page of a browser that knows no Content-Security-Policy."""
    context = browser.new_context(base_url=server.url, bypass_csp=True, viewport={"width": 1280, "height": 860})
    watch = Watch(context, server.url)
    yield context.new_page(), watch
    context.close()


def look_at(page: Page, watch: Watch, where: str) -> None:
    """Nothing of the page that is open has run, or would if it were touched."""
    page.evaluate("dispatchEvent(new Event('load'))")  # what was to happen has happened when this comes back
    assert (where, page.evaluate(FIND_MARKUP, CANARY)) == (where, [])
    watch.assert_nothing_ran(where)


def visit(page: Page, watch: Watch, *paths: str) -> None:
    for path in paths:
        page.goto(path, wait_until="load")
        look_at(page, watch, path)


def shown(page: Page) -> str:
    """All text of a page, with what stands in its fields."""
    return str(
        page.evaluate(
            """[document.body.textContent]
            .concat([...document.querySelectorAll("input, textarea")].map((field) => field.value))
            .join("\\n")"""
        )
    )


def assert_shown(page: Page, payloads: tuple[str, ...] = PAYLOADS) -> None:
    """White space aside: sentences show line separators as spaces, and only one page of cards has each message."""
    text = " ".join(shown(page).split())
    assert [payload for payload in payloads if " ".join(payload.split()) not in text] == []


def chunks(limit: int) -> list[str]:
    """All of them, in as few pieces of at most so many characters as they fit into; none is cut."""
    found: list[str] = []
    for payload in (one.strip() for one in PAYLOADS if len(one) <= limit):
        if found and len(found[-1]) + 1 + len(payload) <= limit:
            found[-1] += f" {payload}"
        else:
            found.append(payload)
    return found


def assert_reasons(page: Page) -> None:
    text = " ".join(shown(page).split())
    assert [words for words in chunks(300) if " ".join(words.split()) not in text] == []


def submit(page: Page, path: str, fields: dict[str, str]) -> None:
    """Send a form from the page that is open, as its own script would."""
    with page.expect_navigation():
        page.evaluate(
            """([path, fields]) => {
              const form = document.createElement("form");
              form.method = "post"; form.action = path;
              const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
              for (const [name, value] of Object.entries({...fields, csrfmiddlewaretoken: token})) {
                const field = document.createElement("textarea");
                field.name = name; field.value = value; form.append(field);
              }
              document.body.append(form); form.submit();
            }""",
            [path, fields],
        )


def post(page: Page, path: str, fields: dict[str, str] | None = None, **options: Any) -> None:
    """Send a form without leaving the page that is open."""
    token = next(c["value"] for c in page.context.cookies() if c["name"] == "chatprotect_csrf")
    headers = {"X-CSRFToken": token, "HX-Request": "true", "Referer": page.url}
    answer = (
        page.request.post(path, form=fields, headers=headers, **options)
        if fields is not None
        else (page.request.post(path, headers=headers, **options))
    )
    assert answer.status < 400, (path, answer.status, answer.text()[:300])


# --- A file that holds a check ----------------------------------------------------------------------------------


def hostile_check() -> dict[str, Any]:
    """A saved check with every one of the words in every field that takes it."""
    sentences, text = [], ""
    kinds = cycle(FindingKind)
    for number, payload in enumerate(PAYLOADS):
        for is_found in (True, False):
            start = len(text)
            sentence = f"Number {number} {payload.strip()}"
            text += sentence + "\n"
            unit = unit_of(number, payload, next(kinds), start, sentence) if is_found else failed(payload)
            place = {"index": len(sentences), "start": start, "end": start + len(sentence), "text": sentence}
            sentences.append({**place, "block": number, "block_kind": "paragraph", "units": [unit]})
    everything = "\n".join(PAYLOADS)
    nobody = dict.fromkeys(("written_at", "started_at", "finished_at", "search_plan"))
    return {
        **nobody, "format": "chatprotect-check", "version": 1, "title": PAYLOADS[26] + PAYLOADS[33], "text": text,
        "prompt": everything[:2000], "is_generated": False, "topic": everything[:200], "topic_found": everything[-200:],
        "engine": "llm", "strictness": "balanced", "retriever": "searxng", "search_effort": "balanced",
        "search_plan": {"miss": 1.0, "false_alarm": 1.0, "retrieval": 0.1, "most_documents": 10}, "state": "failed",
        "error": everything[:2000], "sources": [source_of(number) for number in range(20)], "sentences": sentences,
        "decisions": [], "revised": text,
        "model_calls": [
            {"purpose": "premise", "prompt": "x", "model": payload[:200], "outcome": "failed", "reason": payload[:200],
             "seconds": 1.0, "prompt_tokens": None, "completion_tokens": None, "cost_usd": None, "detector": "",
             "sentences": []}
            for payload in PAYLOADS
        ],
    }  # fmt: skip


def source_of(number: int) -> dict[str, Any]:
    payloads = PAYLOADS[number * 4 % len(PAYLOADS) :][:4]
    text = "\n".join(PAYLOADS)
    labels = [{"kind": "heading", "label": payload, "start": 0, "end": len(text)} for payload in payloads]
    failed = number % 2
    return {
        "name": " ".join(payloads)[:200], "kind": "page", "state": "failed" if failed else "ready",
        "url": f"https://example.org/{number}?%3Cscript%3E", "error": "\n".join(payloads)[:2000] if failed else "",
        "text": "" if failed else text, "pages": None, "places": [] if failed else labels,
    }  # fmt: skip


def quote_of(payload: str, **place: Any) -> dict[str, Any]:
    whole = {"quote": payload, "start": 0, "end": len(payload), "sentence": None, "source": None, "document": None}
    return {**whole, "conflict": [[0, 1]], "score": 0.5, **place}


def unit_of(number: int, payload: str, kind: FindingKind, start: int, sentence: str) -> dict[str, Any]:
    address = f"https://example.org/{number}?q='onmouseover='hit({number})'"
    document = {"title": payload, "url": address}
    reading = {
        "title": payload, "url": address, "passage": payload, "quote": [0, len(payload)], "entailment": 0.5,
        "factual": 0.3, "source": None, "start": 0,
    }  # fmt: skip
    claim = {
        "claim": payload, "span": [start, start + 1], "documents": [reading], "stop": "decided",
        "skipped": [{**document, "reason": payload}],
    }  # fmt: skip
    suggestion = {
        "id": number, "sentence": 2 * number, "position": 0, "replacement": f"Number {number} better {payload.strip()}",
        "base_hash": text_hash(sentence), "method": "local", "verified": True, "label": payload[:80], "state": "open",
        "absorbed": None,
    }  # fmt: skip
    found = {
        "id": number, "fingerprint": f"{number:032x}", "kind": kind, "verdict": "contradicted", "score": 0.9,
        "start": start, "end": start + 6, "message": payload, "explanation": payload, "prompt": "x.v1", "state": "open",
        "evidence": [
            quote_of(payload, document=document),
            quote_of(payload, source=2 * (number % 10)),
            quote_of(sentence, sentence=2 * number, start=start, end=start + len(sentence), conflict=[]),
            quote_of(payload),
        ],
        "suggestions": [suggestion],
    }  # fmt: skip
    return {
        "detector": "evidence.v1" if number % 2 else "grounding.v1", "state": "done", "reason": "", "finished_at": None,
        "verdict": "contradicted", "evidence": [quote_of(payload, document=document)], "passages_read": 1,
        "passages_total": 2, "findings": [found],
        "search": {"retriever": "searxng", "most_documents": 10, "claims": [claim]} if number % 2 else None,
    }  # fmt: skip


def failed(payload: str) -> dict[str, Any]:
    return {
        "detector": "grounding.v1", "state": "failed", "reason": payload[:200], "verdict": "", "evidence": [],
        "passages_read": None, "passages_total": None, "search": None, "finished_at": None, "findings": [],
    }  # fmt: skip


# --- The tests --------------------------------------------------------------------------------------------------


def test_the_words_are_dangerous_and_the_policy_stops_them(browser: Browser, server: Server, site: PageServer) -> None:
    """Without this the other tests might look the wrong way."""
    raw = [f"<div>{payload}</div>" for payload in PAYLOADS[:25] + PAYLOADS[47:51]]
    breaking = [f"<input value={sign}{payload}{sign}>" for sign in "\"'" for payload in PAYLOADS[33:37]]
    context = browser.new_context()
    watch = Watch(context, site.url(""))
    page = context.new_page()
    for markup in (raw, breaking):
        site.pages["/raw"] = site_pages.Page("\n".join(markup).encode())
        page.goto(site.url("/raw"))
    assert len(watch.hits) >= RUNS_RAW, sorted(watch.hits)
    assert any(CANARY in strange for strange in watch.strange)
    assert page.evaluate(FIND_MARKUP, CANARY)
    context.close()

    guarded = browser.new_context(base_url=server.url)
    watch = Watch(guarded, server.url)
    page = guarded.new_page()
    page.goto("/")
    refused = page.evaluate(
        """(payloads) => new Promise((resolve) => {
          const refused = new Set();
          addEventListener("securitypolicyviolation", (event) => refused.add(event.effectiveDirective));
          for (const payload of payloads) {
            const place = document.createElement("div");
            document.body.append(place);
            place.innerHTML = payload;
          }
          const script = document.createElement("script");
          script.textContent = "hit(0)";
          document.body.append(script);
          setTimeout(() => resolve([...refused]), 500);
        })""",
        [payload for payload in PAYLOADS if "refresh" not in payload],
    )
    assert {"script-src-elem", "script-src-attr", "style-src-attr", "style-src-elem", "img-src"} <= set(refused)
    assert watch.hits == set()
    guarded.close()


def test_a_loaded_check_and_everything_a_person_types(defenceless: tuple[Page, Watch], tmp_path: Path) -> None:
    page, watch = defenceless
    everything = "\n".join(PAYLOADS)
    page.goto("/checks/")
    file = {"name": "check.json", "mimeType": "application/json", "buffer": json.dumps(hostile_check()).encode()}
    page.locator("#id_file").set_input_files([file])  # type: ignore[list-item]
    page.get_by_role("button", name="Load", exact=True).click()
    page.wait_for_url("**/checks/*-*/")
    address = page.url
    assert_shown(page)
    look_at(page, watch, "a loaded check")
    messages = page.locator(".card__message").all_text_contents()
    page.get_by_label("Pages of warnings").get_by_role("link", name="Next").click()
    page.wait_for_url("**/?warnings=2")
    assert_shown(page)
    look_at(page, watch, "the second page of a loaded check")
    messages += page.locator(".card__message").all_text_contents()
    assert sorted(messages) == sorted(PAYLOADS)
    page.goto(address)
    assert_shown(page)

    # Decisions with reasons and wordings while the page is open: what changed comes by the websocket.
    cards = page.locator(".card").evaluate_all("(cards) => cards.map((card) => card.dataset.finding)")
    actions = cycle(["reject", "dismiss"])
    for finding, words in zip(cards, chunks(300), strict=False):
        seen = page.locator(f"#card-{finding} [name=seen]").get_attribute("value") or ""
        post(page, f"{address}findings/{finding}/{next(actions)}/", {"reason": words, "seen": seen})
    seen = page.locator(f"#card-{cards[-1]} [name=seen]").get_attribute("value") or ""
    post(page, f"{address}findings/{cards[-1]}/edit/", {"wording": everything, "seen": seen})
    expect(page.locator(".card:not(.is-open)")).to_have_count(len(chunks(300)) + 1)
    assert_reasons(page)
    look_at(page, watch, "fragments")
    page.reload()
    assert_reasons(page)
    look_at(page, watch, "the same after a reload")
    page.evaluate("[...document.querySelectorAll('[data-ask]')].at(0)?.click()")
    expect(page.locator("#report h2, #report h3").first).to_be_visible()
    look_at(page, watch, "what is known of a sentence")

    post(page, f"{address}share/")
    page.reload()
    shared = page.locator("#share-link").get_attribute("href") or ""
    panes = ("decisions/", "accept-all/", "again/", "sentences/0/", "sentences/1/")
    visit(page, watch, shared, *(address + pane for pane in panes))

    # The report is opened from the disk, where no server sends a policy.
    report = tmp_path / "report.html"
    report.write_bytes(page.request.get(f"{address}exports/html/").body())
    page.goto(report.as_uri())
    look_at(page, watch, "the report")
    assert_reasons(page)
    for form in ("markdown", "text", "word", "json"):
        assert page.request.get(f"{address}exports/{form}/").ok, form

    # Sources, and what is typed into fields that come back with an answer.
    page.goto("/sources/")
    sources = page.locator("a[href^='/sources/']").evaluate_all("(links) => links.map((a) => a.getAttribute('href'))")
    visit(page, watch, "/sources/", *[path for path in sources if path != "/sources/"][:8])
    page.goto("/")
    fields = {"text": everything, "source": everything, "prompt": everything[:1500], "page": everything[:200]}
    submit(page, "/checks/new/", {**fields, "topic": everything, "api_key": everything[:400], "validation": everything})
    assert_shown(page)
    look_at(page, watch, "a refused form")
    submit(page, f"{address}again/", {"text": everything * 9})
    assert_shown(page)
    look_at(page, watch, "a refused text to check again")
    page.goto(f"{address}again/")
    page.locator("#id_text").fill(everything)
    expect(page.locator("#again-estimate")).to_contain_text("have changed")
    look_at(page, watch, "an estimate")
    page.goto("/checks/")
    for words in [words for words in chunks(200) if {'"', "'"} & {*words}]:
        page.locator("#words").fill(words)
        page.locator("#words").press("Enter")
        expect(page.locator("#words")).to_have_value(words.strip())
        look_at(page, watch, words)
    for words in chunks(120)[::4]:
        post(page, f"{address}rename/", {"title": words})
    visit(page, watch, "/checks/")
    visit(page, watch, "/accounts/login/?next=" + "%22%3E%3Cimg src=x onerror=hit(1)%3E", "/" + PAYLOADS[2])


def test_names_of_files_and_what_stands_in_them(defenceless: tuple[Page, Watch], site: PageServer) -> None:
    page, watch = defenceless
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=9)
    for payload in PAYLOADS[:40]:
        words = payload.encode("latin-1", "replace").decode("latin-1")
        pdf.start_section(words)
        pdf.multi_cell(0, 4, words, new_x="LMARGIN", new_y="NEXT")
    pdf.set_title(PAYLOADS[0])

    def build(document: Any) -> None:
        document.core_properties.title = PAYLOADS[0]
        for payload in PAYLOADS:
            document.add_heading(payload, level=2)
            document.add_paragraph(payload)

    page.goto("/sources/")
    names = [payload.replace("/", "\u2044") for payload in PAYLOADS]
    files = {
        f"{names[2]}.pdf": bytes(pdf.output()),
        f"{names[33]}.docx": word(build),
        f"{names[36]}.html": hostile_page(PAYLOADS).body,
        f"{names[26]}.md": "\n\n".join(f"# {payload}\n\n{payload}" for payload in PAYLOADS).encode(),
        **{f"{name}.txt": f"{name} was here.".encode() for name in names[:12]},
    }
    page.locator("#id_files").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files.items()]  # type: ignore[list-item]
    )
    page.locator("#id_page").fill(site.url("/page-1"))
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#source-list .is-queued, #source-list .is-reading")).to_have_count(0)
    look_at(page, watch, "the library")
    for suffix in (".pdf", ".docx", ".html", ".md"):
        page.goto("/sources/")
        page.locator(".library__item a", has_text=suffix).first.click()
        expect(page.locator(".excerpt")).to_be_visible()
        look_at(page, watch, suffix)
        assert "hit(39)" in shown(page), suffix


def test_what_a_model_and_a_search_say_while_the_page_is_open(defenceless: tuple[Page, Watch]) -> None:
    page, watch = defenceless
    page.goto("/")
    prompt = f"Why did Jon Berg found the harbour of Karsholm in 1911? {PAYLOADS[2]} {PAYLOADS[33]} Why?"
    page.get_by_label("Question or prompt").fill(prompt)
    page.get_by_label("A language model as well").check()
    page.locator("[name=retriever][value=searxng]").check()
    page.get_by_label("With evidence").check()
    page.get_by_role("button", name="Check", exact=True).click()
    premise = page.locator(".premise")
    expect(premise).to_be_visible()
    assert "onerror=hit(" in (premise.text_content() or "")
    look_at(page, watch, "a question that is decided on")
    page.get_by_role("button", name="Answer my original question").click()
    expect(page.locator("#progress:not([aria-busy])")).to_contain_text("checked")
    look_at(page, watch, "what was written and found")
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    look_at(page, watch, "with everything open")
    assert page.locator(".card").count() >= 1
    page.reload()
    look_at(page, watch, "the same after a reload")


def test_names_of_accounts(browser: Browser, server: Server) -> None:
    context = browser.new_context(base_url=server.url, bypass_csp=True)
    watch = Watch(context, server.url)
    page = context.new_page()
    for name in (PAYLOADS[2], "operator"):
        page.goto("/accounts/login/")
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("main").get_by_role("button", name="Log in").click()
        page.wait_for_url("/")
        look_at(page, watch, f"logged in as {name}")
        if name != "operator":
            page.get_by_role("button", name="Log out").click()
    page.goto("/admin/auth/user/?all=")
    names = page.locator("#result_list").text_content() or ""
    assert [payload for payload in PAYLOADS if payload[:150] not in names] == []
    watch.assert_nothing_ran("the list of accounts")
    page.goto("/admin/auth/user/3/change/")
    watch.assert_nothing_ran("an account")
    page.goto("/admin/auth/user/3/delete/")
    watch.assert_nothing_ran("an account that is to be deleted")
    context.close()
