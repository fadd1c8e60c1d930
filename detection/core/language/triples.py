"""Relation triples: the facts of a sentence as subject, relation and object, read off its parse.

The parser often hangs a date or a place too low. So what follows a noun with a preposition of place or time is told
as a fact of its own, whatever the arc says: its relation holds the words before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from detection.core.rules.syntax import Tree
from detection.core.types import ParsedSentence, Span

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
    reader = _Reader(sentence, Tree.of(sentence))
    drafts = _without_repeats(draft for draft in reader.drafts() if reader.is_worth_telling(draft))
    ranked = sorted(drafts, key=reader.rank)
    return tuple(reader.triple(draft) for draft in ranked[:MAX_TRIPLES])


_SUBJECTS: Final = frozenset({"nsubj", "nsubj:pass", "csubj", "csubj:pass", "nsubj:outer"})
_AUXILIARIES: Final = frozenset({"aux", "aux:pass", "cop"})
_NOT_CLAUSES: Final = frozenset(
    {"amod", "compound", "case", "mark", "aux", "aux:pass", "cop", "fixed", "flat", "nmod", "nsubj", "det", "advmod"}
)
_OUTSIDE_OF_NOUN: Final = (
    _SUBJECTS
    | _AUXILIARIES
    | {"acl:relcl", "parataxis", "mark", "advcl", "dep", "discourse", "expl", "vocative", "obl", "obl:agent", "ccomp"}
)
_OBLIQUES: Final = frozenset({"obl", "obl:agent", "obl:unmarked", "obl:npmod", "obl:tmod"})
_MODIFIERS: Final = frozenset({"nmod", "nmod:unmarked", "obl", "obl:unmarked", "nmod:desc"})
_UNASSERTED: Final = frozenset({"if", "unless", "whether", "lest", "than", "rather", "instead"})
_NEGATIONS: Final = frozenset({"not", "n't", "n’t", "never", "neither", "nor", "hardly", "barely", "no"})
_FILLERS: Final = frozenset(
    {"also", "however", "then", "therefore", "thus", "subsequently", "later", "eventually", "additionally", "too"}
)
_DETACHABLE: Final = frozenset(
    {"in", "at", "on", "near", "from", "since", "until", "till", "during", "between", "after", "before", "through"}
    | {"throughout", "by", "to", "into", "along", "within", "outside", "around", "under", "for", "with", "against"}
)
_COMPLETING: Final = frozenset({"as", "to", "into"})
"""Prepositions whose phrase completes the verb: a date after it needs it ("worked as a teacher until")."""
_LINKS: Final = frozenset({"to", "of", "with", "for", "from", "in", "on", "at", "about", "against", "into", "by"})
"""Words that tie a verb to the one before it."""
_SPOKEN_MARKS: Final = _LINKS | {"without", "after", "before"}
_RELATIVES: Final = frozenset({"WDT", "WP", "WRB", "WP$"})
_MONTHS: Final = (
    "January|February|March|April|May|June|July|August|September|October|November|December|"
    "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
_TIME: Final = re.compile(
    rf"\b(?:1\d{{3}}|20\d{{2}})(?:s|\b)|\b(?:{_MONTHS})\b|\b(?:century|centuries|decade|\d0s)\b|\bB\.?C\b"
)
_MAX_CORE_WORDS: Final = 9
_MAX_SPLIT: Final = 3
"""Longer lists stay whole: their members one by one would crowd out all else."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A triple as positions of tokens."""

    subject: tuple[int, ...]
    relation: tuple[int, ...]
    object: tuple[int, ...]
    verb: str = ""
    """The relation where the sentence has no words for it."""


@dataclass(frozen=True, slots=True)
class _Argument:
    """What a predicate says: the head of the phrase, the words that lead to it, and whether it is the main one."""

    head: int
    lead: tuple[int, ...] = ()
    is_core: bool = False
    phrase: tuple[int, ...] = ()
    last: int = -1


def _without_repeats(drafts: Iterable[_Draft]) -> list[_Draft]:
    """Leaves out what says the same of the same words."""
    kept: list[_Draft] = []
    for draft in drafts:
        if not any(_repeats(draft, other) for other in kept):
            kept.append(draft)
    return kept


def _repeats(draft: _Draft, other: _Draft) -> bool:
    if draft.object == other.object:
        return True
    words, others = ({*item.relation, *item.object} for item in (draft, other))
    return draft.subject == other.subject and words == others


class _Reader:
    """Reads the facts off one parse. Positions are those of the tokens in the sentence."""

    def __init__(self, sentence: ParsedSentence, tree: Tree) -> None:
        self._sentence = sentence
        self._tree = tree
        self._tokens = tree.tokens
        self._named = {
            position
            for position, token in enumerate(self._tokens)
            if any(entity.span.overlaps(token.span) for entity in sentence.entities)
        }

    # From positions to text.

    def triple(self, draft: _Draft) -> Triple:
        span = self._span(draft.object)
        return Triple(
            self._text(self._span(draft.subject)), draft.verb or self._joined(draft.relation), self._text(span), span
        )

    def _span(self, positions: tuple[int, ...]) -> Span:
        return Span(self._tokens[positions[0]].span.start, self._tokens[positions[-1]].span.end)

    def _text(self, span: Span) -> str:
        return span.shifted(-self._sentence.sentence.start).of(self._sentence.text)

    def _joined(self, positions: tuple[int, ...]) -> str:
        """The words, written together where the sentence writes them so ("didn’t")."""
        text = ""
        for number, position in enumerate(positions):
            token = self._tokens[position]
            previous = self._tokens[positions[number - 1]] if number else None
            glued = previous is not None and previous.span.end == token.span.start
            word = token.text.lower() if position == 0 and token.pos not in ("PROPN", "NOUN") else token.text
            text += word if glued or not text else f" {word}"
        return text

    # What is worth telling.

    def is_worth_telling(self, draft: _Draft) -> bool:
        if not draft.subject or not draft.object or not (draft.relation or draft.verb):
            return False
        if set(draft.subject) & set(draft.object):
            return False
        return any(
            self._tokens[position].pos not in ("PRON", "DET", "PUNCT", "ADP", "PART", "CCONJ", "SCONJ")
            for position in draft.object
        )

    def rank(self, draft: _Draft) -> int:
        return 0 if any(self._is_specific(position) for position in draft.object) else 1

    def _is_specific(self, position: int) -> bool:
        token = self._tokens[position]
        return token.pos in ("PROPN", "NUM") or position in self._named or any(map(str.isdigit, token.text))

    # Clauses.

    def drafts(self) -> Iterator[_Draft]:
        for position in range(len(self._tokens)):
            if self._is_predicate(position):
                yield from self._facts_of_predicate(position)
            yield from self._facts_of_apposition(position)

    def _is_predicate(self, position: int) -> bool:
        token = self._tokens[position]
        if token.tag in _RELATIVES or self._is_unasserted(position):
            return False
        if token.dependency == "acl" and self._tree.child(position, "mark") and not self._has_infinitive(position):
            return False
        if token.pos in ("VERB", "AUX"):
            return token.dependency not in _NOT_CLAUSES or self._tree.child(position, "cop") is not None
        return self._tree.child(position, "cop", "nsubj", "nsubj:pass") is not None

    def _is_unasserted(self, position: int) -> bool:
        return any(
            self._tokens[child].dependency in ("mark", "advmod") and self._tree.lemma(child) in _UNASSERTED
            for child in self._tree.children[position]
        )

    def _facts_of_predicate(self, predicate: int) -> Iterator[_Draft]:
        subject, group = self._subject_words(predicate), self._verb_group(predicate)
        if not subject:
            return
        if self._is_verbal(predicate):
            arguments = list(self._arguments(predicate))
        else:
            arguments = list(self._complements(predicate))
        told = False
        for argument in arguments:
            for draft in self._facts_of_argument(subject, group, argument, arguments):
                told = True
                yield draft
        if not told and not any(self._is_verbal(child) for child in self._tree.children[predicate]):
            yield from self._bare_fact(subject, group, predicate)

    def _bare_fact(self, subject: tuple[int, ...], group: tuple[int, ...], predicate: int) -> Iterator[_Draft]:
        """An adverb is what is told (The firm; grew; quickly), or the verb itself (The mill; was; demolished)."""
        adverb = next((child for child in self._tree.children[predicate] if self._is_late_adverb(child)), None)
        if adverb is not None:
            yield _Draft(subject, group, self._block(adverb, set(self._tree.subtree(adverb))))
        elif len(group) > 1 and predicate == group[-1]:
            yield _Draft(subject, group[:-1], (predicate,))

    def _is_late_adverb(self, position: int) -> bool:
        token = self._tokens[position]
        return token.dependency == "advmod" and position > token.head and token.text.lower() not in _NEGATIONS

    # Subjects.

    def _subject_words(self, predicate: int) -> tuple[int, ...]:
        subject = self._tree.subject(predicate)
        if self._tokens[predicate].dependency == "xcomp":
            controller = self._tree.child(self._tokens[predicate].head, "obj", "iobj")
            if controller is not None and self._tree.child(predicate, "mark") is not None:
                subject = controller
        if subject is None:
            subject = self._subject_above(predicate)
        if subject is None:
            return ()
        if self._tokens[subject].tag == "EX":
            return (subject,)
        if self._tokens[predicate].dependency in ("acl", "acl:relcl") and subject == self._tokens[predicate].head:
            above = self._tree.subject(subject) if self._tree.child(subject, "cop") is not None else None
            subject = above if above is not None else subject
        expletive = self._tree.child(predicate, "expl")
        if expletive is not None and self._tokens[expletive].tag == "EX":
            return (expletive,)
        if self._tokens[subject].dependency in ("csubj", "csubj:pass"):
            return self._block(subject, set(self._tree.subtree(subject)))
        return self._noun_phrase(subject, whole_list=True)

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
        if token.dependency == "conj" and self._is_verbal(token.head) and not self._has_auxiliary(predicate):
            return (*self._shared_words(predicate), *own)
        return own

    def _continues_verb(self, predicate: int) -> bool:
        """True for "to become" in "wanted to become" and for "with winning" in "is credited with winning"."""
        token = self._tokens[predicate]
        if not self._is_verbal(token.head) or not self._is_verbal(predicate) or predicate < token.head:
            return False
        if token.dependency == "xcomp":
            return self._tree.child(token.head, "obj", "iobj") is None
        mark = self._tree.child(predicate, "mark")
        word = self._tokens[mark].text.lower() if mark is not None else ""
        return token.dependency == "advcl" and word in _LINKS

    def _object_words(self, verb: int, before: int) -> tuple[int, ...]:
        object_head = self._tree.child(verb, "obj")
        if object_head is None or object_head > before:
            return ()
        phrase = self._noun_phrase(object_head, whole_list=True)
        return phrase if len(phrase) <= _MAX_CORE_WORDS else ()

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
        if token.tag not in ("VBN", "VB", "VBG") or (token.tag != first.tag and first.tag != "VBD"):
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
        return self._tree.child(predicate, *_AUXILIARIES) is not None or self._has_infinitive(predicate)

    def _own_group(self, predicate: int) -> tuple[int, ...]:
        words = {
            child
            for child in self._tree.children[predicate]
            if self._tokens[child].dependency in (*_AUXILIARIES, "compound:prt")
            or (self._tokens[child].dependency == "mark" and self._tokens[child].text.lower() in _SPOKEN_MARKS)
        }
        if self._is_verbal(predicate):
            words.add(predicate)
        for child in self._tree.children[predicate]:
            if self._tokens[child].dependency == "advmod" and self._belongs_to_verb(child, predicate, words):
                words.update(self._tree.subtree(child))
        return tuple(sorted(words))

    def _belongs_to_verb(self, adverb: int, predicate: int, words: set[int]) -> bool:
        word = self._tokens[adverb].text.lower()
        below = {self._tokens[child].text.lower() for child in self._tree.children[adverb]}
        if word in _NEGATIONS or "no" in below:
            return True
        within = bool(words) and min(words) < adverb < predicate
        return within and predicate in words and word not in _FILLERS and self._tokens[adverb].tag not in _RELATIVES

    # What the verb says.

    def _arguments(self, predicate: int) -> Iterator[_Argument]:
        """Objects, complements and phrases with prepositions of a verb, in order of the sentence."""
        existential = self._tree.child(predicate, "expl") is not None
        for child in self._tree.children[predicate]:
            label = self._tokens[child].dependency
            if label in ("obj", "iobj") or (existential and label in _SUBJECTS and self._tokens[child].tag != "EX"):
                yield _Argument(child, is_core=True)
            elif label == "xcomp" and not self._is_verb(child):
                yield _Argument(child, self._case(child), is_core=True)
                yield from self._obliques(child)
            elif label in _OBLIQUES:
                yield from self._oblique(child)
            elif label == "ccomp" and self._is_verb(child):
                yield self._clause(child)

    def _complements(self, predicate: int) -> Iterator[_Argument]:
        """What a copula says of the subject: the noun or adjective, and the phrases around it."""
        yield _Argument(predicate, self._case(predicate), is_core=True)
        yield from self._obliques(predicate)

    def _obliques(self, head: int) -> Iterator[_Argument]:
        for child in self._tree.children[head]:
            if self._tokens[child].dependency in _OBLIQUES:
                yield from self._oblique(child)

    def _is_verb(self, position: int) -> bool:
        return self._tokens[position].pos in ("VERB", "AUX") or self._tree.child(position, "cop") is not None

    def _oblique(self, head: int) -> Iterator[_Argument]:
        if self._tokens[head].tag in _RELATIVES:
            return
        case = self._case(head)
        yield _Argument(head, case, is_core=self._preposition(head) in _COMPLETING)

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
    ) -> Iterator[_Draft]:
        core = self._core_before(argument, arguments)
        base = (*group, *core, *argument.lead)
        if argument.phrase:
            yield _Draft(subject, base, argument.phrase)
            return
        if self._is_completed(argument, arguments):
            return
        for head in self._members(argument):
            phrase = self._noun_phrase(head, whole_list=head == argument.head and len(self._members(argument)) == 1)
            yield from self._split_quantity(subject, base, head, phrase)
            for detached in self._detached(head):
                inner = _Argument(head, argument.lead, is_core=argument.is_core)
                yield from self._facts_of_detached(subject, (*group, *core), inner, detached)

    def _is_completed(self, argument: _Argument, arguments: list[_Argument]) -> bool:
        """True for "famous" in "famous for her maps": only both together tell something."""
        following = {self._tokens[other.head].head for other in arguments if other.lead[:1] > (argument.head,)}
        return self._tokens[argument.head].pos == "ADJ" and argument.head in following

    def _split_quantity(
        self, subject: tuple[int, ...], base: tuple[int, ...], head: int, phrase: tuple[int, ...]
    ) -> Iterator[_Draft]:
        """ "A population of 12,400": the figure is what is told."""
        for child in self._tree.children[head]:
            if child in phrase and child > head and self._preposition(child) == "of" and self._is_figure(child):
                before = tuple(position for position in phrase if position <= self._case(child)[-1])
                yield _Draft(subject, (*base, *before), tuple(p for p in phrase if p > before[-1]))
                return
        yield _Draft(subject, base, phrase)

    def _is_figure(self, head: int) -> bool:
        return self._tokens[head].pos == "NUM" or any(
            self._tokens[child].dependency == "nummod" for child in self._tree.children[head]
        )

    def _facts_of_detached(
        self, subject: tuple[int, ...], base: tuple[int, ...], argument: _Argument, head: int
    ) -> Iterator[_Draft]:
        """The noun before is part of the relation, unless the two only stand side by side ("born in 1911 in")."""
        before = (*argument.lead, *self._noun_phrase(argument.head, whole_list=True))
        if not argument.is_core and (self._is_time(head) or self._is_time(argument.head, deep=False)):
            before = ()
        detached = _Argument(head, self._case(head))
        for member in self._members(detached):
            yield _Draft(subject, (*base, *before, *detached.lead), self._noun_phrase(member, whole_list=False))
        for below in self._detached(head):
            yield from self._facts_of_detached(subject, (*base, *before), detached, below)

    def _core_before(self, argument: _Argument, arguments: list[_Argument]) -> tuple[int, ...]:
        """The words of the object, which what comes after the object needs: "studied physics at"."""
        if argument.is_core and not any(self._tokens[a.head].dependency in ("obj", "iobj") for a in arguments):
            return ()
        words: list[int] = []
        for other in arguments:
            if other.head == argument.head or not other.is_core or other.phrase:
                continue
            if argument.is_core and other.head > argument.head:
                continue
            if other.lead and other.head > argument.head:
                continue
            phrase = self._noun_phrase(other.head, whole_list=True)
            if len(phrase) <= _MAX_CORE_WORDS:
                words += (*other.lead, *phrase)
        return tuple(words)

    # Phrases.

    def _members(self, argument: _Argument) -> list[int]:
        """The heads of a list, or the head alone where the list is to stay whole."""
        head = argument.head
        members = [head, *self._conjuncts(head)]
        words = {self._tokens[position].text.lower() for position in argument.lead}
        if len(members) > _MAX_SPLIT or "between" in words or self._is_one_name(members):
            return [head]
        return members

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
        detached = set(self._detached(head))
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
            return self._tokens[head].dependency in ("obj", *_SUBJECTS)
        if label == "acl":
            return self._tree.child(child, "mark") is not None
        if label == "appos":
            return self._is_part_of_place(child) or (child - parent < 3 and not self._comma_between(parent, child))
        if parent == head and label in _OUTSIDE_OF_NOUN:
            return False
        if label == "acl:relcl":
            return False
        return not (
            label == "advmod"
            and parent == head
            and self._tree.child(head, "cop") is not None
            and child < head
            and self._is_before_copula(child, head)
        )

    def _is_before_copula(self, child: int, head: int) -> bool:
        copula = self._tree.child(head, "cop")
        return copula is not None and child < copula

    def _comma_between(self, first: int, last: int) -> bool:
        low, high = sorted((first, last))
        return any(token.text in ",;:(–—" for token in self._tokens[low + 1 : high])

    def _block(self, head: int, words: set[int]) -> tuple[int, ...]:
        """The words around the head that stand together, without punctuation at the ends."""
        first = last = head
        while first - 1 in words:
            first -= 1
        while last + 1 in words:
            last += 1
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
            if child < head or self._tokens[child].dependency not in _MODIFIERS:
                continue
            if self._preposition(child) == "of":
                yield from (below for below in self._detached(child) if self._is_time(below))
            elif self._preposition(child) in _DETACHABLE and (of_any_kind or self._is_time(child)):
                if any(map(self._is_specific, self._tree.subtree(child))):
                    yield child

    def _completes_verb(self, head: int) -> bool:
        label = self._tokens[head].dependency
        if label in ("obj", "xcomp") or self._tree.child(head, "cop") is not None:
            return True
        if label == "conj":
            return self._completes_verb(self._tokens[head].head)
        return label in _OBLIQUES and self._preposition(head) in _COMPLETING

    def _is_time(self, head: int, *, deep: bool = True) -> bool:
        nearest = [head, *(child for child in self._tree.children[head] if not self._case(child))]
        words = self._tree.subtree(head) if deep else nearest
        return any(_TIME.search(self._tokens[word].text) for word in words)

    # Appositions.

    def _facts_of_apposition(self, position: int) -> Iterator[_Draft]:
        token = self._tokens[position]
        if token.dependency != "appos" or token.head >= position or self._is_part_of_place(position):
            return
        if token.pos in ("DET", "PRON") or self._is_label(position) or self._is_acronym(position):
            return
        below = min(self._tree.subtree(position))
        subject = tuple(word for word in self._noun_phrase(token.head, whole_list=False) if word < below)
        for head in self._members(_Argument(position)):
            phrase = self._noun_phrase(head, whole_list=False)
            if not self._is_verb(head):
                yield _Draft(subject, (), phrase, verb="is")

    def _is_label(self, position: int) -> bool:
        """True after a colon: what stands before it is a heading rather than the same thing."""
        between = self._tokens[self._tokens[position].head : position]
        return any(token.text == ":" for token in between)

    def _is_acronym(self, position: int) -> bool:
        is_bracketed = position > 0 and self._tokens[position - 1].text == "("
        return is_bracketed and self._tokens[position].text.isupper()

    def _is_part_of_place(self, position: int) -> bool:
        """True for "Sweden" in "Lund, Sweden"."""
        head = self._tokens[position].head
        is_bare = all(self._tokens[word].pos in ("PROPN", "PUNCT") for word in self._tree.subtree(position))
        follows_place = self._preposition(head) in ("in", "at", "of", "near", "from", "to") and not self._is_time(head)
        return is_bare and follows_place and self._tokens[head].pos == "PROPN"
