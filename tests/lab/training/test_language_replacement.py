import random

from detection.lab.training.language.lists import name_lists
from detection.lab.training.language.mentions import MarkedText, Mention
from detection.lab.training.language.replacement import NameReplacer

TEXT = MarkedText(
    "Ada Lind met two Danes of Winter Light in Oslo.",
    (
        Mention(0, 8, "PERSON"),
        Mention(17, 22, "NORP"),
        Mention(26, 38, None),
        Mention(42, 46, "GPE"),
    ),
)


def test_names_are_exchanged_and_the_rest_of_the_text_stays():
    replacer = NameReplacer([TEXT], name_lists(), random.Random(3))

    copies = [replacer.replaced(TEXT) for _ in range(200)]

    for copy in copies:
        person, people, unknown, place = (copy.text[mention.start : mention.end] for mention in copy.mentions)
        assert copy.text == f"{person} met two {people} of {unknown} in {place}."
        assert unknown == "Winter Light"
        assert people.endswith("s")
        assert " " in person
        assert [mention.label for mention in copy.mentions] == [mention.label for mention in TEXT.mentions]
    assert len({copy.text for copy in copies}) > 100


def test_people_are_also_called_like_places():
    lists = name_lists()

    assert set(lists.first_names) & lists.governed
    assert set(lists.last_names) & lists.governed


def test_a_person_by_one_name_is_not_called_like_a_place():
    lists = name_lists()
    told = MarkedText("Ada left.", (Mention(0, 3, "PERSON"),))
    replacer = NameReplacer([told], lists, random.Random(3))

    names = {replacer.replaced(told).text.removesuffix(" left.") for _ in range(500)}

    assert len(names) > 50
    assert not names & lists.governed
