"""How an NLI model of ours multiplies: in int8 where the processor has instructions for it, or else in float32.

The model file can do both. A processor of x86 without VNNI takes two thirds of the time in float32.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from pathlib import Path

import numpy as np
import onnxruntime

#: The constant of a model that chooses its products.
SWITCH = "int8_products"

#: For models with ``MatMulInteger``, as those of others. A processor without VNNI instructions adds two int8 products
#: in 16 bits there, which overflow: its probabilities differ by 1.2 points on average, and 2 of 100 pairs change their
#: class. With this entry onnxruntime multiplies exactly. It costs a sixth of the time on such a processor only.
EXACT_INT8 = ("session.x64quantprecision", "1")

_CPU_INFO = Path("/proc/cpuinfo")
_FLAGS = re.compile(r"^flags\s*:(.*)$", re.MULTILINE)
_INT8_INSTRUCTIONS = frozenset({"avx512_vnni", "avx_vnni"})


def has_int8_instructions(cpu_info: Path = _CPU_INFO) -> bool:
    """Whether the processor multiplies int8 fast. Only Linux on x86 says that it does not."""
    try:
        flags = _FLAGS.search(cpu_info.read_text(errors="replace"))
    except OSError:
        return True
    return flags is None or not _INT8_INSTRUCTIONS.isdisjoint(flags[1].split())


def switch_file(model: Path) -> Path:
    """The file beside a model that can do both, with the default of its constant: in int8."""
    return model.with_suffix(f".{SWITCH}")


def open_session(model: Path, *, threads: int, in_int8: bool | None = None) -> onnxruntime.InferenceSession:
    """Load a model. If it can do both products, it gets the given ones, or else those that fit the processor."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry(*EXACT_INT8)
    has_both = switch_file(model).exists()
    if in_int8 is None:
        in_int8 = has_int8_instructions()
    if has_both:
        options.add_external_initializers([SWITCH], [_value(in_int8)])
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    _return_unused_memory()
    return session


@cache
def _value(in_int8: bool) -> onnxruntime.OrtValue:
    """The value of the constant. It is kept, since the options have its memory without owning it."""
    return onnxruntime.OrtValue.ortvalue_from_numpy(np.array(in_int8))


def _return_unused_memory() -> None:
    """Give the memory back in which the model was optimised, which glibc keeps otherwise.

    With the shipped model that is more than 400 MB in float32, where matrices were restored, and 150 MB in int8.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
