"""The fields of the evidence search: where to search, and how much to read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ... import wiring
from ...core.evidence.plan import SearchEffort, SearchPlan

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise  # known to the type checker only

_MOST_COST = 1_000
_MOST = f"{_MOST_COST:,}"


def _cost(message: _StrPromise) -> forms.FloatField:
    """A field for one cost. With a cost of 0 a mistake, or a document, would not count."""
    wrong = dict.fromkeys(("invalid", "min_value", "max_value"), message)
    return forms.FloatField(required=False, min_value=0.01, max_value=_MOST_COST, error_messages=wrong)


class SearchForm(forms.Form):
    """The retriever, the effort, and optionally the single costs."""

    retriever = forms.CharField(required=False, max_length=32)
    search_key = forms.CharField(required=False, max_length=500)
    search_effort = forms.ChoiceField(
        choices=[(member.value, member.value) for member in SearchEffort], initial=SearchEffort.BALANCED, required=False
    )
    cost_of_miss = _cost(
        format_lazy(
            gettext_lazy("The cost of an error that is missed is a number from 0.01 to {most}, or empty."), most=_MOST
        )
    )
    cost_of_false_alarm = _cost(
        format_lazy(gettext_lazy("The cost of a false alarm is a number from 0.01 to {most}, or empty."), most=_MOST)
    )
    cost_of_document = _cost(
        format_lazy(
            gettext_lazy("The cost of one more document is a number from 0.01 to {most}, or empty."), most=_MOST
        )
    )
    most_documents = forms.CharField(required=False)

    def clean_retriever(self) -> str:
        retriever: str = self.cleaned_data["retriever"]
        if retriever and retriever not in (*wiring.retrievers(), *wiring.retrievers_wanting_key()):
            raise forms.ValidationError(_("That search is not set up here. Choose another place to look for evidence."))
        return retriever

    def clean_search_key(self) -> str:
        key: str = self.cleaned_data["search_key"]
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise forms.ValidationError(_("A key has no spaces and only letters, digits and signs. Copy it again."))
        return key

    def clean_search_effort(self) -> SearchEffort:
        return SearchEffort(self.cleaned_data["search_effort"] or SearchEffort.BALANCED)

    def clean_most_documents(self) -> int | None:
        value: str = self.cleaned_data["most_documents"]
        if not value:
            return None
        # The limit is a setting, which is unknown when the class is defined.
        if not (value.isascii() and value.isdigit() and 1 <= int(value[:6]) <= settings.MAX_DOCUMENTS):
            raise forms.ValidationError(
                _("At most 1 to %s documents can be read for a claim.") % settings.MAX_DOCUMENTS
            )
        return int(value)

    @property
    def search_plan(self) -> SearchPlan:
        """The costs of the search of a valid form: those of its effort, overridden by single costs."""
        values: dict[str, Any] = self.cleaned_data
        plan = wiring.search_plan(values["search_effort"])
        names = {"miss": "cost_of_miss", "false_alarm": "cost_of_false_alarm", "retrieval": "cost_of_document"}
        costs = {cost: values[name] for cost, name in names.items() if values[name] is not None}
        return SearchPlan(replace(plan.costs, **costs), values["most_documents"] or plan.most_documents)

    @property
    def has_search_details(self) -> bool:
        """Whether to show the single costs, because the user has set one."""
        return any(
            self[name].value() for name in ("cost_of_miss", "cost_of_false_alarm", "cost_of_document", "most_documents")
        )
