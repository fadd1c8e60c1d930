"""The form for choosing a known vendor or server of language models."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ... import wiring
from ...core.plain_text import remove_unprintable


class PresetForm(forms.Form):
    """A vendor or server, the user's own key for it, and a model."""

    preset = forms.CharField(
        max_length=32, error_messages={"required": gettext_lazy("Choose a vendor or a server first.")}
    )
    resource = forms.CharField(required=False, max_length=63)
    api_key = forms.CharField(required=False, max_length=500)
    model = forms.CharField(
        max_length=200, error_messages={"required": gettext_lazy("Name a model of this vendor or server.")}
    )

    def clean_model(self) -> str:
        return " ".join(remove_unprintable(self.cleaned_data["model"]).split())

    def clean_preset(self) -> str:
        preset: str = self.cleaned_data["preset"]
        if preset not in wiring.presets():
            raise forms.ValidationError(_("This vendor or server cannot be chosen here."))
        return preset

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        preset = wiring.presets().get(values.get("preset", ""))
        if preset is not None and not preset.address(values.get("resource", "")):
            self.add_error("resource", _("Azure needs the name of your resource: letters, digits and hyphens."))
        return values

    @property
    def language_model(self) -> dict[str, str]:
        """The choice of a valid form, in the form of :func:`wiring.language_model`."""
        chosen = {name: self.cleaned_data[name] for name in ("preset", "resource", "model")}
        return {name: value for name, value in chosen.items() if value}
