"""The forms of a check. A refused form is shown again with its whole input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from ... import wiring
from ...core.active_generation.types import ValidationMode
from ...core.language.english import is_in_other_language
from ...core.llm.endpoint import Effort
from ...core.plain_text import find_unprintable, normalise_line_ends, remove_unprintable
from ...core.retrieval.library_retriever import LibraryRetriever
from ...core.types import Engine, Strictness
from ...models import Source
from ...services import source_add_text, user_key_of
from ...services.checks import MAX_PROMPT_CHARS
from ..parameters import uuids
from .search import SearchForm
from .sources import MAX_SOURCES, AddSourcesForm, too_many_sources

_SOURCE_FIELDS = {"source", "sources", "uploads", "page"}
_GONE = gettext_lazy("A source that was chosen is no longer there. Take it out, or add it again.")
_OTHER_LANGUAGE = gettext_lazy(
    "This text is not in English, and only English can be checked. Nothing was checked or sent to a model."
)
_ONLY_SPACE = gettext_lazy("The text holds nothing but white space. Paste a text first.")

#: By the name of the field.
_UNPRINTABLE = {
    "text": ngettext_lazy(
        "The text holds %(count)s character that cannot be shown (%(first)s, in line %(line)s).",
        "The text holds %(count)s characters that cannot be shown (the first, %(first)s, in line %(line)s).",
        "count",
    ),
    "prompt": ngettext_lazy(
        "The prompt holds %(count)s character that cannot be shown (%(first)s, in line %(line)s).",
        "The prompt holds %(count)s characters that cannot be shown (the first, %(first)s, in line %(line)s).",
        "count",
    ),
    "source": ngettext_lazy(
        "The source holds %(count)s character that cannot be shown (%(first)s, in line %(line)s).",
        "The source holds %(count)s characters that cannot be shown (the first, %(first)s, in line %(line)s).",
        "count",
    ),
}
_TOO_LONG = {
    "text": gettext_lazy(
        "The text has %(length)s characters; the limit is %(limit)s. Shorten it, or check it in parts. "
        "Nothing was lost: it is still below."
    ),
    "prompt": gettext_lazy(
        "The prompt has %(length)s characters; the limit is %(limit)s. Shorten it, or check it in parts. "
        "Nothing was lost: it is still below."
    ),
    "source": gettext_lazy(
        "The source has %(length)s characters; the limit is %(limit)s. Shorten it, or check it in parts. "
        "Nothing was lost: it is still below."
    ),
}


class PlainTextField(forms.CharField):
    """A long text. Line ends are normalised; unprintable characters are refused, or removed on request."""

    widget = forms.Textarea

    def __init__(self, **options: Any) -> None:
        super().__init__(strip=False, **options)
        self.validators = []  # Django's message about null characters does not say what to do

    def to_python(self, value: Any) -> str:
        return normalise_line_ends(super().to_python(value) or "")


class TextForm(forms.Form):
    """A text to check."""

    text = PlainTextField(required=False)
    remove_unprintable = forms.BooleanField(required=False)

    def clean_text(self) -> str:
        return self._clean_plain_text("text", settings.MAX_TEXT_CHARS)

    @property
    def has_unprintable(self) -> bool:
        """True if the form was refused for unprintable characters, so that the page can offer to remove them."""
        return any(self.has_error(name, code="unprintable") for name in ("text", "prompt", "source"))

    def _clean_plain_text(self, name: str, limit: int) -> str:
        text: str = self.cleaned_data[name]
        if self.data.get("remove_unprintable"):
            text = remove_unprintable(text)
        unprintable = find_unprintable(text)
        if unprintable is not None:
            first = f"U+{ord(unprintable.first):04X}"
            told = {"count": unprintable.count, "first": first, "line": unprintable.line}
            raise forms.ValidationError(_UNPRINTABLE[name] % told, code="unprintable")
        if len(text) > limit:
            raise forms.ValidationError(_TOO_LONG[name] % {"length": f"{len(text):,}", "limit": f"{limit:,}"})
        return text


class AgainForm(TextForm):
    """A new version of a text that was checked."""

    def clean_text(self) -> str:
        text = super().clean_text()
        if not text.strip():
            raise forms.ValidationError(_ONLY_SPACE)
        return text


class CheckForm(TextForm, SearchForm, AddSourcesForm):
    """A text to check, with its sources: pasted, as files, from the web, or added before."""

    prompt = PlainTextField(required=False)
    source = PlainTextField(required=False)
    sources = forms.ModelMultipleChoiceField(
        Source.objects.none(),
        required=False,
        error_messages={"invalid_choice": _GONE, "invalid_pk_value": _GONE},
    )
    topic = forms.CharField(required=False, max_length=200)
    strictness = forms.ChoiceField(
        choices=[(member.value, member.value) for member in Strictness], initial=Strictness.BALANCED, required=False
    )
    engine = forms.ChoiceField(choices=[(member.value, member.value) for member in Engine], required=False)
    validation = forms.ChoiceField(choices=[(member.value, member.value) for member in ValidationMode], required=False)
    api_key = forms.CharField(required=False, max_length=500)
    model = forms.CharField(required=False, max_length=200)
    effort = forms.ChoiceField(choices=[(member.value, member.value) for member in Effort], required=False)

    def __init__(
        self, *arguments: Any, owner: str = "", chosen: Mapping[str, str] | None = None, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self._owner = owner
        self._chosen = dict(chosen or {})
        if owner:
            field = cast("forms.ModelMultipleChoiceField[Source]", self.fields["sources"])
            field.queryset = Source.objects.filter(owner=owner).defer(*Source.LONG_FIELDS)

    def clean_text(self) -> str:
        text = super().clean_text()
        if is_in_other_language(text):
            raise forms.ValidationError(_OTHER_LANGUAGE, code="language")
        return text

    def clean_prompt(self) -> str:
        return self._clean_plain_text("prompt", MAX_PROMPT_CHARS)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        count = len(values.get("sources", ())) + len(values.get("uploads", ()))
        count += bool(values.get("page")) + bool(values.get("source", "").strip())
        if count > MAX_SOURCES:
            self.add_error(None, too_many_sources(count))
        if values.get("retriever") == LibraryRetriever.name and not count and not self.errors.keys() & _SOURCE_FIELDS:
            self.add_error("retriever", _("To look for evidence in your sources, add one, or choose another place."))
        if self._lacks_search_key(values):
            self.add_error("search_key", _("This search needs a key. Enter yours, or choose another search."))
        if self.errors.keys() & {"text", "prompt", "engine"} or values["text"].strip():
            return values
        if not values["prompt"].strip():
            self.add_error("text", _("Paste a text first.") if not values["text"] else _ONLY_SPACE)
        elif values.get("validation") is ValidationMode.SEARCH and not values.get("retriever"):
            self.add_error("validation", _("To check with a search while writing, choose where to look for evidence."))
        elif values["engine"] is not Engine.LLM:
            self.add_error("text", _("Only a language model can write a text. Choose it below, or paste a text."))
        values["text"] = ""
        return values

    def clean_model(self) -> str:
        name = " ".join(remove_unprintable(self.cleaned_data["model"]).split())
        model = wiring.language_model({**self._chosen, "model": name}) if name else None
        if model is not None and model.generator != name:
            raise forms.ValidationError(_("This model cannot be chosen here. Leave the field empty."))
        return name

    @property
    def language_model(self) -> dict[str, str]:
        """The chosen language model of a valid form; empty for that of the settings."""
        values = {**self._chosen, "effort": self.cleaned_data.get("effort", "")}
        if self.cleaned_data.get("model"):
            values["model"] = self.cleaned_data["model"]
        return {name: value for name, value in values.items() if value}

    def clean_source(self) -> str:
        return self._clean_plain_text("source", settings.MAX_SOURCE_CHARS)

    def clean_topic(self) -> str:
        return " ".join(remove_unprintable(self.cleaned_data["topic"]).split())

    def clean_strictness(self) -> Strictness:
        return Strictness(self.cleaned_data["strictness"] or Strictness.BALANCED)

    def clean_validation(self) -> ValidationMode:
        return ValidationMode(self.cleaned_data["validation"] or ValidationMode.NONE)

    def clean_engine(self) -> Engine:
        engine = Engine(self.cleaned_data["engine"] or wiring.default_engine())
        if engine is Engine.LLM and not wiring.has_language_model(self._chosen):
            raise forms.ValidationError(_("No language model is set up here. Choose the local models."))
        return engine

    def all_sources(self, *, owner: str, payer: str) -> list[Source]:
        """The sources of a valid form: the chosen ones and the added ones."""
        text = self.cleaned_data["source"]
        pasted = [source_add_text(owner=owner, payer=payer, text=text)] if text.strip() else []
        order = uuids(self["sources"].value() or ())
        chosen = sorted(self.cleaned_data["sources"], key=lambda source: order.index(source.pk))
        return [*pasted, *chosen, *self.add_sources(owner=owner, payer=payer)]

    def _lacks_search_key(self, values: dict[str, Any]) -> bool:
        retriever: str = values.get("retriever", "")
        if retriever not in wiring.retrievers_wanting_key() or self.has_error("search_key"):
            return False
        return not (values["search_key"] or user_key_of(self._owner, retriever))
