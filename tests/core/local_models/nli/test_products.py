"""The products of a model: in int8 or in float32, by the processor."""

from functools import partial
from pathlib import Path

import pytest

from detection.core.local_models.nli import scorer as scorer_module
from detection.core.local_models.nli.products import has_int8_instructions, open_session, switch_file
from detection.core.local_models.nli.scorer import NliScorer
from detection.core.types import NliPair

SHIPPED = Path(scorer_module.__file__).parents[3] / "data" / "nli"
PAIRS = [
    NliPair("The bridge was opened in 1911 by the mayor of the town.", "It opened in 1923."),
    NliPair("A cat sleeps on the mat.", "A cat is asleep."),
    NliPair("The library lends books to members for four weeks.", "The roof of the library was repaired in May."),
]


@pytest.mark.parametrize(
    ("cpu_info", "has"),
    [
        ("processor : 0\nflags\t\t: fpu sse2 avx avx2 avx512_vnni\n", True),
        ("processor : 0\nflags\t\t: fpu sse2 avx avx2 avx_vnni\n", True),
        ("processor : 0\nflags\t\t: fpu sse2 avx avx2 avx512f\n\nprocessor : 1\nflags\t\t: fpu\n", False),
        ("processor : 0\nFeatures\t: fp asimd\n", True),
    ],
    ids=["avx-512", "avx", "without", "another architecture"],
)
def test_the_flags_of_the_processor_tell_its_instructions(tmp_path: Path, cpu_info: str, *, has: bool) -> None:
    (tmp_path / "cpuinfo").write_text(cpu_info)
    assert has_int8_instructions(tmp_path / "cpuinfo") is has


def test_a_system_that_does_not_tell_is_taken_to_have_them(tmp_path: Path) -> None:
    assert has_int8_instructions(tmp_path / "missing")


def scorer_with(monkeypatch: pytest.MonkeyPatch, *, in_int8: bool) -> NliScorer:
    monkeypatch.setattr(scorer_module, "open_session", partial(open_session, in_int8=in_int8))
    return NliScorer(SHIPPED)


def test_both_products_of_the_shipped_model_agree_and_differ_by_little(monkeypatch: pytest.MonkeyPatch) -> None:
    assert switch_file(SHIPPED / "model.onnx").exists()
    in_int8 = scorer_with(monkeypatch, in_int8=True).score(PAIRS)
    in_float = scorer_with(monkeypatch, in_int8=False).score(PAIRS)
    assert in_int8 != in_float
    for one, other in zip(in_int8, in_float, strict=True):
        assert one.contradiction == pytest.approx(other.contradiction, abs=0.03)
        assert one.entailment == pytest.approx(other.entailment, abs=0.03)


def test_products_in_float_do_not_depend_on_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = scorer_with(monkeypatch, in_int8=False)
    together = scorer.score(PAIRS)
    for pair, score in zip(PAIRS, together, strict=True):
        (alone,) = scorer.score([pair])
        assert alone.contradiction == pytest.approx(score.contradiction, abs=1e-4)
