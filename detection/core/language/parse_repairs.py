"""Repair frequent errors of parsers if the context is unambiguous.

Each repair looks for one pattern in the tree and reattaches its words. All later users of the parse (facts, claims,
slots of values, rewrites) benefit. A tree without the pattern stays unchanged, for any pipeline.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from detection.core.language.english import is_english_word
from detection.core.language.tree import AUXILIARIES, FINITE, Tree
from detection.core.language.vocabulary import words
from detection.core.types import Token

_SUBJECTS: Final = frozenset({"nsubj", "nsubj:pass", "nsubj:outer"})
_VERBS: Final = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
_PARTICIPLES: Final = frozenset({"VBN", "VBD", "VBG"})
_COMMON: Final = frozenset({"NN", "NNS"})
_PROPER: Final = frozenset({"NNP", "NNPS"})
YEAR: Final = re.compile(r"1\d{3}|20\d{2}")
TIME_PREPOSITIONS: Final = frozenset(words("in since by until till from during after before around"))
_OPENS_NOUN_PHRASE: Final = frozenset({"NNP", "NNPS", "PRP", "PRP$", "DT"})
_AGE: Final = re.compile(r"\d{1,2}")
_LOOSE: Final = frozenset({"list", "nmod:unmarked", "nummod", "dep", "parataxis", "conj"})
_PAIRS: Final = {",": ",", "(": ")", "–": "–", "—": "—"}

#: "Water them" is three words with its full stop.
_SHORTEST_IMPERATIVE: Final = 3
_BEHIND_AN_IMPERATIVE: Final = frozenset(words("the a an your it them"))
_SUBORDINATE: Final = frozenset({"acl:relcl", "advcl", "ccomp", "advcl:relcl"})
_NOT_AN_IMPERATIVE: Final = frozenset(words("half double twice all both"))

_Changes = Iterator[tuple[int, Token]]


def repaired(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens of a sentence with repaired heads, labels and tags; texts and spans stay."""
    tree = Tree.of_tokens(tokens)
    for repair in _REPAIRS:
        changes = dict(repair(tree))
        if changes:
            changed = tuple(changes.get(position, token) for position, token in enumerate(tree.tokens))
            if _is_tree(changed):
                tree = Tree.of_tokens(changed)
    return tree.tokens


def _is_tree(tokens: tuple[Token, ...]) -> bool:
    """Whether every token depends directly or indirectly on a root."""
    settled: set[int] = set()
    for start in range(len(tokens)):
        path: set[int] = set()
        position = start
        while position not in settled and tokens[position].head != position:
            if position in path:
                return False
            path.add(position)
            position = tokens[position].head
        settled |= path
    return True


# Imperatives.


def _imperatives_taken_for_nouns(tree: Tree) -> _Changes:
    """ "Roast" in "Roast the nuts in a pan": no name or noun stands before an article or pronoun without a verb."""
    if len(tree.tokens) < _SHORTEST_IMPERATIVE:
        return
    first, second = tree.tokens[:2]
    root = tree.root
    if root is None or first.tag not in _COMMON | _PROPER or second.text not in _BEHIND_AN_IMPERATIVE:
        return
    if first.text.lower() in _NOT_AN_IMPERATIVE or not is_english_word(first.text.lower()):
        return
    if any(_is_in_main_clause(tree, place) for place, token in enumerate(tree.tokens) if token.tag in FINITE):
        return
    yield 0, replace(first, tag="VB", pos="VERB", lemma=first.text.lower(), head=0, dependency="ROOT")
    if root != 0:
        yield root, replace(tree.tokens[root], head=0, dependency="obj")


def _is_in_main_clause(tree: Tree, verb: int) -> bool:
    token = tree.tokens[verb]
    clause = tree.tokens[token.head] if token.dependency in AUXILIARIES else token
    return clause.dependency not in _SUBORDINATE


# Names.


def _names_taken_for_verbs(tree: Tree) -> _Changes:
    """ "Tell" in "the river Tell": a capitalised word after a noun that the parser made its dependent."""
    for position, token in enumerate(tree.tokens):
        before = position - 1
        if before < 0 or token.tag not in _VERBS or not token.text.istitle():
            continue
        noun = tree.tokens[before]
        if noun.tag not in _COMMON or noun.head != position or not noun.text.islower():
            continue
        name = replace(token, tag="NNP", pos="PROPN", lemma=token.text, head=before, dependency="appos")
        verb = next((child for child in tree.children[position] if _follows_as_verb(tree, position, child)), None)
        if token.head != position:
            yield position, name
            yield before, replace(noun, head=token.head, dependency=token.dependency)
        elif verb is not None:
            yield position, name
            yield verb, replace(tree.tokens[verb], head=verb, dependency=token.dependency, pos="VERB")
            yield before, replace(noun, head=verb, dependency="nsubj")
            for child in tree.children[position]:
                if child not in (before, verb):
                    yield child, replace(tree.tokens[child], head=verb)


def _follows_as_verb(tree: Tree, name: int, child: int) -> bool:
    return child == name + 1 and tree.tokens[child].tag in FINITE


# Subjects.


def _participles_set_off(tree: Tree) -> _Changes:
    """ "The mill, built in 1912, is a museum": the mill is the subject of the verb after the second comma."""
    for participle, token in enumerate(tree.tokens):
        subject = tree.child(participle, *_SUBJECTS)
        if token.tag not in _PARTICIPLES or subject is None or tree.child(participle, *AUXILIARIES) is not None:
            continue
        end = _end_of_set_off(tree, subject, participle)
        verb = None if end is None else _predicate_after(tree, end)
        if end is None or verb is None or participle not in (verb, tree.tokens[verb].head, *tree.children[verb]):
            continue
        if tree.child(verb, *_SUBJECTS, "cc") is not None:
            continue
        yield from _with_subject(tree, verb, subject)
        if tree.tokens[verb].head == participle:
            is_root = token.head == participle
            head, label = (verb, "ROOT") if is_root else (token.head, token.dependency)
            yield verb, replace(tree.tokens[verb], head=head, dependency=label)
        tag = "VBN" if token.tag == "VBD" else token.tag
        yield participle, replace(token, head=subject, dependency="acl", tag=tag)
        for child in tree.children[participle]:
            if child not in (subject, verb) and (child > end or child < subject):
                yield child, replace(tree.tokens[child], head=verb)
        return


def _end_of_set_off(tree: Tree, subject: int, participle: int) -> int | None:
    """The position of the comma or bracket that closes the one right before the participle."""
    opening = participle - 1
    while opening > subject and tree.tokens[opening].tag == "RB":
        opening -= 1
    closing = _PAIRS.get(tree.tokens[opening].text)
    if opening <= subject or closing is None:
        return None
    ends = (place for place in range(participle + 1, len(tree.tokens)) if tree.tokens[place].text == closing)
    return next((end for end in ends if _predicate_after(tree, end) is not None), None)


def _predicate_after(tree: Tree, end: int) -> int | None:
    """The predicate of the finite verb right after the position or after an adverb."""
    place = end + 1
    while place < len(tree.tokens) and tree.tokens[place].tag == "RB":
        place += 1
    if place >= len(tree.tokens) or tree.tokens[place].tag not in FINITE:
        return None
    token = tree.tokens[place]
    return token.head if token.dependency in AUXILIARIES else place


def _two_subjects(tree: Tree) -> _Changes:
    """ "His brother Olaf became", "The founder, Ada Lind, retired": the name is an apposition of the noun."""
    for verb in range(len(tree.tokens)):
        subjects = [
            child for child in tree.children[verb] if child < verb and tree.tokens[child].dependency in _SUBJECTS
        ]
        if len(subjects) == 2 and _names_the_same(tree, *subjects):
            first, second = subjects
            yield from _with_subject(tree, verb, first)
            yield second, replace(tree.tokens[second], head=first, dependency="appos")


def _names_the_same(tree: Tree, first: int, second: int) -> bool:
    below = tree.subtree(second)
    start, end = below[0], below[-1]
    while start < second and tree.tokens[start].pos == "PUNCT":
        start += 1
    while end > second and tree.tokens[end].pos == "PUNCT":
        end -= 1
    tags = tree.tokens[first].tag, tree.tokens[second].tag
    if start == first + 1:
        return tags[0] in _COMMON and tags[1] in _PROPER
    is_noun = all(tag in _COMMON | _PROPER for tag in tags)
    is_set_off = tree.tokens[start - 1].text == "," and tree.tokens[min(end + 1, len(tree.tokens) - 1)].text == ","
    return is_noun and is_set_off and any(tag in _PROPER for tag in tags)


def _years_taken_for_counts(tree: Tree) -> _Changes:
    """ "In 2022 Sorrel's museum had": the year is a date and not a count of museums."""
    for year, token in enumerate(tree.tokens):
        if not YEAR.fullmatch(token.text) or year + 1 >= len(tree.tokens) or not _follows_time_preposition(tree, year):
            continue
        following = tree.tokens[year + 1]
        if following.tag not in _OPENS_NOUN_PHRASE:
            continue
        noun = token.head
        if noun > year and tree.tokens[year - 1].head in (noun, year) and token.dependency in ("nummod", "compound"):
            verb = tree.tokens[noun].head
            if verb <= noun or tree.tokens[noun].dependency not in _SUBJECTS | {"obj", "obl", "dep"}:
                continue
            if tree.tokens[noun].dependency not in _SUBJECTS and tree.child(verb, *_SUBJECTS) is None:
                yield from _with_subject(tree, verb, noun)
            yield year, replace(token, head=verb, dependency="obl")
            yield year - 1, replace(tree.tokens[year - 1], head=year, dependency="case")
        elif following.head == year and following.tag in _PROPER and token.dependency in ("obl", "nmod", "advmod"):
            yield from _with_subject(tree, noun, year + 1)


def _follows_time_preposition(tree: Tree, year: int) -> bool:
    """Whether a preposition of time precedes a year and begins its sentence or clause."""
    if year == 0 or tree.tokens[year - 1].text.lower() not in TIME_PREPOSITIONS:
        return False
    return year == 1 or tree.tokens[year - 2].tag in (",", "CC", ":", "``", "-LRB-")


def _objects_of_saying(tree: Tree) -> _Changes:
    """ "We hope this novel will win": a clause with "will" has a subject, which is not the object of "hope"."""
    for verb, token in enumerate(tree.tokens):
        above = token.head
        if token.dependency != "ccomp" or tree.child(verb, "nsubj", "nsubj:pass", "csubj", "expl") is not None:
            continue
        is_finite = token.tag in ("VBD", "VBZ", "VBP") or any(
            tree.tokens[child].tag in FINITE and tree.tokens[child].dependency in AUXILIARIES
            for child in tree.children[verb]
        )
        noun = tree.child(above, "obj")
        if is_finite and noun is not None and above < noun < verb:
            yield from _with_subject(tree, verb, noun)


def _with_subject(tree: Tree, verb: int, subject: int) -> _Changes:
    label = "nsubj:pass" if tree.child(verb, "aux:pass") is not None else "nsubj"
    yield subject, replace(tree.tokens[subject], head=verb, dependency=label)


# Clauses and complements.


def _participles_after_comma(tree: Tree) -> _Changes:
    """ "Berg held several posts, finally being made a general": Berg was made a general, not the posts."""
    for verb, token in enumerate(tree.tokens):
        noun = token.head
        if token.dependency != "acl" or not 0 < noun < verb or tree.tokens[noun].dependency in _SUBJECTS:
            continue
        start = min((child for child in tree.children[verb] if tree.tokens[child].pos != "PUNCT"), default=verb)
        places = range(min(start, verb), verb + 1)
        first = next((place for place in places if tree.tokens[place].tag != "RB"), verb)
        above = tree.predicate_above(noun)
        if tree.tokens[first].tag == "VBG" and tree.tokens[min(start, verb) - 1].text == "," and above is not None:
            yield verb, replace(token, head=above, dependency="advcl")


def _ages_set_off(tree: Tree) -> _Changes:
    """ "Ada Lind, 34, said": the number is an age."""
    for number, token in enumerate(tree.tokens):
        is_set_off = 0 < number < len(tree.tokens) - 1 and {
            tree.tokens[number - 1].text,
            tree.tokens[number + 1].text,
        } == {","}
        follows_name = token.head < number and tree.tokens[token.head].tag in _PROPER
        if is_set_off and follows_name and _AGE.fullmatch(token.text) and token.dependency in _LOOSE:
            yield number, replace(token, dependency="appos")


def _clauses_about_clauses(tree: Tree) -> _Changes:
    """ "The house was sold, which pleased him": a comment on the sale, not its complement."""
    for verb, token in enumerate(tree.tokens):
        relative = next((child for child in tree.children[verb] if tree.tokens[child].tag == "WDT"), None)
        if relative is None or relative == 0 or tree.tokens[relative - 1].text != "," or token.head == verb:
            continue
        above = tree.tokens[token.head]
        if above.pos in ("VERB", "AUX") and token.head < relative and token.dependency in ("ccomp", "parataxis"):
            yield verb, replace(token, dependency="advcl:relcl")


def _measures_with_copula(tree: Tree) -> _Changes:
    """ "The river is 120 kilometres long": "long" governs "is" and the river."""
    for measure, token in enumerate(tree.tokens):
        adjective = token.head
        if adjective <= measure or tree.tokens[adjective].pos not in ("ADJ", "ADV"):
            continue
        if tree.child(measure, "cop") is None or tree.child(measure, "nummod") is None:
            continue
        for child in tree.children[measure]:
            if tree.tokens[child].dependency in (*_SUBJECTS, *AUXILIARIES):
                yield child, replace(tree.tokens[child], head=adjective)


def _past_tense_taken_for_participle(tree: Tree) -> _Changes:
    """ "The style spread in the 1890s": a verb with a subject and without an auxiliary is not a participle."""
    for verb, token in enumerate(tree.tokens):
        subject = tree.child(verb, "nsubj")
        is_main = token.dependency in ("ROOT", "conj", "ccomp", "acl:relcl", "parataxis", "advcl")
        if token.tag != "VBN" or subject is None or not is_main or subject > verb:
            continue
        if tree.child(verb, *AUXILIARIES) is None and tree.tokens[verb - 1].text not in (",", "("):
            yield verb, replace(token, tag="VBD")


def _verbs_taken_for_plurals(tree: Tree) -> _Changes:
    """ "The hall seats 400 people": without another verb, the plural before a count is the verb."""
    root = tree.root
    if root is None or tree.tokens[root].tag != "NNS" or any(token.tag in FINITE for token in tree.tokens):
        return
    counted = _counted_behind(tree, root)
    noun = tree.child(root, "nsubj", "compound")
    if counted is None or noun is None or noun > root:
        return
    yield root, replace(tree.tokens[root], tag="VBZ", pos="VERB")
    yield noun, replace(tree.tokens[noun], dependency="nsubj")
    yield counted, replace(tree.tokens[counted], head=root, dependency="obj")
    for child in tree.children[root]:
        if child < noun and tree.tokens[child].dependency in ("det", "amod", "compound", "nmod:poss"):
            yield child, replace(tree.tokens[child], head=noun)


def _counted_behind(tree: Tree, position: int) -> int | None:
    """The noun of the count right after the position: "people" in "seats 400 people"."""
    number = position + 1
    if number >= len(tree.tokens) or tree.tokens[number].dependency != "nummod":
        return None
    counted = tree.tokens[number].head
    return counted if counted > number and tree.tokens[counted].tag in _COMMON else None


#: The order matters: later repairs see the results of earlier ones.
_REPAIRS: Final[tuple[Callable[[Tree], _Changes], ...]] = (
    _imperatives_taken_for_nouns,
    _names_taken_for_verbs,
    _participles_set_off,
    _years_taken_for_counts,
    _two_subjects,
    _objects_of_saying,
    _clauses_about_clauses,
    _participles_after_comma,
    _ages_set_off,
    _measures_with_copula,
    _past_tense_taken_for_participle,
    _verbs_taken_for_plurals,
)
