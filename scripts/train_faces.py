r"""Trains the face network from drawn patches and writes `vision/weights/faces.onnx`.

Needs PyTorch and onnx beside the project's own packages, in an environment of its own:

    python3 -m venv /tmp/training
    /tmp/training/bin/pip install torch==2.13.0 onnx numpy opencv-python-headless
    PYTHONPATH=. /tmp/training/bin/python scripts/train_faces.py patches --out /tmp/patches
    PYTHONPATH=. /tmp/training/bin/python scripts/train_faces.py train --patches /tmp/patches \
        --keep /tmp/faces.pt

On two cores the patches take about ten minutes and the training about thirteen. No photograph
is used: what the network knows of dice is what `vision.training` draws.
"""

import argparse
import sys
import time
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

from vision.training.patches import CLASSES, SIDE, make_patch

KINDS = 6
POSE = 5


def draw_shard(job: tuple[int, int, Path]) -> None:
    """Draws one file of patches; the same seed gives the same file."""
    seed, count, path = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    patches = [make_patch(rng) for _ in range(count)]
    np.savez(
        path,
        x=np.stack([p.picture for p in patches]),
        y=np.array([p.label for p in patches]),
        k=np.array([p.kind for p in patches]),
        p=np.stack([p.pose for p in patches]),
    )


def draw(args: argparse.Namespace) -> None:
    """Draws all files of patches."""
    args.out.mkdir(parents=True, exist_ok=True)
    jobs = [
        (args.seed + i, args.shard, args.out / f"{args.seed + i:05d}.npz")
        for i in range(args.shards)
    ]
    with Pool(args.processes) as pool:
        for done, _ in enumerate(pool.imap_unordered(draw_shard, jobs), 1):
            print(f"{done} of {len(jobs)}", flush=True)


def train(args: argparse.Namespace) -> None:
    """Trains for a fixed time and writes the network."""
    import torch
    from torch import nn
    from torch.nn import functional

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)

    def block(before: int, after: int, stride: int) -> nn.Sequential:
        return nn.Sequential(
            nn.Conv2d(before, after, 3, stride, 1, bias=False),
            nn.BatchNorm2d(after),
            nn.ReLU(inplace=True),
        )

    network = nn.Sequential(
        block(3, 16, 2),
        block(16, 24, 1),
        block(24, 40, 2),
        block(40, 48, 1),
        block(48, 64, 2),
        block(64, 64, 1),
        nn.Flatten(),
        nn.Linear(64 * (SIDE // 8) ** 2, 96),
        nn.ReLU(inplace=True),
        nn.Dropout(0.2),
        nn.Linear(96, CLASSES + KINDS + POSE),
    )
    if args.start is not None:
        network.load_state_dict(torch.load(args.start))

    files = [np.load(path) for path in sorted(args.patches.glob("*.npz"))]
    if not files:
        sys.exit(f"{args.patches}: holds no patches; draw some first")
    xs, ys, ks, ps = (
        torch.from_numpy(np.concatenate([file[name] for file in files])) for name in "xykp"
    )
    # The first patches are kept back: the figures printed are of patches never trained on.
    held = 4000
    optimiser = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=1e-3)
    batch, start, step, losses = 256, time.monotonic(), 0, []

    def picture(x: torch.Tensor) -> torch.Tensor:
        return x.permute(0, 3, 1, 2).float() / 255 - 0.5

    while (share := (time.monotonic() - start) / (60 * args.minutes)) < 1:
        for group in optimiser.param_groups:
            warm = min(1.0, step / 100)
            group["lr"] = args.rate * warm * 0.5 * (1 + np.cos(np.pi * share)) + 1e-5
        pick = torch.randint(held, len(xs), (batch,))
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
        network.train()
        out = network(x)
        loss = functional.cross_entropy(out[:, :CLASSES], y, label_smoothing=0.01)
        face = y > 0
        loss = loss + 0.5 * functional.cross_entropy(out[face, CLASSES:-POSE], k[face])
        loss = loss + 2 * functional.smooth_l1_loss(out[face, -POSE:-2], p[face, :3], beta=0.1)
        loss = loss + 0.3 * functional.smooth_l1_loss(out[face, -2:], p[face, 3:])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        step += 1
        losses.append(loss.item())
        if step % 300 == 0:
            network.eval()
            with torch.no_grad():
                out = torch.cat([network(picture(xs[i : i + 500])) for i in range(0, held, 500)])
            chance, best = out[:, :CLASSES].softmax(1).max(1)
            right = best == ys[:held]
            sure = (chance > 0.95) & (best > 0)
            print(
                f"step {step} loss {np.mean(losses[-300:]):.3f} "
                f"right {right.float().mean():.4f} "
                f"sure {sure.float().mean():.3f} of it wrong {int((sure & ~right).sum())}",
                flush=True,
            )
    network.eval()
    torch.save(network.state_dict(), args.keep)
    torch.onnx.export(
        network,
        torch.zeros(1, 3, SIDE, SIDE),
        str(args.out),
        input_names=["x"],
        output_names=["y"],
        dynamic_axes={"x": {0: "n"}, "y": {0: "n"}},
        dynamo=False,
    )
    print(f"{args.out}: {args.out.stat().st_size} bytes")


def main() -> None:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("patches")
    one.add_argument("--out", type=Path, required=True)
    one.add_argument("--shards", type=int, default=16)
    one.add_argument("--shard", type=int, default=10_000)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--processes", type=int, default=2)
    one.set_defaults(func=draw)
    two = commands.add_parser("train")
    two.add_argument("--patches", type=Path, required=True)
    two.add_argument("--out", type=Path, default=Path("vision/weights/faces.onnx"))
    two.add_argument("--keep", type=Path, required=True, help="file for PyTorch's own weights")
    two.add_argument("--start", type=Path, help="go on from these weights")
    two.add_argument("--minutes", type=float, default=13)
    two.add_argument("--rate", type=float, default=2e-3)
    two.add_argument("--threads", type=int, default=2)
    two.add_argument("--seed", type=int, default=0)
    two.set_defaults(func=train)
    args = parser.parse_args()
    args.func(args)


if __name__ == "__main__":
    main()
