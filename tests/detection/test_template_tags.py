"""The tags of the templates that change white space."""

from __future__ import annotations

from django.template import Context, Template

UNBROKEN = """{% load detection %}{% unbroken %}
{% for word in words %}
  {% if word %}<b>{{ word }}</b>
  {% else %} –
  {% endif %}
{% endfor %}
{% endunbroken %}"""


def test_line_breaks_of_the_template_are_left_out_and_those_of_values_stay() -> None:
    written = Template(UNBROKEN).render(Context({"words": ["one\n  two", "", "<three>"]}))
    assert written == "<b>one\n  two</b> –<b>&lt;three&gt;</b>"
