r"""Trains the two networks of the reader and writes them to `vision/weights`.

Needs PyTorch and onnx beside the project's own packages, in an environment of its own:

    python3 -m venv /tmp/training
    /tmp/training/bin/pip install torch==2.13.0 onnx numpy opencv-python-headless
    export PYTHONPATH=.
    /tmp/training/bin/python scripts/train_faces.py patches --out /tmp/patches
    /tmp/training/bin/python scripts/train_faces.py faces --patches /tmp/patches
    /tmp/training/bin/python scripts/train_faces.py views --out /tmp/views
    /tmp/training/bin/python scripts/train_faces.py lessons --views /tmp/views --out /tmp/lessons
    /tmp/training/bin/python scripts/train_faces.py judge --lessons /tmp/lessons

The first two make the face network from drawn patches, the other three the judge from the
simulator's pictures and drawn patches. No photograph is used. The same seeds give the same
pictures; the weights differ a little with PyTorch's version and the processor.
"""

import argparse
import sys
from collections.abc import Callable, Iterable
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from appliance.simulator.mishaps import CloseView, close_views, is_held
from appliance.simulator.scene import camera_parameters
from appliance.simulator.truth import rests_high
from vision.profile import Profile
from vision.reading import DieState
from vision.training.cutting import View, ViewedDie, cut_lessons, draw_lesson
from vision.training.patches import CLASSES, SIDE, make_patch
from vision.training.viewfile import load_views, save_views

WEIGHTS = Path("vision/weights")
KINDS = 6
POSE = 5
SYMBOL = 7
TOGETHER = 5
"""Views of one installation: most of the work of drawing is in what stays."""
HELD = 4000
"""The first patches are kept back: the figures printed are of patches never trained on."""


def in_pool(work: Callable[[Any], None], jobs: list[Any], processes: int) -> None:
    """Works on jobs side by side and says how far it is."""
    with Pool(processes) as pool:
        for done, _ in enumerate(pool.imap_unordered(work, jobs), 1):
            print(f"{done} of {len(jobs)}", flush=True)


def draw_shard(job: tuple[int, int, Path]) -> None:
    """Draws one file of patches; the same seed gives the same file."""
    seed, count, path = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    # How a die lies is the judge's matter; this network finds it and reads what it shows.
    patches = [make_patch(rng, lenient=28.0) for _ in range(count)]
    np.savez(
        path,
        x=np.stack([p.picture for p in patches]),
        y=np.array([p.label for p in patches]),
        k=np.array([p.kind for p in patches]),
        p=np.stack([p.pose for p in patches]),
    )


def patches(args: argparse.Namespace) -> None:
    """Draws all files of patches."""
    args.out.mkdir(parents=True, exist_ok=True)
    jobs = [
        (args.seed + i, args.shard, args.out / f"{args.seed + i:05d}.npz")
        for i in range(args.shards)
    ]
    in_pool(draw_shard, jobs, args.processes)


def _view(close: CloseView) -> View:
    """A rendered view as the judge's lessons take it."""
    known = camera_parameters(close.scene)
    profile = Profile(
        size=known.size,
        camera=known.matrix,
        distortion=known.distortion,
        rotation=known.rotation,
        translation=known.translation,
        tray=known.tray,
    )
    dice = []
    for die in close.dice:
        area = abs(cv2.contourArea(np.array(die.outline_px, np.float32)))
        flat = profile.edge_pixels(die.centre_px)
        saved = is_held(die.pose, close.scene.tray)
        dice.append(
            ViewedDie(
                value=die.face if isinstance(die.face, int) else SYMBOL,
                center=np.array(die.centre_px),
                middle=profile.to_pixels(np.array([die.pose.position]))[0],
                edge=flat if die.state is DieState.LEANING else float(np.sqrt(area)),
                tilt=die.tilt_deg,
                # A holder's floor is a little higher than the tray's.
                rise=0.0 if saved else rests_high(die.pose) / die.pose.edge,
                hidden=die.hidden,
            )
        )
    return View(close.picture, profile, close.corner, close.whole, tuple(dice))


def view_shard(job: tuple[int, int, int, bool, Path]) -> None:
    """Renders one file of views; the views of an installation have a seed of their own."""
    seed, start, count, stacked, path = job
    cv2.setNumThreads(1)
    levels = ("easy", "normal", "hard")
    seen: list[View] = []
    for k in range(start, start + count):
        chance = np.random.default_rng((seed, k))
        seen += [_view(close) for close in close_views(chance, levels[k % 3], TOGETHER, stacked)]
    save_views(path, seen)


def views(args: argparse.Namespace) -> None:
    """Renders all files of views."""
    args.out.mkdir(parents=True, exist_ok=True)
    jobs = [
        (args.seed, i * args.shard, args.shard, i >= args.shards, args.out / f"{i:05d}.npz")
        for i in range(args.shards + args.stacked)
        if not (args.out / f"{i:05d}.npz").exists()
    ]
    in_pool(view_shard, jobs, args.processes)


def lesson_shard(job: tuple[int, int, Path | None, Path]) -> None:
    """Makes one file of lessons: of the views in a file, or drawn."""
    seed, count, source, path = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng((seed, 7))
    if source is None:
        lessons = [draw_lesson(rng) for _ in range(count)]
    else:
        lessons = [lesson for view in load_views(source) for lesson in cut_lessons(rng, view)]
    np.savez(
        path,
        x=np.stack([one.picture for one in lessons]),
        s=np.array([one.slant for one in lessons], np.float32),
        k=np.array([one.known for one in lessons], np.float32),
        v=np.array([one.value for one in lessons]),
        p=np.array([one.posture for one in lessons]),
    )


def lessons(args: argparse.Namespace) -> None:
    """Makes all files of lessons: one a file of views, and some that are drawn."""
    args.out.mkdir(parents=True, exist_ok=True)
    sources: list[Path | None] = sorted(args.views.glob("*.npz"))
    if not sources:
        sys.exit(f"{args.views}: holds no views; render some first")
    sources += [None] * (args.drawn // 1000)
    jobs = [(i, 1000, source, args.out / f"{i:05d}.npz") for i, source in enumerate(sources)]
    in_pool(lesson_shard, jobs, args.processes)


def _load(folder: Path, names: str) -> list[Any]:
    import torch

    files = [np.load(path) for path in sorted(folder.glob("*.npz"))]
    if not files:
        sys.exit(f"{folder}: holds no patches; make some first")
    return [torch.from_numpy(np.concatenate([file[name] for file in files])) for name in names]


def _block(before: int, after: int, stride: int) -> Any:
    from torch import nn

    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


def _asker(network: Any) -> Callable[[Any], Any]:
    """The network in 16 bits where that does: twice as fast on processors that know them."""
    import torch

    def ask(x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            out: torch.Tensor = network(x.contiguous(memory_format=torch.channels_last))
        return out.float()

    return ask


def _fit(
    network: Any,
    args: argparse.Namespace,
    loss_of: Callable[[], Any],
    report: Callable[[], str],
) -> None:
    """Steps of AdamW under a cosine schedule."""
    import torch

    network.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=1e-3)
    losses = []
    for step in range(args.steps):
        for group in optimiser.param_groups:
            warm = min(1.0, step / 100)
            group["lr"] = args.rate * warm * 0.5 * (1 + np.cos(np.pi * step / args.steps)) + 1e-5
        network.train()
        loss = loss_of()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
        if (step + 1) % args.every == 0 or step + 1 == args.steps:
            network.eval()
            with torch.no_grad():
                text = report()
            print(f"step {step + 1} loss {np.mean(losses[-args.every :]):.3f} {text}", flush=True)
    network.eval()


def _write(network: Any, shape: Iterable[int], path: Path) -> None:
    import torch

    network.to(memory_format=torch.contiguous_format)
    torch.onnx.export(
        network,
        torch.zeros(1, *shape),
        str(path),
        input_names=["x"],
        output_names=["y"],
        dynamic_axes={"x": {0: "n"}, "y": {0: "n"}},
        dynamo=False,
    )
    print(f"{path}: {path.stat().st_size} bytes")


def faces(args: argparse.Namespace) -> None:
    """Trains the face network."""
    import torch
    from torch import nn
    from torch.nn import functional

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    network = nn.Sequential(
        _block(3, 16, 2),
        _block(16, 24, 1),
        _block(24, 40, 2),
        _block(40, 48, 1),
        _block(48, 64, 2),
        _block(64, 64, 1),
        nn.Flatten(),
        nn.Linear(64 * (SIDE // 8) ** 2, 96),
        nn.ReLU(inplace=True),
        nn.Dropout(0.2),
        nn.Linear(96, CLASSES + KINDS + POSE),
    )
    xs, ys, ks, ps = _load(args.patches, "xykp")
    batch = 256
    ask = _asker(network)

    def picture(x: torch.Tensor) -> torch.Tensor:
        return x.permute(0, 3, 1, 2).float() / 255 - 0.5

    def loss_of() -> torch.Tensor:
        pick = torch.randint(HELD, len(xs), (batch,))
        x, y, k, p = picture(xs[pick]), ys[pick], ks[pick], ps[pick].clone()
        # Mirroring and quarter turns keep values and kinds; the pose goes along.
        if torch.rand(1) < 0.5:
            x = x.flip(3)
            p[:, 0] *= -1
            p[:, 4] *= -1
        for _ in range(int(torch.randint(0, 4, (1,)))):
            x = torch.rot90(x, 1, (2, 3))
            p = torch.stack([p[:, 1], -p[:, 0], p[:, 2], p[:, 3], p[:, 4]], 1)
        if torch.rand(1) < 0.25:  # cut at the border of a picture
            left, right = (int(v) for v in torch.randint(1, 15, (2,)))
            x[: batch // 4, :, :, :left] = x[: batch // 4, :, :, left : left + 1]
            some = slice(batch // 8, batch // 8 * 3)
            x[some, :, :, -right:] = x[some, :, :, -right - 1 : -right]
        x = (x + 0.5) * torch.exp(torch.randn(batch, 1, 1, 1) * 0.12) - 0.5
        out = ask(x)
        loss = functional.cross_entropy(out[:, :CLASSES], y, label_smoothing=0.01)
        face = y > 0
        loss = loss + 0.5 * functional.cross_entropy(out[face, CLASSES:-POSE], k[face])
        loss = loss + 2 * functional.smooth_l1_loss(out[face, -POSE:-2], p[face, :3], beta=0.1)
        return loss + 0.3 * functional.smooth_l1_loss(out[face, -2:], p[face, 3:])

    def report() -> str:
        out = torch.cat([ask(picture(xs[i : i + 500])) for i in range(0, HELD, 500)])
        chance, best = out[:, :CLASSES].softmax(1).max(1)
        right = best == ys[:HELD]
        sure = (chance > 0.95) & (best > 0)
        return (
            f"right {right.float().mean():.4f} sure {sure.float().mean():.3f} "
            f"of it wrong {int((sure & ~right).sum())}"
        )

    _fit(network, args, loss_of, report)
    _write(network, (3, SIDE, SIDE), args.out)


def judge(args: argparse.Namespace) -> None:
    """Trains the judge."""
    import torch
    from torch import nn
    from torch.nn import functional

    from vision.judge import FLAT, KNOWN, POSTURES, UNKNOWN, VALUES
    from vision.judge import SIDE as WIDE

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    network = nn.Sequential(
        _block(5, 20, 2),
        _block(20, 28, 1),
        _block(28, 44, 2),
        _block(44, 56, 1),
        _block(56, 80, 2),
        _block(80, 80, 1),
        _block(80, 96, 2),
        nn.Flatten(),
        nn.Linear(96 * (WIDE // 16) ** 2, 96),
        nn.ReLU(inplace=True),
        nn.Dropout(0.2),
        nn.Linear(96, VALUES + POSTURES),
    )
    if args.start is not None:
        network.load_state_dict(torch.load(args.start))
    xs, ss, ks, vs, ps = _load(args.lessons, "xskvp")
    batch = 256
    ask = _asker(network)

    def planes(x: torch.Tensor, s: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        flat = torch.stack([s.clamp(0, 1.2), k], 1)[:, :, None, None]
        return torch.cat(
            [x.permute(0, 3, 1, 2).float() / 255 - 0.5, flat.expand(-1, -1, WIDE, WIDE)], 1
        )

    def loss_of() -> torch.Tensor:
        pick = torch.randint(HELD, len(xs), (batch,))
        v, p = vs[pick], ps[pick]
        x = planes(xs[pick], ss[pick], ks[pick])
        # What points outwards stays up: only mirroring is left.
        if torch.rand(1) < 0.5:
            x = x.flip(3)
        x[:, :3] = (x[:, :3] + 0.5) * torch.exp(torch.randn(batch, 3, 1, 1) * 0.06) - 0.5
        out = ask(x)
        loss = functional.cross_entropy(out[:, :VALUES], v, ignore_index=-1, label_smoothing=0.01)
        return loss + 1.5 * functional.cross_entropy(out[:, VALUES:], p, ignore_index=-1)

    def report() -> str:
        out = torch.cat(
            [
                ask(planes(xs[i : i + 500], ss[i : i + 500], ks[i : i + 500]))
                for i in range(0, HELD, 500)
            ]
        )
        v, p, k = vs[:HELD], ps[:HELD], ks[:HELD]
        value = (out[:, :VALUES].argmax(1) == v)[v >= 0].float().mean()
        flat = out[:, VALUES:].softmax(1)[:, FLAT]
        parts = []
        for known in (KNOWN, 0.5, UNKNOWN):
            good = flat[(k == known) & (p == FLAT)].sort().values
            bad = flat[(k == known) & (p > FLAT)]
            if len(good) and len(bad):
                low = good[len(good) // 50]
                parts.append(f"at 98% flat {float((bad >= low).float().mean()):.4f} of others")
        return f"value {value:.4f} " + ", ".join(parts)

    _fit(network, args, loss_of, report)
    torch.save(network.state_dict(), args.out.with_suffix(".pt"))
    _write(network, (5, WIDE, WIDE), args.out)


def main() -> None:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)

    def command(work: Callable[[argparse.Namespace], None], **counts: int) -> Any:
        one = commands.add_parser(work.__name__, help=(work.__doc__ or "").splitlines()[0])
        for name, count in counts.items():
            one.add_argument(f"--{name}", type=int, default=count)
        one.set_defaults(func=work)
        return one

    drawn = command(patches, shards=24, shard=5_000, seed=1, processes=2)
    drawn.add_argument("--out", type=Path, required=True)
    rendered = command(views, shards=25, stacked=2, shard=50, seed=1, processes=2)
    rendered.add_argument("--out", type=Path, required=True)
    cut = command(lessons, drawn=20_000, processes=2)
    cut.add_argument("--views", type=Path, required=True)
    cut.add_argument("--out", type=Path, required=True)
    first = command(faces, steps=4500, threads=2, seed=0, every=300)
    first.add_argument("--patches", type=Path, required=True)
    first.add_argument("--out", type=Path, default=WEIGHTS / "faces.onnx")
    second = command(judge, steps=2400, threads=2, seed=0, every=100)
    second.add_argument("--lessons", type=Path, required=True)
    second.add_argument("--out", type=Path, default=WEIGHTS / "judge.onnx")
    second.add_argument("--start", type=Path, help="go on from these weights of PyTorch's")
    for one in (first, second):
        one.add_argument("--rate", type=float, default=2e-3)
    args = parser.parse_args()
    args.func(args)


if __name__ == "__main__":
    main()
