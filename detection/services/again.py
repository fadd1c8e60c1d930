"""Check a revised text: a new check, linked to the old one, that reuses the results that are still valid."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from .. import events
from ..core.evidence.plan import SearchEffort
from ..core.types import Engine, Strictness
from ..models import Check
from ..storage.evidence import PLAN
from .checks import check_create
from .decisions import DecisionImpossible


@transaction.atomic
def check_again(*, check: Check, text: str, is_edit: bool = False) -> Check:
    """Check another version of a text, with the same sources and in the same way.

    With ``is_edit`` the page of ``check`` continues with the new check. The text may then be unchanged, because the
    user may type the earlier words again.

    Raises:
        DecisionImpossible: the text is unchanged, or the check is still running.
    """
    if check.is_active:
        raise DecisionImpossible(_("This check is still running. Wait until it ends, or stop it first."))
    if not is_edit and text.strip() == check.text.strip():
        raise DecisionImpossible(_("This is the text that was checked. Change it, or accept a suggestion first."))
    again = check_create(
        owner=check.owner,
        payer=check.payer,
        text=text,
        prompt=check.prompt,
        sources=[use.source for use in check.sources.select_related("source") if use.source is not None],
        # The topic that was found stays: another topic could change the result of every sentence.
        topic=check.topic or check.topic_found,
        strictness=Strictness(check.strictness),
        engine=Engine(check.engine),
        retriever=check.retriever,
        search_effort=SearchEffort(check.search_effort),
        search_plan=PLAN.from_json(check.search_plan) if check.search_plan else None,
        previous=check,
        detectors=check.detectors or (),
        language_model=check.language_model,
    )
    Check.objects.filter(pk=again.pk).update(title=check.title, is_edit=is_edit)
    events.append(check.pk, [events.CheckedAgain(check=str(again.pk))])
    return again
