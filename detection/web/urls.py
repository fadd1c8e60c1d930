"""Addresses of the pages and of their actions."""

from django.urls import path

from .views import check, data, decisions, exports, language_model, settings, share, sources, start

urlpatterns = [
    path("", start.start, name="start"),
    path("checks/", check.history, name="history"),
    path("checks/new/", start.check_create, name="check_create"),
    path("checks/load/", exports.check_import, name="check_import"),
    path("language-model/test/", language_model.language_model_test, name="language_model_test"),
    path("language-model/models/", language_model.language_model_list, name="language_model_list"),
    path("language-model/here/", language_model.language_models_here, name="language_models_here"),
    path("language-model/use/", language_model.language_model_use, name="language_model_use"),
    path("language-model/forget/", language_model.language_model_forget, name="language_model_forget"),
    path("keys/forget/", start.api_keys_forget, name="api_keys_forget"),
    path("data/delete/", data.data_delete, name="data_delete"),
    path("shared/<slug:token>/", share.shared, name="shared"),
    path("checks/<uuid:check_id>/share/", share.share_create, name="share_create"),
    path("checks/<uuid:check_id>/unshare/", share.share_revoke, name="share_revoke"),
    path("settings/", settings.settings_page, name="settings"),
    path("settings/keys/create/", settings.access_key_create, name="access_key_create"),
    path("settings/keys/revoke/", settings.access_key_revoke, name="access_key_revoke"),
    path("help/", settings.help_page, name="help"),
    path("sources/", sources.library, name="library"),
    path("sources/add/", sources.source_add, name="source_add"),
    path("sources/rows/", sources.source_rows, name="source_rows"),
    path("sources/<uuid:source_id>/", sources.source_detail, name="source_detail"),
    path("sources/<uuid:source_id>/rename/", sources.source_rename, name="source_rename"),
    path("sources/<uuid:source_id>/keep/", sources.source_keep, name="source_keep"),
    path("sources/<uuid:source_id>/discard/", sources.source_discard, name="source_discard"),
    path("sources/<uuid:source_id>/delete/", sources.source_delete, name="source_delete"),
    path("checks/<uuid:check_id>/", check.check_detail, name="check_detail"),
    path("checks/<uuid:check_id>/sentences/<int:index>/", check.sentence_report, name="sentence_report"),
    path("checks/<uuid:check_id>/exports/<slug:format_id>/", exports.check_export, name="check_export"),
    path("checks/<uuid:check_id>/again/", check.check_again, name="check_again"),
    path("checks/<uuid:check_id>/again/estimate/", check.again_estimate, name="again_estimate"),
    path("checks/<uuid:check_id>/rename/", check.check_rename, name="check_rename"),
    path("checks/<uuid:check_id>/cancel/", check.check_cancel, name="check_cancel"),
    path("checks/<uuid:check_id>/resume/", check.check_resume, name="check_resume"),
    path("checks/<uuid:check_id>/premise/", decisions.premise_decide, name="premise_decide"),
    path(
        "checks/<uuid:check_id>/written/<int:index>/first-version/",
        decisions.first_version_restore,
        name="first_version_restore",
    ),
    path(
        "checks/<uuid:check_id>/written/<int:index>/correction/",
        decisions.correction_restore,
        name="correction_restore",
    ),
    path("checks/<uuid:check_id>/delete/", check.check_delete, name="check_delete"),
    path("checks/<uuid:check_id>/accept-all/", decisions.accept_all, name="accept_all"),
    path("checks/<uuid:check_id>/undo/", decisions.undo, name="undo"),
    path("checks/<uuid:check_id>/redo/", decisions.redo, name="redo"),
    path("checks/<uuid:check_id>/decisions/", decisions.decisions, name="decisions"),
    path(
        "checks/<uuid:check_id>/suggestions/<int:suggestion_id>/accept/",
        decisions.suggestion_accept,
        name="suggestion_accept",
    ),
    path("checks/<uuid:check_id>/findings/<int:finding_id>/edit/", decisions.finding_edit, name="finding_edit"),
    path("checks/<uuid:check_id>/findings/<int:finding_id>/reject/", decisions.finding_reject, name="finding_reject"),
    path(
        "checks/<uuid:check_id>/findings/<int:finding_id>/dismiss/", decisions.finding_dismiss, name="finding_dismiss"
    ),
    path("checks/<uuid:check_id>/findings/<int:finding_id>/reopen/", decisions.finding_reopen, name="finding_reopen"),
]
