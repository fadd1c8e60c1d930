"""Test a downloaded model in a separate process, so that its faults cannot affect this one."""

from __future__ import annotations

import json
import math
import multiprocessing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ..errors import DetectionError, ModelNotInstalled
from ..types import NliPair

_PAIRS = (
    NliPair("The mill was built in 1820.", "The mill was built in 1870."),
    # A pair of maximum length: a model with fewer positions than its configuration says fails here.
    NliPair("The mill by the river was built of stone in 1820. " * 200, "The mill is old."),
)
_REAP_SECONDS = 5.0
_LONGEST_ANSWER = 100_000


def try_model(folder: Path, *, seconds: float) -> tuple[str, ...]:
    """Have the model judge two pairs, and return the names of its inputs.

    Raises:
        ModelNotInstalled: it cannot be loaded, gives no scores, or exceeds the time limit.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_try, args=(theirs, str(folder)), name="trial of a model", daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            raise ModelNotInstalled(f"The model judged nothing within {seconds:g} seconds: it is too large for here.")
        answer = json.loads(ours.recv_bytes(_LONGEST_ANSWER))
    except (EOFError, OSError):
        raise ModelNotInstalled("The model ends the process that loads it. It may be damaged, or too large.") from None
    finally:
        process.kill()
        process.join(_REAP_SECONDS)
        ours.close()
    if complaint := answer.get("complaint"):
        raise ModelNotInstalled(f"The model cannot be used here. {complaint}")
    return tuple(answer["inputs"])


def _try(pipe: Connection, folder: str) -> None:
    from ..local_models.nli.scorer import NliScorer

    answer: dict[str, Any]
    try:
        scorer = NliScorer(Path(folder))
        scores = scorer.score(_PAIRS)
        if not all(math.isfinite(share) for score in scores for share in score):
            raise ModelNotInstalled("It gives numbers that are none.")
    except DetectionError as error:
        answer = {"complaint": str(error)}
    except Exception as error:  # the runtime's errors have no common base class
        answer = {"complaint": f"{type(error).__name__}: {error}"}
    else:
        answer = {"inputs": scorer.inputs}
    pipe.send_bytes(json.dumps(answer).encode())
