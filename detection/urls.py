"""Addresses of the pages and of their actions."""

from django.urls import path

from . import data_views, export_views, share_views, source_views, views

urlpatterns = [
    path("", views.start, name="start"),
    path("checks/", views.history, name="history"),
    path("checks/new/", views.check_create, name="check_create"),
    path("checks/load/", export_views.check_import, name="check_import"),
    path("language-model/test/", views.language_model_test, name="language_model_test"),
    path("keys/forget/", views.api_keys_forget, name="api_keys_forget"),
    path("data/delete/", data_views.data_delete, name="data_delete"),
    path("shared/<str:token>/", share_views.shared, name="shared"),
    path("checks/<uuid:check_id>/share/", share_views.share_create, name="share_create"),
    path("checks/<uuid:check_id>/unshare/", share_views.share_revoke, name="share_revoke"),
    path("help/", views.help_page, name="help"),
    path("sources/", source_views.library, name="library"),
    path("sources/add/", source_views.source_add, name="source_add"),
    path("sources/rows/", source_views.source_rows, name="source_rows"),
    path("sources/<uuid:source_id>/", source_views.source_detail, name="source_detail"),
    path("sources/<uuid:source_id>/rename/", source_views.source_rename, name="source_rename"),
    path("sources/<uuid:source_id>/keep/", source_views.source_keep, name="source_keep"),
    path("sources/<uuid:source_id>/discard/", source_views.source_discard, name="source_discard"),
    path("sources/<uuid:source_id>/delete/", source_views.source_delete, name="source_delete"),
    path("checks/<uuid:check_id>/", views.check_detail, name="check_detail"),
    path("checks/<uuid:check_id>/sentences/<int:index>/", views.sentence_report, name="sentence_report"),
    path("checks/<uuid:check_id>/exports/<slug:format_id>/", export_views.check_export, name="check_export"),
    path("checks/<uuid:check_id>/cancel/", views.check_cancel, name="check_cancel"),
    path("checks/<uuid:check_id>/resume/", views.check_resume, name="check_resume"),
    path("checks/<uuid:check_id>/premise/", views.premise_decide, name="premise_decide"),
    path("checks/<uuid:check_id>/delete/", views.check_delete, name="check_delete"),
    path("checks/<uuid:check_id>/accept-all/", views.accept_all, name="accept_all"),
    path("checks/<uuid:check_id>/undo/", views.undo, name="undo"),
    path(
        "checks/<uuid:check_id>/suggestions/<int:suggestion_id>/accept/",
        views.suggestion_accept,
        name="suggestion_accept",
    ),
    path("checks/<uuid:check_id>/findings/<int:finding_id>/edit/", views.finding_edit, name="finding_edit"),
    path("checks/<uuid:check_id>/findings/<int:finding_id>/reject/", views.finding_reject, name="finding_reject"),
    path("checks/<uuid:check_id>/findings/<int:finding_id>/reopen/", views.finding_reopen, name="finding_reopen"),
]
