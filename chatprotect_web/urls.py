"""Addresses of the project. The application brings its own."""

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.urls import include, path
from django.views.i18n import JavaScriptCatalog

urlpatterns = [
    path("accounts/login/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/password/", PasswordChangeView.as_view(success_url="/"), name="password_change"),
    path("admin/", admin.site.urls),
    # Translations for the scripts, in the language of the page.
    path("words.js", JavaScriptCatalog.as_view(), name="javascript_catalogue"),
    path("", include("detection.doors.urls")),
    path("", include("detection.web.urls")),
]
