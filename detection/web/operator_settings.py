"""The operator's settings, for users to read, without keys."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from .. import wiring, wording
from ..core.llm.presets import PRESETS
from ..core.llm.pricing import Price, load_prices, price_of
from ..selectors.searches import search_options
from ..services.keys import LANGUAGE_MODEL, model_service


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting: its label, its value and its variable."""

    label: str
    value: str
    variable: str


def language_model_rows() -> list[SettingRow]:
    """The language models with endpoints and prices; empty if none is configured."""
    if not wiring.has_language_model():
        return []
    prices = load_prices(settings.PRICES)
    models = dict.fromkeys((settings.GENERATOR_MODEL, settings.ANALYZER_MODEL))
    return [
        SettingRow(_("Endpoint"), wiring.language_model_host(), "CHATPROTECT_LLM_BASE_URL"),
        SettingRow(_("Writes and answers again"), settings.GENERATOR_MODEL, "CHATPROTECT_GENERATOR_MODEL"),
        SettingRow(_("Compares and judges"), settings.ANALYZER_MODEL, "CHATPROTECT_ANALYZER_MODEL"),
        *(
            SettingRow(_("Price of %s") % model, _price_in_words(price_of(prices, model)), "CHATPROTECT_PRICES")
            for model in models
        ),
        SettingRow(_("A check stops at"), _budget_in_words(), "CHATPROTECT_BUDGET_USD, _TOKENS, _CALLS"),
    ]


def server_rows() -> list[SettingRow]:
    """The settings that apply to every check."""
    places = ", ".join(option.host or option.label for option in search_options()) or _("nowhere")
    return [
        SettingRow(
            _("Longest text"), _("%s characters") % f"{settings.MAX_TEXT_CHARS:,}", "CHATPROTECT_MAX_TEXT_CHARS"
        ),
        SettingRow(_("Evidence can be looked for"), places, "CHATPROTECT_SEARXNG_URL, …"),
        SettingRow(_("Max. documents per claim"), str(settings.MAX_DOCUMENTS), "CHATPROTECT_MAX_DOCUMENTS"),
    ]


def service_label(service: str) -> str:
    """The service that a key of a user is for."""
    if service == LANGUAGE_MODEL:
        return wiring.language_model_host()
    name, _colon, preset = service.partition(":")
    return PRESETS[preset].title if name == LANGUAGE_MODEL and preset in PRESETS else wording.retriever_label(service)


def unused_model_keys(services: Iterable[str], model: wiring.LanguageModel | None) -> list[str]:
    """The vendors whose key a user has saved without choosing a model of theirs."""
    used = model_service(model.preset) if model else ""
    prefix = f"{LANGUAGE_MODEL}:"
    return [service_label(service) for service in sorted(services) if service.startswith(prefix) and service != used]


def _price_in_words(price: Price | None) -> str:
    if price is None:
        return _("not known")
    return _("$%(prompt)s for a million tokens that are sent, $%(completion)s for a million that come back") % {
        "prompt": price.prompt,
        "completion": price.completion,
    }


def _budget_in_words() -> str:
    limits = [
        f"${settings.BUDGET_USD}" if settings.BUDGET_USD is not None else "",
        _("%s tokens") % f"{settings.BUDGET_TOKENS:,}" if settings.BUDGET_TOKENS else "",
        _("%s calls") % f"{settings.BUDGET_CALLS:,}" if settings.BUDGET_CALLS else "",
    ]
    return ", ".join(filter(None, limits)) or _("no limit")
