r"""Trains the three networks of the reader and writes them to `vision/classify/weights`.

Needs PyTorch and onnx besides the project's own packages, in a separate environment:

    python3 -m venv /tmp/training
    /tmp/training/bin/pip install torch==2.13.0 onnx onnxruntime==1.26.0 \
        numpy opencv-python-headless==4.14.0.94
    PYTHONPATH=. /tmp/training/bin/python scripts/training/train_faces.py all --work /tmp/networks

`all` runs the steps of scripts/training/recipe.py, the networks in parallel, and can be stopped
and resumed; each step is a command of its own. With `--share 0.03` it does a small part of each,
which shows within minutes that everything runs. `card` writes them into docs/seeing.md.

`patches`, `views`, `lessons` and `scenes` take most of the time. `--part 2/40` makes the files of
one of 40 small parts, which docs/developing.md hands out to several machines; all files go into one
folder, and what reads it names those that are missing.

`faces` and `postures` are trained on drawn patches and on the simulator's pictures, the views, then
further with two teachers, themselves and another network. Views of rare cases come last: dice half
hidden, or leaning so that they seem to lie flat. `tops`, the heat map, is trained on drawn scenes.
`quantise` writes each in 8 bits. `all` uses no photograph.
`photographs` cuts patches from labelled photographs whose licence allows it; `--without SOURCE`
leaves one out, which then judges what the others teach.
The shipped networks can be trained further as well (`--start`, `--teachers`), and `blend` takes the
mean of before and after, so that less is forgotten.
The same seeds give the same pictures; the weights differ a little with PyTorch's version and the
processor. Training runs on a GPU if PyTorch finds one.
"""

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from multiprocessing import Process
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from scripts.campaign.folder import code_hash, opened
from scripts.campaign.parts import Part, part
from scripts.campaign.results import CampaignError
from scripts.campaign.stopping import run
from scripts.training import making
from scripts.training.card import CARDS, PAGE, page
from scripts.training.recipe import RECIPE

WEIGHTS = Path("vision/classify/weights")
CORES = os.cpu_count() or 1
DONE_SUFFIX = ".done"
"""Suffix of the file that marks a step as done."""
LEAST = {"shards": 6, "stacked": 1, "covered": 5, "facing": 5, "steps": 20, "drawn": 1000}
"""The counts that a share of the work scales, and the least of each that can be trained with."""


def faces(args: argparse.Namespace) -> None:
    """Trains the face classifier."""
    # Only some commands need PyTorch.
    from scripts.training.faces import faces as train

    train(args)


def postures(args: argparse.Namespace) -> None:
    """Trains the posture classifier."""
    from scripts.training.postures import postures as train

    train(args)


def tops(args: argparse.Namespace) -> None:
    """Trains the heat map of tops."""
    from scripts.training.tops import tops as train

    train(args)


def blend(args: argparse.Namespace) -> None:
    """Writes the mean of a network before and after further training."""
    from scripts.training.blending import blend as write

    write(args)


def quantise(args: argparse.Namespace) -> None:
    """Writes a trained network in 8 bits."""
    from scripts.training.quantisation import quantise as write

    write(args)


Steps = list[tuple[int, str]]


def _numbered(recipe: Sequence[Sequence[str]]) -> list[Steps]:
    """Chains of steps, numbered consecutively across all chains."""
    numbers = count(1)
    return [[(next(numbers), step) for step in chain] for chain in recipe]


def _steps(steps: Steps, work: Path, share: float) -> int:
    """Runs steps one after the other, skipping those done before; returns the exit code."""
    for number, step in steps:
        done = work / f"{number:02d}{DONE_SUFFIX}"
        if done.exists():
            continue
        command = step.format(work=work)
        print(f"step {number:02d}: {command}", flush=True)
        if code := main(command.split(), share):
            return code
        done.touch()
    return 0


def _chain(steps: Steps, work: Path, share: float) -> None:
    """Runs steps in a process of their own."""
    sys.exit(run(lambda: _steps(steps, work, share)))


def everything(args: argparse.Namespace) -> None:
    """Makes all networks from seeds, resuming where it was stopped."""
    if args.share < 1 and args.out == WEIGHTS:
        sys.exit("--share: expected --out as well, for what it trains is no network to ship")
    recipe = {"recipe": code_hash("scripts/training/recipe.py"), "share": args.share}
    opened(args.work, recipe, f"*{DONE_SUFFIX}")
    args.out.mkdir(parents=True, exist_ok=True)
    views, *networks = _numbered(RECIPE)
    if code := _steps(views, args.work, args.share):
        sys.exit(code)
    workers = [Process(target=_chain, args=(one, args.work, args.share)) for one in networks]
    for worker in workers:
        worker.start()
    try:
        for worker in workers:
            worker.join()
    finally:
        for worker in workers:
            worker.terminate()
    if any(worker.exitcode for worker in workers):
        sys.exit("train_faces: a step failed, see above; what is finished is kept")
    for card in CARDS:
        shutil.copyfile(args.work / card.file, args.out / card.file)


def photographs(args: argparse.Namespace) -> None:
    """Cuts patches from labelled photographs whose licence allows it."""
    # It imports the reader, which the other commands do without.
    from scripts.training.photographs import photographs as cut

    cut(args)


def card(_: argparse.Namespace) -> None:
    """Writes the cards into docs/seeing.md, if the shipped files are those that they describe."""
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")


def _share(text: str) -> float:
    with suppress(ValueError):
        if 0 < float(text) <= 1:
            return float(text)
    raise argparse.ArgumentTypeError(f"expected more than 0 and at most 1, found {text}")


def main(words: Sequence[str] | None = None, share: float = 1.0) -> int:
    """Parses the command line and does that share of the work."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)

    def command(work: Callable[[argparse.Namespace], None], **counts: int) -> Any:
        one = commands.add_parser(work.__name__, help=(work.__doc__ or "").splitlines()[0])
        for name, count in counts.items():
            one.add_argument(f"--{name}", type=int, default=count)
        one.set_defaults(func=work)
        return one

    drawn = command(making.patches, shards=30, shard=5_000, seed=1, rounds=1, processes=CORES)
    drawn.add_argument("--views", type=Path, default=(), nargs="+", help="folders of views")
    drawn.add_argument("--out", type=Path, required=True)
    rendered = command(
        making.views, shards=41, stacked=4, covered=0, facing=0, shard=50, seed=61, processes=CORES
    )
    rendered.add_argument("--out", type=Path, required=True)
    cut = command(making.lessons, drawn=80_000, rounds=2, processes=CORES)
    cut.add_argument("--views", type=Path, required=True, nargs="+", help="folders of views")
    cut.add_argument("--known", action="store_true", help="none without known geometry")
    cut.add_argument("--out", type=Path, required=True)
    taken = command(photographs, count=6000, shards=8, seed=201, processes=CORES)
    taken.add_argument("--data", type=Path, required=True, help="folder with an index.jsonl")
    taken.add_argument("--without", default=(), nargs="+", metavar="SOURCE", help="leave these out")
    taken.add_argument("--out", type=Path, required=True)
    laid = command(making.scenes, shards=30, shard=2_000, seed=1, processes=CORES)
    laid.add_argument("--out", type=Path, required=True)
    first = command(faces, steps=9000, threads=1, seed=0, every=500)
    first.add_argument("--patches", type=Path, required=True, nargs="+")
    first.add_argument("--out", type=Path, default=WEIGHTS / "faces.onnx")
    second = command(postures, steps=9000, threads=1, seed=0, every=500)
    second.add_argument("--lessons", type=Path, required=True, nargs="+")
    second.add_argument("--out", type=Path, default=WEIGHTS / "postures.onnx")
    third = command(tops, steps=8000, threads=1, seed=0, every=500)
    third.add_argument("--scenes", type=Path, required=True, nargs="+")
    third.add_argument("--out", type=Path, default=WEIGHTS / "tops.onnx")
    mean = command(blend)
    mean.add_argument("--start", type=Path, required=True, help="the network before")
    mean.add_argument("--floats", type=Path, required=True, help="the network after")
    mean.add_argument("--share", type=_share, default=0.5, help="of what it learnt")
    mean.add_argument("--out", type=Path, required=True)
    small = command(quantise)
    small.add_argument("--floats", type=Path, required=True, help="the trained network")
    small.add_argument("--patches", type=Path, required=True, help="patches, lessons or scenes")
    small.add_argument("--slants", action="store_true", help="it takes slants: lessons")
    small.add_argument("--out", type=Path, required=True)
    whole = commands.add_parser("all", help=(everything.__doc__ or "").splitlines()[0])
    whole.add_argument("--work", type=Path, required=True, help="what is made on the way")
    whole.add_argument("--out", type=Path, default=WEIGHTS)
    whole.add_argument("--share", type=_share, default=1.0, help="of the work; to try it out")
    whole.set_defaults(func=everything)
    command(card)
    for one in (drawn, rendered, cut, taken, laid):
        one.add_argument("--part", type=part, default=Part(), metavar="K/N", help="only this part")
    second.add_argument("--narrow", action="store_true", help="half as large, as a teacher")
    for one in (first, second):
        one.add_argument("--teachers", type=Path, default=(), nargs="+", help="networks")
    for one in (first, second, third):
        one.add_argument("--start", type=Path, help="go on from this network")
        one.add_argument("--rate", type=float, default=2e-3)
    args = parser.parse_args(words)
    for name, least in LEAST.items():
        if share < 1 and (count := getattr(args, name, None)):
            setattr(args, name, max(least, round(share * count)))
    try:
        args.func(args)
    except (CampaignError, OSError) as error:
        print(f"train_faces: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
