"""Change the code in small ways, one at a time, and count the changes that a test notices.

``make mutants`` (or ``python -m tests.mutants --sample 150 --seed 19``) needs cosmic-ray and pytest-cov, and an hour or
two. It runs the tests once to see which of them reach which line, and then for every change those that reach it. The
changed files are those of a copy: the working tree stays as it is. The folder ``--results`` keeps what is known, so
that a run that was ended goes on there; another run of a test that was added since needs an empty one.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from coverage import CoverageData

from .sample import Mutant, drawn

ROOT = Path(__file__).resolve().parents[2]

#: What is changed.
MUTATED = (
    "detection/services/*.py",
    "detection/core/rewriting/*.py",
    "detection/web/owners.py",
    "detection/web/live/*.py",
)
#: What is run: not the tests with servers and a browser, which reach the same code, but take seconds each.
TESTS = ("tests/core", "tests/detection", "tests/doors", "tests/exports")
#: A test with real time limits, which a run that measures coverage exceeds.
TIMED = "tests/core/llm/test_single_slot.py"
QUIET = ("-q", f"--ignore={TIMED}", "-p", "no:cacheprovider", "--no-migrations", "--tb=no", "--no-header")
#: Most changes are noticed by the first few tests that reach them.
FIRST_TESTS = 20
#: A change may make a loop endless.
TIMEOUT_SECONDS = 240


def main() -> int:
    options = _options()
    options.results.mkdir(parents=True, exist_ok=True)
    results = options.results.resolve()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        _copy_tracked_files(Path(folder))
        os.chdir(folder)
        if not (results / "coverage").exists():
            _measure(results / "coverage")
        reach = Reach(results / "coverage")
        outcomes = Outcomes(results / "outcomes.json")
        for mutant in drawn(_mutated_files(), count=options.sample, seed=options.seed):
            if mutant.name not in outcomes:
                outcomes.add(mutant.name, _outcome(mutant, reach.tests(mutant)))
            sys.stdout.write(f"{outcomes[mutant.name]:8} {mutant.name}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{outcomes.score()}\n")
    return 0


class Outcomes(dict[str, str]):
    """What became of each mutant, in a file."""

    def __init__(self, path: Path) -> None:
        super().__init__(json.loads(path.read_text(encoding="utf-8")) if path.exists() else {})
        self._path = path

    def add(self, name: str, outcome: str) -> None:
        self[name] = outcome
        self._path.write_text(json.dumps(self, indent=1), encoding="utf-8")

    def score(self) -> str:
        counts = Counter(self.values())
        return f"{counts['killed']} of {len(self)} killed: {100 * counts['killed'] / max(1, len(self)):.1f} %"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=150, help="how many places are changed")
    parser.add_argument("--seed", type=int, default=19, help="of the draw: the same seed draws the same places")
    parser.add_argument(
        "--results", type=Path, default=ROOT / "var" / "mutants" / "results", help="the folder of the outcomes"
    )
    return parser.parse_args()


def _copy_tracked_files(target: Path) -> None:
    listed = _output("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)


def _output(*command: str, cwd: Path) -> str:
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout


def _mutated_files() -> list[Path]:
    return sorted(path for pattern in MUTATED for path in Path().glob(pattern))


def _measure(coverage: Path) -> None:
    """Run all tests, and keep which of them reached which line."""
    unfinished = coverage.with_suffix(".unfinished")
    files = "\n    ".join(MUTATED)
    Path("coverage.ini").write_text(
        f"[run]\nrelative_files = true\ninclude =\n    {files}\ndata_file = {unfinished}\n", encoding="utf-8"
    )
    measuring = ("--cov", "--cov-config=coverage.ini", "--cov-context=test", "--cov-report=")
    if _pytest(*TESTS, *measuring, "-rfE", seconds=None, output=None) != 0:
        sys.exit("The tests above fail without any change.")
    unfinished.rename(coverage)


def _pytest(*arguments: str, seconds: int | None, output: int | None = subprocess.DEVNULL) -> int:
    command = (sys.executable, "-m", "pytest", *QUIET, *arguments)
    return subprocess.run(command, check=False, timeout=seconds, stdout=output).returncode


class Reach:
    """Which tests reach which lines."""

    def __init__(self, coverage: Path) -> None:
        self._data = CoverageData(str(coverage))
        self._data.read()
        self._breadth: Counter[str] = Counter()
        for path in self._data.measured_files():
            for contexts in self._data.contexts_by_lineno(path).values():
                self._breadth.update(contexts)

    def tests(self, mutant: Mutant) -> list[str]:
        """Those that reach the changed lines; all that reach the file, where the change counts when it is imported.

        Those that reach little else come first: they are quick, and about these lines.
        """
        contexts = self._data.contexts_by_lineno(mutant.path)
        lines = mutant.lines() & contexts.keys() or contexts.keys()
        found = {context for line in lines for context in contexts[line] if context.endswith("|run")}
        return [context.removesuffix("|run") for context in sorted(found, key=lambda one: (self._breadth[one], one))]


def _outcome(mutant: Mutant, tests: Sequence[str]) -> str:
    path = Path(mutant.path)
    original = path.read_text(encoding="utf-8")
    path.write_text(mutant.code(), encoding="utf-8")
    try:
        return "killed" if any(_notice(part) for part in (tests[:FIRST_TESTS], tests[FIRST_TESTS:])) else "survived"
    finally:
        path.write_text(original, encoding="utf-8")


def _notice(tests: Sequence[str]) -> bool:
    """Whether one of the tests fails, or does not end."""
    if not tests:
        return False
    Path("tests.txt").write_text("\n".join(tests), encoding="utf-8")
    try:
        return _pytest("-x", "@tests.txt", seconds=TIMEOUT_SECONDS) != 0
    except subprocess.TimeoutExpired:
        return True


if __name__ == "__main__":
    sys.exit(main())
