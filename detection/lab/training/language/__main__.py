"""Command line: ``python -m detection.lab.training.language {vectors,prepare,train,assemble,evaluate}``."""

import argparse
import json
import logging
import sys
from pathlib import Path

from .assemble import assemble
from .config import DEFAULT_CONFIG, load_config
from .evaluate import report
from .prepare import VECTORS, listed_words, prepare
from .sources import Sources
from .train import TRAININGS, best, train

SHIPPED = Path(__file__).parents[3] / "data" / "spacy" / "en_detection_sm"


def main() -> None:
    """Parse the arguments and run the chosen step."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    arguments = _parser().parse_args()
    arguments.run(arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m detection.lab.training.language", description=__doc__)
    commands = parser.add_subparsers(required=True)
    data = argparse.ArgumentParser(add_help=False)
    data.add_argument("--data", type=Path, required=True, help="directory that holds train/")
    data.add_argument("--config", type=Path, default=DEFAULT_CONFIG)
    work = argparse.ArgumentParser(add_help=False)
    work.add_argument("--work", type=Path, required=True, help="directory of what the steps hand on")

    vectors = commands.add_parser("vectors", parents=[data, work], help="make the word vectors")
    vectors.set_defaults(run=_vectors)

    documents = commands.add_parser("prepare", parents=[data, work], help="write the documents to train on")
    documents.set_defaults(run=_prepare)

    training = commands.add_parser("train", parents=[work], help="train one of the two networks")
    training.add_argument("network", choices=TRAININGS)
    training.set_defaults(run=_train)

    assembly = commands.add_parser("assemble", parents=[work], help="put the two networks into one pipeline")
    assembly.add_argument("--output", type=Path, default=SHIPPED)
    assembly.set_defaults(run=_assemble)

    evaluation = commands.add_parser("evaluate", parents=[data], help="print the figures of a pipeline")
    evaluation.add_argument("--model", type=Path, default=SHIPPED)
    evaluation.set_defaults(run=_evaluate)
    return parser


def _vectors(arguments: argparse.Namespace) -> None:
    # PyTorch takes seconds to import, and only this step needs it.
    from .vectors import ENCODER_DIRECTORY, vector_pipeline

    config = load_config(arguments.config)
    texts = listed_words(_sources(arguments), config)
    vector_pipeline(ENCODER_DIRECTORY, texts, config.vectors).to_disk(arguments.work / VECTORS)


def _prepare(arguments: argparse.Namespace) -> None:
    prepare(_sources(arguments), load_config(arguments.config), arguments.work)


def _train(arguments: argparse.Namespace) -> None:
    train(arguments.network, arguments.work)


def _assemble(arguments: argparse.Namespace) -> None:
    assemble(best("parser", arguments.work), best("entities", arguments.work), arguments.output)


def _evaluate(arguments: argparse.Namespace) -> None:
    figures = report(arguments.model, _sources(arguments), load_config(arguments.config))
    sys.stdout.write(json.dumps(figures, indent=2) + "\n")


def _sources(arguments: argparse.Namespace) -> Sources:
    return Sources(arguments.data, load_config(arguments.config))


if __name__ == "__main__":
    main()
