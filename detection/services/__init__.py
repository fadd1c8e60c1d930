"""Everything that writes. Views, tasks, commands and consumers call these functions and nothing below them."""

from .checks import (
    SourceInput,
    check_cancel,
    check_create,
    check_delete,
    check_resume,
    checks_recover,
)
from .connection import language_model_test
from .decisions import (
    DecisionImpossible,
    decision_undo,
    finding_edit,
    finding_reject,
    finding_reopen,
    findings_accept_all,
    suggestion_accept,
)
from .keys import api_key_forget, api_key_keep, api_key_of
from .runs import check_run

__all__ = [
    "DecisionImpossible",
    "SourceInput",
    "api_key_forget",
    "api_key_keep",
    "api_key_of",
    "check_cancel",
    "check_create",
    "check_delete",
    "check_resume",
    "check_run",
    "checks_recover",
    "decision_undo",
    "finding_edit",
    "finding_reject",
    "finding_reopen",
    "findings_accept_all",
    "language_model_test",
    "suggestion_accept",
]
