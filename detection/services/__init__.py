"""All writes. Views, tasks, commands and consumers call these functions and nothing below them."""

from .access_keys import KeyRefused, access_key_create, access_key_revoke
from .again import check_again
from .checks import (
    check_cancel,
    check_create,
    check_delete,
    check_rename,
    check_resume,
    checks_recover,
    premise_decide,
)
from .connection import language_model_list, language_model_test, local_servers_find
from .decisions import (
    DecisionImpossible,
    finding_dismiss,
    finding_edit,
    finding_reject,
    finding_reopen,
    findings_accept_all,
    suggestion_accept,
)
from .editing import text_with_block
from .first_versions import correction_restore, first_version_restore
from .imports import check_import
from .keys import api_key_keep, api_key_of, api_keys_forget, model_service, services_with_key, user_key_of
from .ownership import owner_delete, owner_move
from .quotas import TooManyChecks, TooManySources, TooMuch
from .reading import source_read
from .retention import prune
from .runs import check_run
from .sharing import share_create, share_revoke
from .sources import (
    source_add_file,
    source_add_page,
    source_add_text,
    source_delete,
    source_discard,
    source_keep,
    source_rename,
    sources_recover,
)
from .text_files import text_of_file
from .undo import decision_redo, decision_undo
from .upkeep import requeue_stalled, upkeep

__all__ = [
    "DecisionImpossible",
    "KeyRefused",
    "TooManyChecks",
    "TooManySources",
    "TooMuch",
    "access_key_create",
    "access_key_revoke",
    "api_key_keep",
    "api_key_of",
    "api_keys_forget",
    "check_again",
    "check_cancel",
    "check_create",
    "check_delete",
    "check_import",
    "check_rename",
    "check_resume",
    "check_run",
    "checks_recover",
    "correction_restore",
    "decision_redo",
    "decision_undo",
    "finding_dismiss",
    "finding_edit",
    "finding_reject",
    "finding_reopen",
    "findings_accept_all",
    "first_version_restore",
    "language_model_list",
    "language_model_test",
    "local_servers_find",
    "model_service",
    "owner_delete",
    "owner_move",
    "premise_decide",
    "prune",
    "requeue_stalled",
    "services_with_key",
    "share_create",
    "share_revoke",
    "source_add_file",
    "source_add_page",
    "source_add_text",
    "source_delete",
    "source_discard",
    "source_keep",
    "source_read",
    "source_rename",
    "sources_recover",
    "suggestion_accept",
    "text_of_file",
    "text_with_block",
    "upkeep",
    "user_key_of",
]
