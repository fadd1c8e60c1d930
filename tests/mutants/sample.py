"""Which mutants there are, and a sample of them: a place in the code first, then one of its changes."""

from __future__ import annotations

import ast
import random
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

Position = tuple[int, int]


@dataclass(frozen=True)
class Mutant:
    """One change of one place. ``occurrence`` counts the places of an operator in its file."""

    path: str
    operator: str
    occurrence: int
    start: Position
    end: Position

    @property
    def name(self) -> str:
        return f"{self.path}:{self.start[0]}:{self.start[1]} {self.operator.removeprefix('core/')} {self.occurrence}"

    def code(self) -> str:
        """The file with the change."""
        original = Path(self.path).read_text(encoding="utf-8")
        mutated: str | None = mutate_code(original, get_operator(self.operator)(), self.occurrence)
        if mutated is None:
            raise ValueError(f"no such place: {self}")
        return mutated

    @property
    def place(self) -> tuple[str, str, Position]:
        """What one draw counts once: an operator like ``<`` has many replacements."""
        return self.path, self.operator.split("_")[0], self.start

    def lines(self) -> frozenset[int]:
        """Lines that run when the changed place does; none where that is only when the file is imported."""
        return statement_lines(self.path, self.start[0])


def drawn(paths: Sequence[Path], *, count: int, seed: int) -> list[Mutant]:
    """So many places over all files, each as likely as the others, with one change each."""
    chosen = random.Random(seed)
    places: dict[tuple[str, str, Position], list[Mutant]] = defaultdict(list)
    for mutant in (mutant for path in paths for mutant in mutants_of(path)):
        places[mutant.place].append(mutant)
    order = sorted(places)
    chosen.shuffle(order)
    changes = (chosen.choice(places[place]) for place in order)
    return list(islice(filter(_is_python, changes), count))


def _is_python(mutant: Mutant) -> bool:
    """The tool takes the star of ``def f(*, name)`` for a product, and compares texts by ``is``: no test is needed."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            compile(mutant.code(), mutant.path, "exec")
        except (SyntaxError, SyntaxWarning):
            return False
    return True


def mutants_of(path: Path) -> Iterator[Mutant]:
    """All mutants of a file but those that no run can tell from the original."""
    nodes = list(ast_nodes(get_ast_from_path(path)))
    unseen = [*annotations_of(path), *promises_of(path)]
    for name in operator_names():
        operator_class = get_operator(name)
        if operator_class.arguments():
            continue
        operator = operator_class()
        positions = (position for node in nodes for position in operator.mutation_positions(node))
        for occurrence, (start, end) in enumerate(positions):
            if not any(first <= start < last for first, last in unseen):
                yield Mutant(str(path), name, occurrence, start, end)


def annotations_of(path: Path) -> Iterator[tuple[Position, Position]]:
    """Annotations begin and end there. They are never evaluated (``from __future__ import annotations``)."""
    for node in ast.walk(parsed(path)):
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(annotation, ast.expr):
                yield _extent(annotation)


def promises_of(path: Path) -> Iterator[tuple[Position, Position]]:
    """``frozen`` and ``slots`` of a dataclass: they refuse what mypy refuses already, and change nothing else."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.keyword) and node.arg in ("frozen", "slots"):
            yield _extent(node.value)


def _extent(node: ast.expr) -> tuple[Position, Position]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def statement_lines(path: str, line: int) -> frozenset[int]:
    """The lines of the statement at a line, without the body of one that has a body; a function's body for its head."""
    found: frozenset[int] = frozenset()
    for statement, function in statements(parsed(Path(path)).body, None):
        own = own_lines(statement)
        if line not in own:
            continue
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            found = frozenset(range(statement.body[0].lineno, (statement.end_lineno or 0) + 1))
        elif function is not None:
            found = own
    return found


def statements(body: Sequence[ast.stmt], function: ast.stmt | None) -> Iterator[tuple[ast.stmt, ast.stmt | None]]:
    """All statements, outer ones first, each with the function that it stands in."""
    for statement in body:
        yield statement, function
        inside = statement if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) else function
        for part in ast.iter_child_nodes(statement):
            if isinstance(part, ast.stmt):
                yield from statements([part], inside)
            elif isinstance(part, ast.ExceptHandler | ast.match_case):
                yield from statements(part.body, inside)


def own_lines(statement: ast.stmt) -> frozenset[int]:
    decorators = [decorator.lineno for decorator in getattr(statement, "decorator_list", [])]
    first = min([statement.lineno, *decorators])
    children = [part for part in ast.iter_child_nodes(statement) if isinstance(part, ast.stmt)]
    last = statement.end_lineno or first
    if children and not isinstance(statement, ast.Try):
        last = max(first, min(child.lineno for child in children) - 1)
    return frozenset(range(first, last + 1))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
