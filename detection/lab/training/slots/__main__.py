"""Command line: ``python -m detection.lab.training.slots {rows,train,export}``."""

import argparse
import asyncio
import logging
import os
import random
import sys
from pathlib import Path

from . import rows as row_files

_PARITY_PAIRS = 500


def main() -> None:
    """Parse the arguments and run the chosen step."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    arguments = _parser().parse_args()
    arguments.run(arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m detection.lab.training.slots", description=__doc__)
    commands = parser.add_subparsers(required=True)
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--rows", type=Path, required=True, help="file of the command `rows`")
    shared.add_argument("--threads", type=int, default=2, help="CPU threads")

    rows = commands.add_parser("rows", help="write the rows of labelled data")
    rows.add_argument("--data", type=Path, required=True, help="directory that holds train/")
    rows.add_argument("--held-out", action="store_true", help="the rows that never train, to measure on")
    rows.add_argument("--output", type=Path, required=True, help="file to write (.jsonl.gz)")
    rows.set_defaults(run=_rows)

    train = commands.add_parser("train", parents=[shared], help="train the model")
    train.add_argument("--initial", type=Path, help="weights of an NLI or slot model; default: the pretrained encoder")
    train.add_argument("--steps", type=int, default=1400)
    train.add_argument("--learning-rate", type=float, default=1.5e-4)
    train.add_argument("--seed", type=int, default=1)
    train.add_argument("--output", type=Path, required=True, help="file for the weights")
    train.set_defaults(run=_train)

    export = commands.add_parser("export", parents=[shared], help="write int8 ONNX and compare it with the weights")
    export.add_argument("--weights", type=Path, required=True)
    export.add_argument("--output", type=Path, required=True, help="directory of the exported model")
    export.set_defaults(run=_export)
    return parser


def _rows(arguments: argparse.Namespace) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatprotect_web.settings")
    import django

    django.setup()
    asyncio.run(_write_rows(arguments))


async def _write_rows(arguments: argparse.Namespace) -> None:
    from detection import wiring

    from .material import build_rows, materials

    found = build_rows(materials(arguments.data, held_out=arguments.held_out), wiring.models_in_this_process())
    row_files.save([row async for row in found], arguments.output)


# Lazy imports: only these commands need PyTorch.


def _train(arguments: argparse.Namespace) -> None:
    import torch

    from .train import Schedule, train

    torch.set_num_threads(arguments.threads)
    schedule = Schedule(steps=arguments.steps, seed=arguments.seed, learning_rate=arguments.learning_rate)
    train(row_files.load(arguments.rows), arguments.initial, arguments.output, schedule)


def _export(arguments: argparse.Namespace) -> None:
    import torch

    from .export import export

    torch.set_num_threads(arguments.threads)
    rows = row_files.load(arguments.rows)
    chooser = random.Random(1)  # noqa: S311 - sampling, not secrecy
    chosen = chooser.sample(rows, min(_PARITY_PAIRS, len(rows)))
    pairs = [(chooser.choice(row.candidates).premise, row.hypothesis) for row in chosen]
    export(arguments.weights, arguments.output, pairs)


if __name__ == "__main__":
    main()
