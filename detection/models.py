"""The tables. Only ``services`` write rows; ``selectors`` read them."""

from __future__ import annotations

import uuid
from enum import StrEnum

from django.core.validators import MaxLengthValidator
from django.db import models
from django.utils import timezone

from .core import types
from .core.active_generation.types import SentenceState, ValidationMode
from .core.active_generation.types import WrittenSentence as WrittenValue
from .core.evidence.plan import SearchEffort
from .core.llm.types import CallOutcome, Purpose
from .core.messages import Message
from .core.types import BlockKind, Engine, FindingKind, Strictness, SuggestionMethod, Verdict
from .storage.generation import VALIDATIONS


def _choices(enum: type[StrEnum]) -> list[tuple[str, str]]:
    return [(member.value, member.value.replace("_", " ")) for member in enum]


_PAYER_HELP = "Whom limits beyond one owner count for: an account, or a network (hashed)."


class Check(models.Model):
    """One text under test. The row is the job: a broker message carries no more than its id.

    ::

        queued -> running -> done
          ^         |-> failed      (three attempts died, or nothing could be checked)
          |         |-> cancelled   (finished units stay; resume queues the rest)
          |         |-> waiting     (its owner must choose which question to answer; that queues it again)
          |---------'               (process stopped or died: interrupted, queued again)
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        WAITING = "waiting"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.CharField(max_length=64, db_index=True, help_text="Token of the browser session that made it.")
    payer = models.CharField(max_length=64, blank=True, default="", db_default="", db_index=True, help_text=_PAYER_HELP)
    title = models.CharField(max_length=120)
    text = models.TextField(blank=True, help_text="Grows while a model writes it; never edited afterwards.")
    prompt = models.TextField(blank=True, help_text="What the text answers.")
    is_generated = models.BooleanField(default=False, help_text="A model writes the text first.")
    validation = models.CharField(
        max_length=16,
        choices=_choices(ValidationMode),
        default=ValidationMode.NONE,
        help_text="What sentences are checked by while a model writes them.",
    )
    premise = models.JSONField(
        null=True, blank=True, help_text="What the prompt takes for granted (PREMISE of storage)."
    )
    writing_end = models.CharField(max_length=200, blank=True, help_text="Why no more was written, for the reader.")
    written_at = models.DateTimeField(null=True, blank=True, help_text="When a generated text was complete.")
    topic = models.CharField(max_length=200, blank=True, validators=[MaxLengthValidator(200)])
    topic_found = models.CharField(max_length=200, blank=True, help_text="What the text is about, when nobody said.")
    engine = models.CharField(max_length=16, choices=_choices(Engine), default=Engine.LOCAL)
    strictness = models.CharField(max_length=16, choices=_choices(Strictness), default=Strictness.BALANCED)
    retriever = models.CharField(max_length=32, blank=True, help_text="Where evidence is looked for; empty: nowhere.")
    search_effort = models.CharField(max_length=16, choices=_choices(SearchEffort), default=SearchEffort.BALANCED)
    search_plan = models.JSONField(null=True, blank=True, help_text="What the search may cost (PLAN of storage).")
    detectors = models.JSONField(null=True, blank=True, help_text="Ids of those that shall run; empty: all that apply.")

    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    error = models.TextField(blank=True, help_text="Why it failed, for the reader.")
    attempts = models.PositiveSmallIntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)
    run_token = models.UUIDField(
        null=True, blank=True, help_text="Of the run that holds the lease; every write of a run asks it."
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    language_model = models.JSONField(
        null=True,
        blank=True,
        help_text="What was chosen: base_url, model, effort. Empty: the settings.",
    )
    waiting_reason = models.CharField(max_length=200, blank=True, help_text="Why the endpoint makes the run wait.")
    waiting_until = models.DateTimeField(null=True, blank=True)
    message_sent_at = models.DateTimeField(
        db_column="rung_at", default=timezone.now, help_text="When a worker was last sent its message."
    )
    last_seq = models.PositiveIntegerField(default=0, help_text="Number of the newest event in the log.")

    previous = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="next_checks",
        help_text="The check whose text was changed and is checked again here.",
    )
    is_edit = models.BooleanField(
        default=False,
        db_default=False,
        help_text="The text of ``previous`` was edited in its page, which shows this one.",
    )

    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)
        indexes = (models.Index(fields=("owner", "-created_at")), models.Index(fields=("state", "lease_until")))

    def __str__(self) -> str:
        return f"{self.id} ({self.state})"

    @property
    def is_active(self) -> bool:
        return self.state in (self.State.QUEUED, self.State.RUNNING)

    @property
    def is_waiting(self) -> bool:
        """True while the owner must decide something before the check continues."""
        return self.state == self.State.WAITING

    @property
    def is_unwritten(self) -> bool:
        """True as long as a model has not finished the text."""
        return self.is_generated and self.written_at is None


class WrittenSentence(models.Model):
    """A sentence that a model wrote for a check. Kept when the text is split again."""

    parent_check = models.ForeignKey(Check, on_delete=models.CASCADE, related_name="written_sentences")
    index = models.PositiveIntegerField()
    lead = models.TextField(blank=True, help_text="What stands between it and the one before.")
    text = models.TextField(blank=True, help_text="Empty for one that was left out.")
    first_version = models.TextField()
    kind = models.CharField(max_length=16, choices=_choices(BlockKind))
    state = models.CharField(max_length=16, choices=_choices(SentenceState))
    reason = models.TextField(blank=True, help_text="Why it was not checked, or left out.")
    is_restored = models.BooleanField(default=False, help_text="The first version goes before the text, by decision.")
    chosen_at = models.PositiveIntegerField(
        null=True, blank=True, help_text="How many sentences were settled when that was decided last."
    )
    validations = models.JSONField(default=list, help_text="VALIDATIONS of storage")

    class Meta:
        ordering = ("index",)
        constraints = (models.UniqueConstraint(fields=("parent_check", "index"), name="written_sentence_once"),)

    def __str__(self) -> str:
        return f"{self.index}: {self.state}"

    def as_value(self) -> WrittenValue:
        """The sentence as the type of the core."""
        return WrittenValue(
            self.lead,
            self.first_version if self.is_restored else self.text,
            self.first_version,
            BlockKind(self.kind),
            SentenceState.RESTORED if self.is_restored else SentenceState(self.state),
            self.reason,
            VALIDATIONS.from_json(self.validations),
            correction=self.text if self.is_restored else "",
        )


class Source(models.Model):
    """A text that its owner trusts, used by any number of checks. The row is the job of reading.

    ::

        queued -> reading -> ready
          ^          |-----> failed    (no text, too large, no answer ...)
          '----------'                 (process stopped or died: queued again)
    """

    class Kind(models.TextChoices):
        PASTED = "pasted"
        FILE = "file"
        PAGE = "page"

    class State(models.TextChoices):
        QUEUED = "queued"
        READING = "reading"
        READY = "ready"
        FAILED = "failed"

    SETTLED = (State.READY, State.FAILED)
    LONG_FIELDS = ("text", "places")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.CharField(max_length=64, help_text="Token of the browser session that added it.")
    payer = models.CharField(max_length=64, blank=True, default="", db_default="", db_index=True, help_text=_PAYER_HELP)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    name = models.CharField(max_length=200)
    url = models.URLField(max_length=2000, blank=True)
    media_type = models.CharField(max_length=100, blank=True, help_text="As the browser or the web server said.")
    digest = models.CharField(max_length=64, blank=True, help_text="Of the content as it came; empty for a page.")
    byte_size = models.PositiveIntegerField(default=0)
    is_kept = models.BooleanField(default=False, help_text="Stays when no check uses it any more.")

    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    error = models.TextField(blank=True, help_text="Why it could not be read, for the reader.")
    pages_done = models.PositiveIntegerField(default=0)
    pages_total = models.PositiveIntegerField(default=0, help_text="0 as long as it is not known.")
    attempts = models.PositiveSmallIntegerField(default=0)
    read_token = models.UUIDField(null=True, blank=True, help_text="Of the reader; every write of it asks for it.")
    lease_until = models.DateTimeField(null=True, blank=True)

    message_sent_at = models.DateTimeField(
        db_column="rung_at", default=timezone.now, help_text="When a worker was last sent its message."
    )
    text = models.TextField(blank=True)
    places = models.JSONField(default=list, blank=True, help_text="Pages and headings (PLACES of storage).")
    pages = models.PositiveIntegerField(null=True, blank=True)
    characters = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at",)
        indexes = (models.Index(fields=("owner", "-created_at")), models.Index(fields=("state", "lease_until")))
        constraints = (
            models.UniqueConstraint(
                fields=("owner", "digest"), condition=~models.Q(digest=""), name="source_content_once"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_settled(self) -> bool:
        return self.state in self.SETTLED


class SourceUpload(models.Model):
    """The uploaded bytes of a file, deleted after reading."""

    source = models.OneToOneField(Source, on_delete=models.CASCADE, related_name="upload")
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"upload of {self.source_id}"


class CheckSource(models.Model):
    """The use of a source by a check. The row and the name stay when the source is deleted."""

    parent_check = models.ForeignKey(Check, on_delete=models.CASCADE, related_name="sources")
    source = models.ForeignKey(Source, null=True, on_delete=models.SET_NULL, related_name="uses")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=200)

    class Meta:
        ordering = ("position",)
        constraints = (models.UniqueConstraint(fields=("parent_check", "position"), name="source_position_once"),)

    def __str__(self) -> str:
        return self.name


class Sentence(models.Model):
    """One sentence of the text. Offsets are code points; the original is never edited."""

    parent_check = models.ForeignKey(Check, on_delete=models.CASCADE, related_name="sentences")
    index = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    text = models.TextField()
    block = models.PositiveIntegerField()
    block_kind = models.CharField(max_length=16, choices=_choices(BlockKind))

    class Meta:
        ordering = ("index",)
        constraints = (models.UniqueConstraint(fields=("parent_check", "index"), name="sentence_index_once"),)

    def __str__(self) -> str:
        return f"{self.index}: {self.text[:60]}"

    def as_value(self) -> types.Sentence:
        """The sentence as the type of the core."""
        return types.Sentence(self.index, self.start, self.end, self.text, self.block, BlockKind(self.block_kind))


class Unit(models.Model):
    """The unit of work: one detector on one sentence. Its result and its event are written together."""

    class State(models.TextChoices):
        PENDING = "pending"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        NOT_CHECKED = "not_checked"

    FINAL = (State.DONE, State.FAILED, State.NOT_CHECKED)

    parent_check = models.ForeignKey(Check, on_delete=models.CASCADE, related_name="units")
    sentence = models.ForeignKey(Sentence, on_delete=models.CASCADE, related_name="units")
    detector = models.CharField(max_length=64)
    state = models.CharField(max_length=16, choices=State.choices, default=State.PENDING)
    reason = models.CharField(max_length=200, blank=True, help_text="Why it failed or was not checked.")
    verdict = models.CharField(max_length=32, choices=_choices(Verdict), blank=True)
    evidence = models.JSONField(default=list, help_text="What supports the sentence (EVIDENCE of storage).")
    passages_read = models.PositiveIntegerField(null=True, blank=True, help_text="Of the sources, for this sentence.")
    passages_total = models.PositiveIntegerField(null=True, blank=True)
    search = models.JSONField(null=True, blank=True, help_text="What was looked up for it (SEARCH of storage).")
    basis = models.CharField(max_length=64, blank=True, help_text="What its result hangs on, hashed (core.carry_over).")
    is_carried = models.BooleanField(default=False, help_text="Its result was taken over from the check before.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("sentence__index", "detector")
        constraints = (models.UniqueConstraint(fields=("sentence", "detector"), name="unit_once"),)

    def __str__(self) -> str:
        return f"{self.detector} on sentence {self.sentence_id}: {self.state}"


class Finding(models.Model):
    """One warning.

    ``dismissed`` also applies to later checks of its owner. ``stale`` means that another decision changed the words
    that it is about.
    """

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        REJECTED = "rejected"
        DISMISSED = "dismissed"
        STALE = "stale"

    DECIDED = (State.ACCEPTED, State.REJECTED, State.DISMISSED)
    REASON_CHARS = 300

    parent_check = models.ForeignKey(Check, on_delete=models.CASCADE, related_name="findings")
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="findings")
    sentence = models.ForeignKey(Sentence, on_delete=models.CASCADE, related_name="findings")
    fingerprint = models.CharField(max_length=32)
    kind = models.CharField(max_length=32, choices=_choices(FindingKind))
    verdict = models.CharField(max_length=32, choices=_choices(Verdict))
    score = models.FloatField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    message = models.TextField()
    explanation = models.TextField()
    evidence = models.JSONField(default=list, help_text="EVIDENCE of storage")
    prompt = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.OPEN)
    reason = models.CharField(max_length=REASON_CHARS, blank=True, help_text="Why a person rejected or dismissed it.")

    class Meta:
        ordering = ("sentence__index", "start", "id")
        constraints = (models.UniqueConstraint(fields=("parent_check", "fingerprint"), name="finding_once"),)

    def __str__(self) -> str:
        return f"{self.kind}: {Message.read(self.message)}"


class Suggestion(models.Model):
    """A replacement for the whole sentence of a finding; an empty one removes the sentence.

    A merge of two sentences replaces ``sentence`` and removes ``absorbed``. A change of several sentences together
    replaces ``sentence`` and the ``companions``.
    """

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        REJECTED = "rejected"
        STALE = "stale"

    finding = models.ForeignKey(Finding, on_delete=models.CASCADE, related_name="suggestions")
    sentence = models.ForeignKey(Sentence, on_delete=models.CASCADE, related_name="suggestions")
    position = models.PositiveSmallIntegerField()
    replacement = models.TextField(blank=True)
    base_hash = models.CharField(max_length=16)
    method = models.CharField(max_length=16, choices=_choices(SuggestionMethod))
    verified = models.BooleanField()
    label = models.CharField(max_length=80, blank=True)
    absorbed = models.ForeignKey(
        Sentence,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="absorbing_suggestions",
        help_text="A second sentence, which goes into the replacement.",
    )
    companions = models.JSONField(
        null=True,
        blank=True,
        help_text="Other sentences that it changes at the same time: pairs of a key and the new wording.",
    )
    state = models.CharField(max_length=16, choices=State.choices, default=State.OPEN)

    class Meta:
        ordering = ("finding_id", "position")
        constraints = (models.UniqueConstraint(fields=("finding", "position"), name="suggestion_position_once"),)

    def __str__(self) -> str:
        return f"{self.label or self.method} ({self.state})"

    @property
    def wordings(self) -> dict[int, str]:
        """The new wordings by the keys of the sentences."""
        own = {self.sentence_id: self.replacement, **dict(self.companions or [])}
        return own if self.absorbed_id is None else {**own, self.absorbed_id: ""}


class Decision(models.Model):
    """A decision as one step that can be undone: about one finding, or a batch.

    The ids give the order. Undo reverts the newest decision in force; redo restores the oldest undone one. After a new
    decision nothing can be redone.
    """

    class Kind(models.TextChoices):
        ACCEPT = "accept"
        EDIT = "edit"
        REJECT = "reject"
        DISMISS = "dismiss"
        REOPEN = "reopen"
        ACCEPT_ALL = "accept_all"

    parent_check = models.ForeignKey(Check, on_delete=models.CASCADE, related_name="decisions")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    created_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    is_abandoned = models.BooleanField(default=False, help_text="Undone for good: something else was decided since.")

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.kind} at {self.created_at:%Y-%m-%d %H:%M:%S}"


class DecisionChange(models.Model):
    """The effect of one decision on one finding, enough to revert it."""

    decision = models.ForeignKey(Decision, on_delete=models.CASCADE, related_name="changes")
    finding = models.ForeignKey(Finding, on_delete=models.CASCADE)
    state_before = models.CharField(max_length=16, choices=Finding.State.choices)
    state_after = models.CharField(max_length=16, choices=Finding.State.choices)
    accepted_before = models.ForeignKey(Suggestion, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    accepted_after = models.ForeignKey(Suggestion, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    reason_before = models.CharField(max_length=Finding.REASON_CHARS, blank=True)
    reason_after = models.CharField(max_length=Finding.REASON_CHARS, blank=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"finding {self.finding_id}: {self.state_before} -> {self.state_after}"


class Dismissal(models.Model):
    """A warning that a user always ignores, in all checks. Reopening it deletes this row."""

    owner = models.CharField(max_length=64, help_text="Token of the browser session that dismissed it.")
    fingerprint = models.CharField(max_length=32)
    reason = models.CharField(max_length=Finding.REASON_CHARS, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("owner", "fingerprint"), name="dismissal_once"),)

    def __str__(self) -> str:
        return f"{self.fingerprint} dismissed at {self.created_at:%Y-%m-%d %H:%M:%S}"


class ModelCall(models.Model):
    """One attempt to get an answer from a language model. A resumed run reuses the stored answers."""

    parent_check = models.ForeignKey(Check, on_delete=models.CASCADE, related_name="model_calls")
    key = models.CharField(max_length=64, help_text="ModelRequest.key(): prompt, model, parameters and text, hashed.")
    detector = models.CharField(max_length=64, blank=True, help_text="What asked, where it was a detector.")
    sentences = models.JSONField(default=list, help_text="Indices of the sentences that it asked about.")
    purpose = models.CharField(max_length=16, choices=_choices(Purpose))
    prompt = models.CharField(max_length=64)
    model = models.CharField(max_length=200)
    outcome = models.CharField(max_length=16, choices=_choices(CallOutcome))
    reason = models.CharField(max_length=200, blank=True)
    seconds = models.FloatField()
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    cached_tokens = models.PositiveIntegerField(
        db_default=0, help_text="Those of the prompt that the endpoint had kept."
    )
    thinking_tokens = models.PositiveIntegerField(db_default=0, help_text="Those of the answer that were thoughts.")
    cost_usd = models.DecimalField(
        max_digits=14, decimal_places=8, null=True, blank=True, help_text="Empty when the price is not known."
    )
    answers = models.JSONField(null=True, blank=True, help_text="ANSWER of storage, once there is one.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("id",)
        indexes = (models.Index(fields=("parent_check", "key")),)

    def __str__(self) -> str:
        return f"{self.purpose} by {self.model}: {self.outcome}"


class ShareLink(models.Model):
    """A share link: holders of its token can read the check while the row exists."""

    parent_check = models.OneToOneField(Check, on_delete=models.CASCADE, related_name="share_link")
    token = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"link to {self.parent_check_id}"


class ApiKey(models.Model):
    """An API key that a user entered, encrypted. See ``services.keys``."""

    owner = models.CharField(max_length=64, help_text="Token of the browser session it belongs to.")
    service = models.CharField(max_length=32, help_text="The language model, or a retriever by its name.")
    sealed = models.TextField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("owner", "service"), name="api_key_once"),)

    def __str__(self) -> str:
        return f"a key for {self.service} of {self.created_at:%Y-%m-%d %H:%M}"


class AccessKey(models.Model):
    """A key with which another program acts for its owner. Only its digest is stored. See ``services.access_keys``."""

    class Scope(models.TextChoices):
        READ = "read"
        WRITE = "write"
        WRITING_TOOLS = "writing_tools"
        GUARD = "guard"

    owner = models.CharField(max_length=64, db_index=True, help_text="Token of the browser session that made it.")
    name = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=16, help_text="How the key begins: enough to tell it from others.")
    scopes = models.JSONField(default=list)
    requests_per_minute = models.PositiveIntegerField()
    sources = models.ManyToManyField(Source, blank=True, related_name="+", help_text="Its default library.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"


class CheckEvent(models.Model):
    """The event log of a check: gapless numbers from 1, written in the transaction of the change."""

    parent_check = models.ForeignKey(Check, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    type = models.CharField(max_length=32)
    payload = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("seq",)
        constraints = (models.UniqueConstraint(fields=("parent_check", "seq"), name="event_seq_once"),)

    def __str__(self) -> str:
        return f"{self.seq} {self.type}"


class DailySpending(models.Model):
    """The usage of the operator's key on one day, by one payer or all. Deleted checks still count."""

    day = models.DateField()
    payer = models.CharField(max_length=64)
    calls = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    unpriced_tokens = models.PositiveBigIntegerField(default=0, help_text="Of calls whose price is not known.")
    usd = models.DecimalField(max_digits=14, decimal_places=8, default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("day", "payer"), name="spending_once_a_day"),)

    def __str__(self) -> str:
        return f"{self.day}: {self.payer}"
