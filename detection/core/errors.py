"""Errors of the engine. The message of each can be shown to the reader unchanged."""

from __future__ import annotations


class DetectionError(Exception):
    """Base of all errors that the engine raises on purpose."""


class Cancelled(DetectionError):
    """The run was cancelled. Results that were finished before stay valid."""


class ModelUnavailable(DetectionError):
    """A local model cannot be loaded, or the process that runs it died."""


class StaleSuggestion(DetectionError):
    """A replacement cannot be put into the text: the words it changes are no longer there."""


class ModelCallFailed(DetectionError):
    """One call of a language model failed. Others may work; a retry may help."""


class EmptyAnswer(ModelCallFailed):
    """The answer of the model is empty."""


class AnswerRefused(ModelCallFailed):
    """The model or its provider declined to answer."""


class EndpointRefused(DetectionError):
    """The endpoint will refuse every call: wrong key, no quota, no such model. The settings must be changed."""


class BudgetExhausted(DetectionError):
    """The next call might cost more than the user allowed."""


class UnreadableDocument(DetectionError):
    """A file has no readable text, or is too large to be read in full. The message says why and what to do."""


class PageRefused(DetectionError):
    """An address is not fetched: it is not public, not a web address, or not text. The message says which."""


class PageUnreachable(DetectionError):
    """An address did not answer in time. A retry may help.

    ``status`` is the HTTP status, if there was an answer; ``retry_after`` the seconds that the site asks to wait.
    """

    def __init__(self, message: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


class SearchFailed(DetectionError):
    """A search for evidence failed: wrong key, no quota, no answer. The message says what to do."""


class ModelNotInstalled(DetectionError):
    """A model cannot be downloaded from its hub, or cannot be used here. The message says why and what to do."""
