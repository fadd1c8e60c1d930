"""Command line: ``python -m detection.training.nli {train,export,calibrate,evaluate}``."""

import argparse
import logging
import sys
from pathlib import Path

from .config import DEFAULT_CONFIG, load_config


def main() -> int:
    """Parses the arguments and runs the chosen step."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    arguments = _parser().parse_args()
    return int(arguments.run(arguments))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m detection.training.nli", description=__doc__)
    commands = parser.add_subparsers(required=True)
    train = commands.add_parser("train", help="train one stage of the recipe")
    train.add_argument("--data", type=Path, required=True, help="directory that holds train/ and eval/")
    train.add_argument("--config", type=Path, default=DEFAULT_CONFIG)
    train.add_argument("--stage", required=True)
    train.add_argument("--initial", type=Path, help="weights of the stage before; default: the pretrained encoder")
    train.add_argument("--fold", type=int, help="fold of topics to hold out; default: train on all topics")
    train.add_argument("--output", type=Path, required=True, help="directory for checkpoints and model.pt")
    train.add_argument("--threads", type=int, default=0, help="CPU threads; 0 leaves it to PyTorch")
    train.set_defaults(run=_train)
    return parser


def _train(arguments: argparse.Namespace) -> int:
    import torch

    from .mixture import Sources
    from .train import StageRun

    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    config = load_config(arguments.config)
    sources = Sources(
        root=arguments.data, topic_folds=config.topic_folds, held_out_fold=arguments.fold, seed=config.seed
    )
    StageRun(
        config=config,
        stage=config.stage(arguments.stage),
        sources=sources,
        directory=arguments.output,
        initial=arguments.initial,
    ).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
