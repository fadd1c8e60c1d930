"""A server for one call at a time, as llama-server with ``-np 1``: whoever comes later waits in a line.

By hand, at full size: ``python -m tests.fakes.single_slot 3`` prints an address for ``CHATPROTECT_LLM_BASE_URL``.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from dataclasses import dataclass, field

from tests.fakes.model_server import Asked, ModelServer, Reply, Script
from tests.fakes.reading import reads
from tests.fakes.scripts import contradicting

FACTS = (
    "was built in 1894 by Ada Lind",
    "has twelve rooms",
    "employs 34 people",
    "was bought by Emil Storm in 1902",
    "burned down in 1911",
    "was rebuilt in 1913",
    "has a wheel of oak",
    "grinds rye and barley",
    "received electric light in 1926",
    "was sold to the parish in 1938",
    "stood empty until 1947",
    "was opened as a museum in 1951",
    "has a yard of granite",
    "owns two delivery vans",
    "won a prize in 1960",
    "was painted red in 1964",
    "has a clock by Jens Holm",
    "was visited by 8,000 people in 1972",
    "got a new roof in 1979",
    "was closed for repairs in 1985",
    "has a library of 900 books",
    "hired Karl Berg in 1991",
    "was listed as a monument in 1998",
    "lies beside the river Tarn",
)
#: Twenty-four sentences.
TEXT = " ".join(f"The mill at Sorrel {fact}." for fact in FACTS)


def nothing_to_read(asked: Asked) -> Reply:
    """As the model of the tests, which finds no contradictions in a text that it reads as a whole."""
    return Reply(('{"contradictions": []}',)) if reads(asked) else contradicting(asked)


@dataclass
class SingleSlot:
    """Answers by another script, each call after so many seconds of work, in the order in which they came."""

    script: Script
    seconds: float
    #: The most calls that stood in the line at a time, with the one that is worked on.
    longest_line: int = 0
    _line: deque[threading.Event] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, asked: Asked) -> Reply:
        turn = threading.Event()
        with self._lock:
            self._line.append(turn)
            self.longest_line = max(self.longest_line, len(self._line))
            if len(self._line) == 1:
                turn.set()
        turn.wait()
        time.sleep(self.seconds)
        with self._lock:
            self._line.popleft()
            if self._line:
                self._line[0].set()
        return self.script(asked)


if __name__ == "__main__":
    with ModelServer(SingleSlot(nothing_to_read, float(sys.argv[1]))).running() as server:
        sys.stdout.write(f"{server.base_url}\n")
        sys.stdout.flush()
        threading.Event().wait()
