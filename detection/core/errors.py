"""Errors of the engine. All of them carry a sentence that can be shown to the reader as it is."""

from __future__ import annotations


class DetectionError(Exception):
    """Base of all errors that the engine raises on purpose."""


class Cancelled(DetectionError):
    """The run was asked to end. What was finished before stays."""


class ModelUnavailable(DetectionError):
    """A local model cannot be loaded, or the process that runs it died."""


class StaleSuggestion(DetectionError):
    """A replacement cannot be put into the text: the words it changes are no longer there."""


class ModelCallFailed(DetectionError):
    """One call of a language model came to nothing. Others may work; trying again may help."""


class EmptyAnswer(ModelCallFailed):
    """The model had nothing to say."""


class AnswerRefused(ModelCallFailed):
    """The model, or whoever runs it, declined to answer."""


class EndpointRefused(DetectionError):
    """The endpoint will refuse every call: wrong key, no quota, no such model. Someone has to change the settings."""


class BudgetExhausted(DetectionError):
    """The next call might cost more than the user allowed."""


class UnreadableDocument(DetectionError):
    """A file has no text that can be read, or is too large to be read in full. Says why, and what to do."""


class PageRefused(DetectionError):
    """An address is not fetched: it is not public, no web address, or what it holds is no text. Says which."""


class PageUnreachable(DetectionError):
    """An address did not answer, or not in time. Trying again may help.

    ``status`` is that of the answer, where there was one; ``retry_after`` the seconds that the site asks to wait.
    """

    def __init__(self, message: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


class SearchFailed(DetectionError):
    """A search for evidence came to nothing: wrong key, no quota, no answer. Says what to do."""


class ModelNotInstalled(DetectionError):
    """A model of a hub cannot be had, or cannot be used here. Says why, and what to do."""
