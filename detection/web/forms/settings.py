"""The form of the settings of a user."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from ... import wiring
from ...core.types import Engine, Strictness
from ...models import AccessKey
from ...services.access_keys import MOST_REQUESTS_PER_MINUTE
from ..preferences import Preferences


class PreferencesForm(forms.Form):
    """The defaults of new checks."""

    strictness = forms.ChoiceField(choices=[(member.value, member.value) for member in Strictness])
    engine = forms.ChoiceField(choices=[(member.value, member.value) for member in Engine], required=False)

    @property
    def preferences(self) -> Preferences:
        """The preferences of a valid form."""
        engine = self.cleaned_data["engine"] or wiring.default_engine()
        return Preferences(Strictness(self.cleaned_data["strictness"]), Engine(engine))


class AccessKeyForm(forms.Form):
    """A key for another program."""

    key_name = forms.CharField(max_length=80, error_messages={"required": _("Give the key a name.")})
    scopes = forms.MultipleChoiceField(
        choices=AccessKey.Scope.choices,
        error_messages={"required": _("Choose at least one thing that the key may do.")},
    )
    requests_per_minute = forms.IntegerField(min_value=1, max_value=MOST_REQUESTS_PER_MINUTE)
