"""Load prompts: one file each, with its version in the name. Text of users and models is only inserted as a variable.

A file holds the turns of a conversation, each under a line ``[system]``, ``[user]`` or ``[assistant]``. Variables are
written ``${name}``. A changed prompt is a new file: the id is stored with every answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from string import Template

_TURN = re.compile(r"^\[(system|user|assistant)\]\n", re.MULTILINE)


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation with gaps. ``id`` is the file's name without its ending."""

    id: str
    turns: tuple[tuple[Role, Template], ...]

    def render(self, **variables: str) -> tuple[Message, ...]:
        """Fill the gaps. Inserted text is never searched for gaps.

        Raises:
            KeyError: a variable is missing.
        """
        return tuple(Message(role, template.substitute(variables)) for role, template in self.turns)


@cache
def load(prompt_id: str) -> Prompt:
    """Load a prompt that ships with the program."""
    text = files(__name__).joinpath(f"{prompt_id}.txt").read_text(encoding="utf-8")
    parts = _TURN.split(text)[1:]
    turns = zip(parts[::2], parts[1::2], strict=True)
    return Prompt(prompt_id, tuple((Role(role), Template(body.strip())) for role, body in turns))
