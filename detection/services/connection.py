"""Test the configured endpoints and report their abilities or errors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

from django.conf import settings
from django.utils.translation import gettext as _

from .. import wiring
from ..core.errors import DetectionError
from ..core.llm.model_list import LocalServer, find_local_servers
from ..core.llm.trial import Trial, list_models, try_out
from ..core.llm.types import Purpose

_DEADLINE_S = 60.0


def language_model_test(*, api_key: str, chosen: Mapping[str, str] | None = None) -> str:
    """Test each model of the settings, or the chosen one.

    Returns:
        Lines for the reader: the abilities or the error of each model.
    """
    model = wiring.language_model(chosen)
    if model is None:
        return _("No language model is set up here.")
    return asyncio.run(_test(model, api_key))


def language_model_list(*, api_key: str, chosen: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The names of the models that the endpoint lists; empty if it lists none."""
    model = wiring.language_model(chosen)
    return asyncio.run(_list(model, api_key)) if model else ()


def local_servers_find(own_port: int) -> list[LocalServer]:
    """The language model servers on this machine; ``own_port`` of this server is skipped."""
    return asyncio.run(find_local_servers(wiring.local_addresses(), left_out=frozenset({own_port})))


async def _list(model: wiring.LanguageModel, api_key: str) -> tuple[str, ...]:
    try:
        async with wiring.open_client(model, api_key=api_key) as client:
            names = sorted(listed.name for listed in await list_models(client))
            return tuple(name for name in names if model.is_chosen or wiring.may_choose_model(name))
    except DetectionError:
        return ()


async def _test(model: wiring.LanguageModel, api_key: str) -> str:
    begun = time.monotonic()
    try:
        async with asyncio.timeout(_DEADLINE_S):
            async with wiring.open_client(model, api_key=api_key) as client:
                trials = [await try_out(client, model.generator, Purpose.GENERATE)]
                if model.analyzer != model.generator or wiring.analyzer_endpoint(model) is not None:
                    trials.append(await try_out(client, model.analyzer))
    except DetectionError as error:
        return str(error)
    except TimeoutError:
        return _("The endpoint gave no answer within %s seconds.") % f"{_DEADLINE_S:.0f}"
    seconds = time.monotonic() - begun
    return "\n".join(line for trial in trials for line in _lines(trial, seconds))


def _lines(trial: Trial, seconds: float) -> list[str]:
    if trial.problem:
        return [f"{trial.model}: {trial.problem}"]
    lines = [
        _("The connection works: %(model)s answered in %(seconds)s s.")
        % {"model": trial.model, "seconds": f"{seconds:.1f}"}
    ]
    lines += [
        f"{'✓' if finding.works else '–'} {finding.name}{f': {finding.remark}' if finding.remark else ''}"
        for finding in trial.findings
    ]
    if trial.context is None:
        lines.append(_("– context size: the endpoint does not tell"))
    elif trial.context < settings.LLM_SOURCE_TOKENS:
        lines.append(
            _(
                "– context size: %(tokens)s tokens, fewer than the %(most)s of a source that are sent at once. "
                "Lower CHATPROTECT_LLM_SOURCE_TOKENS, or give the model more."
            )
            % {"tokens": f"{trial.context:,}", "most": f"{settings.LLM_SOURCE_TOKENS:,}"}
        )
    else:
        lines.append(_("✓ context size: %s tokens") % f"{trial.context:,}")
    return lines
