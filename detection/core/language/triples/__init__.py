"""Relation triples: the facts of a sentence as subject, relation and object, read off its parse.

The parser often hangs a date or a place too low. So what follows a noun with a preposition of place or time is told
as a fact of its own, whatever the arc says: its relation holds the words before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from detection.core.language.triples.dates import is_dates, names_time
from detection.core.language.triples.drafts import Draft, is_worth_telling, rank, tidied, without_repeats
from detection.core.language.triples.sentence import AnnotatedSentence, holds_digit
from detection.core.language.triples.vocabulary import (
    AUXILIARIES,
    COMPLETING,
    FINITE,
    LINKS,
    NEGATIONS,
    NOMINAL,
    NOUNS,
    OBLIQUES,
    RELATIVES,
    SUBJECTS,
)
from detection.core.language.triples.word_order import word_order_facts
from detection.core.types import EntityCategory, ParsedSentence, Span

#: More facts than these no sentence needs: each costs a question to a language model.
MAX_TRIPLES: Final = 6


@dataclass(frozen=True, slots=True)
class Triple:
    """One fact that a sentence asserts. The spans count in the document like those of the tokens."""

    subject: str
    relation: str
    object: str
    object_span: Span


def find_triples(sentence: ParsedSentence) -> tuple[Triple, ...]:
    """The facts that a sentence asserts, those with a name, number or date in the object first."""
    if not sentence.states_fact or not sentence.tokens:
        return ()
    annotated = AnnotatedSentence.of(sentence)
    reader = _Reader(annotated)
    tidy = (tidied(annotated, draft) for draft in reader.drafts())
    drafts = without_repeats(draft for draft in tidy if is_worth_telling(annotated, draft))
    drafts = drafts or list(reader.bare_event())
    ranked = sorted(drafts, key=lambda draft: rank(annotated, draft))
    return tuple(_triple(annotated, draft) for draft in ranked[:MAX_TRIPLES])


def _triple(sentence: AnnotatedSentence, draft: Draft) -> Triple:
    relation = f"{draft.verb} {sentence.joined(draft.relation)}".strip()
    return Triple(sentence.text(draft.subject), relation, sentence.text(draft.object), sentence.span(draft.object))


_NOT_CLAUSES: Final = frozenset(
    {"amod", "compound", "case", "mark", "aux", "aux:pass", "cop", "fixed", "flat", "nmod", "nsubj", "det", "advmod"}
)
_OUTSIDE_OF_NOUN: Final = (
    SUBJECTS
    | AUXILIARIES
    | {"acl:relcl", "parataxis", "mark", "advcl", "dep", "discourse", "expl", "vocative", "obl", "obl:agent", "ccomp"}
)
_MODIFIERS: Final = frozenset({"nmod", "nmod:unmarked", "obl", "obl:unmarked", "nmod:desc"})
_UNASSERTED: Final = frozenset({"if", "unless", "whether", "lest", "than", "rather", "instead"})
_FILLERS: Final = frozenset(
    {"also", "however", "then", "therefore", "thus", "subsequently", "later", "eventually", "additionally", "too"}
)
"""Adverbs that tie a sentence to the one before and tell nothing of their own."""
_DETACHABLE: Final = frozenset(
    {"in", "at", "on", "near", "from", "since", "until", "till", "during", "between", "after", "before", "through"}
    | {"throughout", "by", "to", "into", "along", "within", "outside", "around", "under", "for", "with", "against"}
)
_STAGES: Final = frozenset({"without", "after", "before"})
"""Words before a participle that change what it asserts."""
_PLACE_WORDS: Final = frozenset({"in", "at", "of", "near", "from", "to"})
_LIGHT_PAIRS: Final = frozenset({("take", "place"), ("take", "part"), ("make", "use")})
_MAX_CORE_WORDS: Final = 12
_MAX_SPLIT: Final = 3
"""Longer lists stay whole: their members one by one would crowd out all else."""


@dataclass(frozen=True, slots=True)
class _Argument:
    """What a predicate says: the head of the phrase, the words that lead to it, and whether it is the main one."""

    head: int
    lead: tuple[int, ...] = ()
    is_core: bool = False
    phrase: tuple[int, ...] = ()
    """The words, where they are not those of a noun phrase around the head."""


class _Reader:
    """Reads the facts off one parse. Positions are those of the tokens in the sentence."""

    def __init__(self, sentence: AnnotatedSentence) -> None:
        self._sentence = sentence
        self._tree = sentence.tree
        self._tokens = sentence.tokens

    # Clauses.

    def drafts(self) -> Iterator[Draft]:
        certain = list(self._facts_in_brackets())
        if self._is_broken():
            certain += word_order_facts(self._sentence)
        yield from certain
        told = {word for draft in certain for word in draft.object}
        for draft in self._drafts_of_tree():
            if told.isdisjoint(draft.object) and not self._breaks_title(draft.object):
                yield draft

    def _breaks_title(self, positions: tuple[int, ...]) -> bool:
        return any(
            0 < len(self._words(title) & {*positions}) < len(self._words(title)) for title in self._sentence.titles
        )

    def _words(self, title: range) -> set[int]:
        return {position for position in title if self._tokens[position].text.isalnum()}

    def _is_broken(self) -> bool:
        """Whether the parser took a noun, or a participle before the subject, for the verb of the sentence."""
        root = self._sentence.root
        if self._is_verbal(root):
            is_participle = self._tokens[root].tag in ("VBN", "VBG") and root < 2
            follows_noun = self._tokens[root].tag in FINITE and self._tokens[root - 1].tag in NOUNS
            return (is_participle or follows_noun) and not self._subject_words(root)
        return self._tree.child(root, "cop") is None

    def _facts_in_brackets(self) -> Iterator[Draft]:
        """The dates after a name: "Marta Lindqvist (1911–1988)"."""
        texts = [token.text for token in self._tokens]
        if "(" not in texts or ")" not in texts[texts.index("(") :]:
            return
        start = texts.index("(")
        end = texts.index(")", start)
        if not 0 < start <= _MAX_CORE_WORDS or any(token.tag not in NOMINAL for token in self._tokens[:start]):
            return
        subject, dates = tuple(range(start)), tuple(range(start + 1, end))
        inner = self._sentence.text(dates) if dates else ""
        if is_dates(inner):
            is_stretch = re.search("[-–—]", inner) is not None
            yield Draft(subject, (), dates, verb=self._verb_of_dates(subject, is_stretch=is_stretch))

    def _verb_of_dates(self, subject: tuple[int, ...], *, is_stretch: bool) -> str:
        categories = {
            entity.category
            for entity in self._sentence.entities
            if any(entity.span.overlaps(self._tokens[position].span) for position in subject)
        }
        if not is_stretch:
            return "dates from"
        return "lived" if EntityCategory.PERSON in categories else "lasted"

    def _drafts_of_tree(self) -> Iterator[Draft]:
        for position in range(len(self._tokens)):
            if self._is_predicate(position):
                yield from self._facts_of_predicate(position)
            yield from self._facts_of_apposition(position)

    def _is_predicate(self, position: int) -> bool:
        token = self._tokens[position]
        if token.tag in RELATIVES or self._is_unasserted(position) or self._sentence.is_in_title(position):
            return False
        is_gerund = self._tree.child(position, "mark") is not None and not self._has_infinitive(position)
        if token.dependency == "acl" and is_gerund:
            return False
        if token.pos in ("VERB", "AUX"):
            return token.dependency not in _NOT_CLAUSES or self._tree.child(position, "cop") is not None
        return self._tree.child(position, "cop", "nsubj", "nsubj:pass") is not None

    def _is_unasserted(self, position: int) -> bool:
        return any(
            self._tokens[child].dependency in ("mark", "cc")
            and self._tree.lemma(child) in _UNASSERTED
            and not self._begins_after_comma(position, child)
            for child in self._tree.children[position]
        )

    def _begins_after_comma(self, predicate: int, mark: int) -> bool:
        """True for the main clause after a condition, where the parser hung "if" on it."""
        subjects = [c for c in self._tree.children[predicate] if self._tokens[c].dependency in SUBJECTS]
        return any(token.text == "," for token in self._tokens[mark : max(subjects, default=mark)])

    def _facts_of_predicate(self, predicate: int) -> Iterator[Draft]:
        subject, group = self._subject_words(predicate), self._verb_group(predicate)
        if not subject:
            return
        if self._tokens[subject[0]].tag == "WP$":
            subject, group = self._noun_before(subject[0]), (*subject, *group)
        if self._is_verbal(predicate):
            arguments = list(self._arguments(predicate))
        else:
            arguments = list(self._complements(predicate))
        titles = self._titles_after(group[-1] if group else predicate)
        for title in titles:
            yield Draft(subject, group, tuple(title))
        told = bool(titles)
        for argument in arguments:
            for draft in self._facts_of_argument(subject, group, argument, arguments):
                told = True
                yield draft
        if not told and not any(self._completes(child) for child in self._tree.children[predicate]):
            yield from self._bare_fact(subject, group, predicate)

    def _titles_after(self, verb: int) -> list[range]:
        """The titles that follow the verb at once, which the parser takes apart."""
        found: list[range] = []
        expected = verb + 1
        for title in self._sentence.titles:
            between = {token.text for token in self._tokens[expected : title[0]]}
            if title[0] < expected or between - ({",", "and", "or"} if found else set()):
                continue
            found.append(title)
            expected = title[-1] + 1
        return found

    def bare_event(self) -> Iterator[Draft]:
        """All that "The bridge collapsed." tells."""
        if self._sentence.parsed.text.endswith(":"):
            return
        if self._is_verbal(self._sentence.root) and self._is_predicate(self._sentence.root):
            group = self._verb_group(self._sentence.root)
            subject = self._subject_words(self._sentence.root)
            if not subject and all(token.tag in NOMINAL for token in self._tokens[: self._sentence.root]):
                subject = tuple(range(self._sentence.root))
            if subject and group and subject[-1] < group[0]:
                yield Draft(subject, (), tuple(range(group[0], group[-1] + 1)), verb="did")

    def _completes(self, clause: int) -> bool:
        return self._tokens[clause].dependency in ("xcomp", "ccomp", "csubj") or self._continues_verb(clause)

    def _bare_fact(self, subject: tuple[int, ...], group: tuple[int, ...], predicate: int) -> Iterator[Draft]:
        """An adverb is what is told (The firm; grew; quickly), or the verb itself (The mill; was; demolished)."""
        adverb = next((child for child in self._tree.children[predicate] if self._is_late_adverb(child)), None)
        if adverb is not None:
            yield Draft(subject, group, self._block(adverb, set(self._tree.subtree(adverb))))
        elif len(group) > 1 and predicate == group[-1]:
            first = predicate
            while first > group[0] and self._tokens[first - 1].span.end == self._tokens[first].span.start:
                first -= 1
            yield Draft(subject, tuple(word for word in group if word < first), tuple(range(first, predicate + 1)))

    def _is_late_adverb(self, position: int) -> bool:
        token = self._tokens[position]
        return token.dependency == "advmod" and position > token.head and token.text.lower() not in NEGATIONS

    # Subjects.

    def _subject_words(self, predicate: int) -> tuple[int, ...]:
        head = self._tokens[predicate].head
        if head != predicate and self._continues_verb(predicate) and self._tree.child(predicate, *SUBJECTS) is None:
            return self._subject_words(head)
        subject = self._nearest_of_two(predicate) or self._tree.subject(predicate)
        if self._tokens[predicate].dependency == "xcomp":
            controller = self._tree.child(head, "obj", "iobj")
            if controller is not None and self._tree.child(predicate, "mark") is not None:
                subject = controller
        if subject is None:
            subject = self._subject_of_auxiliary(predicate)
        if subject is None:
            subject = self._subject_above(predicate)
        if subject is None:
            return ()
        if self._tokens[subject].text in ("that", "which", "who") and subject > 0:
            return self._noun_before(subject)
        if self._tokens[subject].tag == "EX":
            return (subject,)
        subject = self._told_subject(subject, predicate)
        is_clause = self._tokens[subject].dependency in ("csubj", "csubj:pass")
        expletive = self._tree.child(predicate, "expl")
        if expletive is not None and (is_clause or self._tokens[expletive].tag == "EX"):
            return (expletive,)
        if is_clause:
            return self._block(subject, set(self._tree.subtree(subject)))
        phrase = self._after_label(subject, predicate) or self._noun_phrase(subject, whole_list=True)
        return self._before_title(phrase) or phrase

    def _after_label(self, subject: int, predicate: int) -> tuple[int, ...]:
        """The subject after a heading in the same line ("Early years: Lind studied"), which the parser takes for it."""
        colon = self._sentence.heading_end - 1
        if not subject < colon < predicate:
            return ()
        end = min((word for word in self._own_group(predicate) if word > colon), default=predicate)
        while end > colon and self._tokens[end - 1].pos == "ADV":
            end -= 1
        return tuple(range(colon + 1, end))

    def _before_title(self, phrase: tuple[int, ...]) -> tuple[int, ...]:
        """ "The author of the novel" before a title, which the parser takes for the subject alone."""
        before = self._tokens[: phrase[0]]
        begins_sentence = all(token.tag in NOMINAL - {","} or token.tag == "IN" for token in before)
        if any(phrase[0] == title[0] for title in self._sentence.titles) and before and begins_sentence:
            return tuple(range(phrase[-1] + 1)) if before[0].tag != "IN" else ()
        return ()

    def _noun_before(self, pronoun: int) -> tuple[int, ...]:
        """What "which" stands for where the parser has not seen a relative clause."""
        noun = next((i for i in range(pronoun - 1, -1, -1) if self._tokens[i].pos in ("NOUN", "PROPN")), None)
        while noun is not None and self._tokens[noun].dependency in ("compound", "flat", "nmod:unmarked"):
            noun = self._tokens[noun].head
        return self._noun_phrase(noun, whole_list=True) if noun is not None and noun < pronoun else ()

    def _nearest_of_two(self, predicate: int) -> int | None:
        """The later of two subjects: the first is one that "if the dam breaks," left over."""
        own = [c for c in self._tree.children[predicate] if self._tokens[c].dependency in SUBJECTS and c < predicate]
        return own[-1] if len(own) > 1 and self._comma_between(own[0], own[-1]) else None

    def _told_subject(self, subject: int, predicate: int) -> int:
        """What "a town" in "Halden is a town that grew" is said of: Halden has grown, not any town."""
        told = subject
        while self._tokens[told].dependency == "conj" and self._tree.child(told, "cop") is None:
            told = self._tokens[told].head
        is_told = self._tree.child(told, "cop") is not None and self._tokens[told].pos != "PROPN"
        above = self._tree.subject(told) if is_told and subject < predicate else None
        return above if above is not None else subject

    def _subject_of_auxiliary(self, predicate: int) -> int | None:
        """The subject that the parser hung on "has", or the "it" that it took for one without meaning."""
        subjects = (
            self._tree.child(child, *SUBJECTS)
            for child in self._tree.children[predicate]
            if self._tokens[child].dependency in AUXILIARIES
        )
        found = next((subject for subject in subjects if subject is not None), None)
        return found if found is not None else self._tree.child(predicate, "expl")

    def _subject_above(self, predicate: int) -> int | None:
        """The subject of the clause above, where a verb hangs below a noun that is no clause."""
        if self._tokens[predicate].dependency not in ("conj", "advcl", "parataxis"):
            return None
        above = self._tree.predicate_above(predicate)
        return self._tree.subject(above) if above is not None else None

    # The words of the verb.

    def _verb_group(self, predicate: int) -> tuple[int, ...]:
        """Auxiliaries, negation, verb and particle, with the verb it depends on; for a copula, all but the noun."""
        own = self._own_group(predicate)
        token = self._tokens[predicate]
        if token.head == predicate:
            return own
        if self._continues_verb(predicate):
            return (*self._verb_group(token.head), *self._object_words(token.head, predicate), *own)
        if token.dependency == "acl" and self._has_infinitive(predicate):
            return (*self._words_before(predicate), *own)
        if token.dependency == "conj" and self._has_infinitive(predicate) and self._has_infinitive(token.head):
            repeated = self._own_group(token.head)
            return (*(word for word in self._verb_group(token.head) if word not in repeated), *own)
        if token.dependency == "conj" and self._is_verbal(token.head) and not self._has_auxiliary(predicate):
            return (*self._shared_words(predicate), *own)
        return own

    def _continues_verb(self, predicate: int) -> bool:
        """True for "to become" in "wanted to become" and for "with winning" in "is credited with winning"."""
        token = self._tokens[predicate]
        if not (self._is_verbal(token.head) or self._is_told_adjective(token.head)) or predicate < token.head:
            return False
        if not self._is_verbal(predicate) and not self._has_infinitive(predicate):
            return False
        if token.dependency == "xcomp":
            controller = self._tree.child(token.head, "obj", "iobj")
            return controller is None or self._tokens[controller].pos == "PRON"
        if self._has_infinitive(predicate):
            return token.dependency != "conj"
        mark = self._tree.child(predicate, "mark")
        word = self._tokens[mark].text.lower() if mark is not None else ""
        return token.dependency == "advcl" and word in LINKS

    def _is_told_adjective(self, position: int) -> bool:
        """True for "able" in "is able" and for a participle that the parser took for an adjective."""
        return self._tokens[position].pos in ("ADJ", "VERB") and self._tree.child(position, "cop") is not None

    def _object_words(self, verb: int, before: int) -> tuple[int, ...]:
        if self._is_told_adjective(verb):
            return (verb,)
        object_head = self._tree.child(verb, "obj")
        if object_head is None or object_head > before:
            return ()
        return self._short_phrase(object_head)

    def _words_before(self, infinitive: int) -> tuple[int, ...]:
        """ "was the first woman" before "to win": without it the fact would be another."""
        noun = self._tokens[infinitive].head
        above = noun if self._tree.child(noun, "cop") is not None else self._tokens[noun].head
        if above != noun and self._tokens[noun].dependency not in ("obj", "xcomp"):
            return ()
        phrase = tuple(word for word in self._noun_phrase(noun, whole_list=True) if word < infinitive)
        mark = self._tree.child(infinitive, "mark")
        return (*self._verb_group(above), *(word for word in phrase if word != mark))

    def _shared_words(self, predicate: int) -> tuple[int, ...]:
        """The auxiliaries that the first of two verbs has for both: "was built and opened"."""
        token = self._tokens[predicate]
        first = self._tokens[token.head]
        is_passive = self._tree.child(token.head, "aux:pass") is not None
        if token.tag == "VBD" and is_passive:
            if self._tree.child(predicate, "obj", *SUBJECTS) is not None:
                return ()
        elif token.tag not in ("VBN", "VB", "VBG") or (token.tag != first.tag and first.tag != "VBD"):
            return ()
        return tuple(word for word in self._verb_group(token.head) if word < token.head)

    def _is_verbal(self, position: int) -> bool:
        """True for verbs, also after "was to"; False for nouns and adjectives with a copula."""
        if self._tokens[position].pos not in ("VERB", "AUX"):
            return False
        return self._tree.child(position, "cop") is None or self._has_infinitive(position)

    def _has_infinitive(self, predicate: int) -> bool:
        mark = self._tree.child(predicate, "mark")
        return mark is not None and self._tokens[mark].tag == "TO"

    def _has_auxiliary(self, predicate: int) -> bool:
        return self._tree.child(predicate, *AUXILIARIES) is not None or self._has_infinitive(predicate)

    def _own_group(self, predicate: int) -> tuple[int, ...]:
        words = {
            child
            for child in self._tree.children[predicate]
            if self._tokens[child].dependency in (*AUXILIARIES, "compound:prt")
            or self._is_spoken_mark(child)
            or (self._tokens[child].dependency == "cc:preconj" and self._tree.lemma(child) == "neither")
        }
        if self._is_verbal(predicate):
            words.add(predicate)
        for child in self._tree.children[predicate]:
            if self._tokens[child].dependency == "advmod" and self._belongs_to_verb(child, predicate, words):
                words.update(self._tree.subtree(child))
        return tuple(sorted(words))

    def _is_spoken_mark(self, position: int) -> bool:
        token = self._tokens[position]
        if token.dependency != "mark":
            return False
        word, form = token.text.lower(), self._tokens[token.head].tag
        if word == "to":
            return True
        return form == "VBG" and (word in _STAGES or (word in LINKS and self._continues_verb(token.head)))

    def _belongs_to_verb(self, adverb: int, predicate: int, words: set[int]) -> bool:
        word = self._tokens[adverb].text.lower()
        below = {self._tokens[child].text.lower() for child in self._tree.children[adverb]}
        if word in NEGATIONS or "no" in below:
            return True
        if word in _FILLERS or self._tokens[adverb].tag in RELATIVES or not words:
            return False
        if predicate in words:
            return min(words) < adverb < predicate
        return self._follows_copula(adverb)

    def _follows_copula(self, adverb: int) -> bool:
        """True for "still" in "is still a member", but not for "very" in "is very long"."""
        noun = self._tokens[adverb].head
        copula = self._tree.child(noun, "cop")
        if copula is None or not copula < adverb < noun or self._tokens[noun].pos not in ("NOUN", "PROPN"):
            return False
        return all(token.pos in ("AUX", "ADV", "PART") for token in self._tokens[copula:adverb])

    # What the verb says.

    def _arguments(self, predicate: int) -> Iterator[_Argument]:
        """Objects, complements and phrases with prepositions of a verb, in order of the sentence."""
        existential = self._tree.child(predicate, "expl") is not None
        for child in self._tree.children[predicate]:
            label = self._tokens[child].dependency
            if child < self._sentence.heading_end <= predicate:
                continue
            if label == "obj" and self._tokens[child].tag in RELATIVES:
                yield from self._antecedent(predicate)
            elif label in ("obj", "iobj") or (existential and label in SUBJECTS and self._tokens[child].tag != "EX"):
                yield _Argument(child, is_core=True)
            elif label == "xcomp" and not self._is_verb(child):
                yield _Argument(child, self._case(child), is_core=True)
                yield from self._obliques(child)
            elif self._is_oblique(child):
                yield from self._oblique(child)
            elif label == "ccomp" and self._is_verb(child):
                yield self._clause(child)

    def _is_oblique(self, position: int) -> bool:
        """True also for "soothing" in "described as soothing", which the parser takes for a clause."""
        label = self._tokens[position].dependency
        if label == "advcl":
            return not self._is_verb(position) and bool(self._case(position))
        return label in OBLIQUES and not self._is_clause(position)

    def _antecedent(self, predicate: int) -> Iterator[_Argument]:
        """The town in "the town that he left in 1950"."""
        if self._tokens[predicate].dependency == "acl:relcl":
            head = self._tokens[predicate].head
            yield _Argument(head, is_core=True, phrase=self._noun_phrase(head, whole_list=True))

    def _complements(self, predicate: int) -> Iterator[_Argument]:
        """What a copula says of the subject: the noun or adjective, and the phrases around it."""
        yield _Argument(predicate, self._case(predicate), is_core=True)
        yield from self._obliques(predicate)

    def _obliques(self, head: int) -> Iterator[_Argument]:
        for child in self._tree.children[head]:
            if self._tokens[child].dependency in OBLIQUES:
                yield from self._oblique(child)

    def _is_verb(self, position: int) -> bool:
        return self._tokens[position].pos in ("VERB", "AUX") or self._tree.child(position, "cop") is not None

    def _oblique(self, head: int) -> Iterator[_Argument]:
        if self._tokens[head].tag not in RELATIVES and not self._ends_stretch(head):
            yield _Argument(head, self._case(head), is_core=self._preposition(head) in COMPLETING)

    def _clause(self, head: int) -> _Argument:
        mark = self._tree.child(head, "mark")
        words = self._block(head, set(self._tree.subtree(head)) - ({mark} if mark is not None else set()))
        return _Argument(head, (mark,) if mark is not None else (), is_core=True, phrase=words)

    def _case(self, head: int) -> tuple[int, ...]:
        """The preposition of a phrase with all its words: "because of"."""
        found = [child for child in self._tree.children[head] if self._tokens[child].dependency == "case"]
        words = {word for child in found for word in self._tree.subtree(child) if self._tokens[child].tag != "POS"}
        return tuple(sorted(words))

    def _preposition(self, head: int) -> str:
        return (self._tree.preposition(head) or "").lower()

    # Facts of one argument.

    def _facts_of_argument(
        self, subject: tuple[int, ...], group: tuple[int, ...], argument: _Argument, arguments: list[_Argument]
    ) -> Iterator[Draft]:
        core = self._core_before(argument, arguments)
        base = (*group, *core, *argument.lead)
        if argument.phrase:
            yield Draft(subject, base, argument.phrase)
            return
        if self._is_completed(argument, arguments):
            return
        for head in self._members(argument):
            phrase = self._with_frequency(self._noun_phrase(head, whole_list=len(self._members(argument)) == 1))
            yield from self._split_quantity(subject, base, head, phrase)
            for detached in self._detached(head):
                inner = _Argument(head, argument.lead, is_core=argument.is_core)
                yield from self._facts_of_detached(subject, (*group, *core), inner, detached)

    def _with_frequency(self, phrase: tuple[int, ...]) -> tuple[int, ...]:
        """ "Twice a year" is one phrase."""
        before = phrase[0] - 1
        return (before, *phrase) if before >= 0 and self._tokens[before].text in ("once", "twice") else phrase

    def _is_completed(self, argument: _Argument, arguments: list[_Argument]) -> bool:
        """True for "famous" in "famous for her maps" and "place" in "takes place in May": alone they tell nothing."""
        head = self._tokens[argument.head]
        if (self._tree.lemma(head.head), head.text.lower()) in _LIGHT_PAIRS:
            return len(arguments) > 1
        if head.pos != "ADJ" and head.text.lower() != "home":
            return False
        if any(self._continues_verb(child) for child in self._tree.children[argument.head]):
            return True
        following = {self._tokens[other.head].head for other in arguments if other.lead[:1] > (argument.head,)}
        return argument.head in following

    def _split_quantity(
        self, subject: tuple[int, ...], base: tuple[int, ...], head: int, phrase: tuple[int, ...]
    ) -> Iterator[Draft]:
        """ "A population of 12,400": the figure is what is told."""
        for child in self._tree.children[head]:
            if child in phrase and child > head and self._preposition(child) == "of" and self._is_figure(child):
                before = tuple(position for position in phrase if position <= self._case(child)[-1])
                yield Draft(subject, (*base, *before), tuple(p for p in phrase if p > before[-1]))
                return
        yield Draft(subject, base, self._with_end(head, phrase))

    def _with_end(self, head: int, phrase: tuple[int, ...]) -> tuple[int, ...]:
        """ "2011 to 2019" after "from": the two ends of a stretch are one fact."""
        stretch = next((stretch for stretch in self._sentence.date_ranges if head in stretch), None)
        return phrase if stretch is None else tuple(stretch)

    def _ends_stretch(self, head: int) -> bool:
        """True for the 2019 of "from 2011 to 2019", which belongs to the 2011."""
        case = self._case(head)
        return bool(case) and any(case[0] in stretch for stretch in self._sentence.date_ranges)

    def _is_figure(self, head: int) -> bool:
        """True for "12,400" and "90 metres"; a year is rather part of a name ("the treaty of 1866")."""
        words = [head, *(child for child in self._tree.children[head] if self._tokens[child].dependency == "nummod")]
        figures = [self._tokens[word].text for word in words if self._tokens[word].pos in ("NUM", "SYM")]
        return any(map(holds_digit, figures)) and not self._is_time(head)

    def _facts_of_detached(
        self, subject: tuple[int, ...], base: tuple[int, ...], argument: _Argument, head: int
    ) -> Iterator[Draft]:
        """The noun before is part of the relation, unless the two only stand side by side ("born in 1911 in")."""
        before = (*argument.lead, *self._noun_phrase(argument.head, whole_list=True))
        begins_stretch = self._sentence.joined(argument.lead).lower() == "from"
        is_dated = self._is_time(head) or self._is_time(argument.head, deep=False)
        if is_dated and not argument.is_core and not begins_stretch:
            before = ()
        detached = _Argument(head, self._case(head))
        members = self._members(detached)
        for member in members:
            phrase = self._with_end(member, self._noun_phrase(member, whole_list=len(members) == 1))
            yield Draft(subject, (*base, *before, *detached.lead), phrase)
        for below in self._detached(head):
            yield from self._facts_of_detached(subject, (*base, *before), detached, below)

    def _core_before(self, argument: _Argument, arguments: list[_Argument]) -> tuple[int, ...]:
        """The words of the object, which what comes after the object needs: "studied physics at"."""
        if self._preposition(argument.head) == "including":
            before = [other for other in arguments if other.head < argument.head]
            return (*before[-1].lead, *self._short_phrase(before[-1].head)) if before else ()
        words: list[int] = []
        for other in arguments:
            if other.head == argument.head or not other.is_core or self._tokens[other.head].dependency == "ccomp":
                continue
            if argument.is_core and not argument.lead and (other.head > argument.head or other.lead):
                continue
            if other.lead and other.head > argument.head:
                continue
            words += (*other.lead, *self._short_phrase(other.head))
        return tuple(words)

    def _short_phrase(self, head: int) -> tuple[int, ...]:
        """The phrase, without what follows its noun where it is long."""
        phrase = self._noun_phrase(head, whole_list=True)
        stop = next((word for word in phrase if self._tokens[word].text == "including"), None)
        if stop is not None:
            phrase = tuple(
                word for word in phrase if word < stop and (word, self._tokens[word].text) != (stop - 1, ",")
            )
        if len(phrase) <= _MAX_CORE_WORDS:
            return phrase
        return tuple(word for word in phrase if word <= head) if self._tokens[head].pos != "NUM" else ()

    # Phrases.

    def _members(self, argument: _Argument) -> list[int]:
        """The heads of a list, or the head alone where the list is to stay whole."""
        head = argument.head
        members = [head, *self._conjuncts(head)]
        words = {self._tokens[position].text.lower() for position in argument.lead}
        if (
            len(members) > _MAX_SPLIT
            or self._is_address(members)
            or self._is_cut_short(members)
            or "between" in words
            or self._is_one_name(members)
        ):
            return [head]
        return members

    def _is_cut_short(self, members: list[int]) -> bool:
        """True for "the late 19th and early 20th centuries" and for "30 government and army officials"."""
        first, last = self._tokens[members[0]], self._tokens[members[-1]]
        if first.pos == "ADJ" and last.pos == "NOUN":
            return True
        return first.tag == "NN" and last.tag == "NNS" and self._tree.child(members[0], "nummod") is not None

    def _is_address(self, members: list[int]) -> bool:
        """True for "Arvika, Värmland, Sweden", which the parser reads as a list."""
        if self._preposition(members[0]) not in _PLACE_WORDS:
            return False
        links = (child for member in members for child in self._tree.children[member])
        return not any(self._tokens[child].dependency == "cc" for child in links)

    def _conjuncts(self, head: int) -> list[int]:
        found: list[int] = []
        for child in self._tree.children[head]:
            if self._tokens[child].dependency == "conj" and not self._is_clause(child):
                found += [child, *self._conjuncts(child)]
        return found

    def _is_clause(self, position: int) -> bool:
        return self._is_verb(position) or self._tree.child(position, "nsubj", "nsubj:pass") is not None

    def _is_one_name(self, members: list[int]) -> bool:
        spans = [self._tokens[member].span for member in members]
        return any(all(entity.span.contains(span) for span in spans) for entity in self._sentence.entities)

    def _noun_phrase(self, head: int, *, whole_list: bool) -> tuple[int, ...]:
        """The words of a phrase that stand together, without clauses and what is told as a fact of its own."""
        detached = set() if self._tokens[head].dependency in SUBJECTS else set(self._detached(head))
        words = {head}
        pending = [head]
        while pending:
            current = pending.pop()
            for child in self._tree.children[current]:
                if child not in detached and self._is_inside(child, head, current, whole_list=whole_list):
                    words.add(child)
                    pending.append(child)
        return self._block(head, words)

    def _is_inside(self, child: int, head: int, parent: int, *, whole_list: bool) -> bool:
        token = self._tokens[child]
        label = token.dependency
        if label in ("conj", "cc"):
            return parent != head or (whole_list and not self._is_clause(child))
        if parent == head and label == "case" and token.tag != "POS":
            return self._tokens[head].dependency in ("obj", *SUBJECTS)
        if label == "acl":
            return self._tree.child(child, "mark") is not None
        if label == "appos":
            return self._is_part_of_place(child) or self._is_close(parent, child)
        if label == "xcomp" and self._continues_verb(child):
            return False
        is_told = self._tree.child(head, "cop") is not None
        if label == "acl:relcl" or (label == "cc:preconj" and is_told):
            return False
        if parent == head and label in _OUTSIDE_OF_NOUN:
            return label == "obl" and self._preposition(child) == "of" and not is_told
        return not (label == "advmod" and parent == head and self._is_told_with_copula(child, head))

    def _is_close(self, noun: int, apposition: int) -> bool:
        """True for "Olaf" in "his brother Olaf" and for the title in "the film “The Weir”"."""
        if any(apposition in title and title[0] == noun + 1 for title in self._sentence.titles):
            return True
        return apposition - noun < 3 and not self._comma_between(noun, apposition)

    def _is_told_with_copula(self, adverb: int, noun: int) -> bool:
        copula = self._tree.child(noun, "cop")
        if copula is None:
            return False
        is_negation = self._tokens[adverb].text.lower() in NEGATIONS
        return adverb < copula or is_negation or self._follows_copula(adverb)

    def _comma_between(self, first: int, last: int) -> bool:
        low, high = sorted((first, last))
        return any(token.text in ",;:(–—" for token in self._tokens[low + 1 : high])

    def _block(self, head: int, words: set[int]) -> tuple[int, ...]:
        """The words around the head that stand together, without punctuation at the ends."""
        first = last = head
        while first - 1 in words:
            first -= 1
        while last + 1 in words and not (self._tokens[last + 1].text == "(" and self._tokens[first].text != "("):
            last += 1
        if self._tokens[first].text == "(" and self._tokens[last].text == ")" and first < head < last:
            first, last = first + 1, last - 1
        for title in self._sentence.titles:
            if set(title) & set(range(first, last + 1)) and (first not in title or last not in title):
                first, last = min(first, title[0]), max(last, title[-1])
        while first < head and self._is_edge(first, last):
            first += 1
        while last > head and self._is_edge(last, first):
            last -= 1
        return tuple(range(first, last + 1))

    def _is_edge(self, position: int, other_end: int) -> bool:
        token = self._tokens[position]
        if token.dependency == "cc":
            return True
        if token.pos != "PUNCT":
            return False
        low, high = sorted((position, other_end))
        text = "".join(token.text for token in self._tokens[low : high + 1])
        if token.text in "()":
            return text.count("(") != text.count(")")
        if token.text in "\"“”''``":
            return sum(text.count(mark) for mark in '"“”') % 2 == 1
        return True

    def _detached(self, head: int) -> Iterator[int]:
        """Phrases of time after a noun, and of place where the noun completes the verb: told on their own."""
        of_any_kind = self._completes_verb(head) or self._is_time(head, deep=False)
        for child in self._tree.children[head]:
            if child < head or self._tokens[child].dependency not in _MODIFIERS or self._ends_stretch(child):
                continue
            if self._preposition(child) == "of":
                yield from (below for below in self._detached(child) if self._is_time(below))
            elif self._preposition(child) == "including" or (
                self._preposition(child) in _DETACHABLE
                and (of_any_kind or self._is_time(child))
                and any(map(self._sentence.is_specific, self._tree.subtree(child)))
            ):
                yield child

    def _completes_verb(self, head: int) -> bool:
        label = self._tokens[head].dependency
        if label in ("obj", "xcomp") or self._tree.child(head, "cop") is not None:
            return True
        if label == "conj":
            return self._completes_verb(self._tokens[head].head)
        return label in OBLIQUES and self._preposition(head) in COMPLETING

    def _is_time(self, head: int, *, deep: bool = True) -> bool:
        nearest = [head, *(child for child in self._tree.children[head] if not self._case(child))]
        words = self._tree.subtree(head) if deep else nearest
        return any(names_time(self._tokens[word].text) for word in words)

    # Appositions.

    def _facts_of_apposition(self, position: int) -> Iterator[Draft]:
        token = self._tokens[position]
        if token.dependency != "appos" or token.head >= position or self._is_part_of_place(position):
            return
        if (
            token.pos in ("DET", "PRON")
            or self._is_clause(position)
            or self._sentence.is_in_title(position)
            or self._is_label(position)
            or self._is_acronym(position)
        ):
            return
        below = min(self._tree.subtree(position))
        subject = tuple(word for word in self._noun_phrase(token.head, whole_list=False) if word < below)
        for head in self._members(_Argument(position)):
            phrase = self._noun_phrase(head, whole_list=False)
            if self._tokens[phrase[0]].tag not in RELATIVES:
                verb = "are" if self._tokens[token.head].tag in ("NNS", "NNPS") else "is"
                yield Draft(subject, (), phrase, verb)
                for detached in self._detached(head):
                    for draft in self._facts_of_detached(subject, (), _Argument(head, is_core=True), detached):
                        yield replace(draft, verb=verb)

    def _is_label(self, position: int) -> bool:
        """True for what a heading in the same line ends before: the two are not the same thing."""
        return self._tokens[position].head < self._sentence.heading_end <= position

    def _is_acronym(self, position: int) -> bool:
        is_bracketed = position > 0 and self._tokens[position - 1].text == "("
        return is_bracketed and self._tokens[position].text.isupper()

    def _is_part_of_place(self, position: int) -> bool:
        """True for "Sweden" in "Lund, Sweden"."""
        head = self._tokens[position].head
        is_bare = all(self._tokens[word].pos in ("PROPN", "PUNCT") for word in self._tree.subtree(position))
        follows_place = self._preposition(head) in _PLACE_WORDS and not self._is_time(head)
        return is_bare and follows_place and self._tokens[head].pos == "PROPN"
