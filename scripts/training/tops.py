"""Trains the heat map of tops on drawn scenes.

Source of the loss: Zhou, Wang and Krähenbühl, Objects as points, arXiv 1904.07850, 2019.
"""

import argparse

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from scripts.campaign.folder import files_of
from scripts.training.drawn.scenes import SCENE_SIDE
from scripts.training.fitting import begin, block, fit, started, write
from scripts.training.targets import Targets, targets
from vision.detect.tops import CELLS
from vision.image.arrays import Float32Array

OUTPUTS = 4
"""Heat, the middle of the top, x and y, cells from that of the cell, and the edge's logarithm."""
BATCH_SCENES = 32
HELD_OUT_SCENES = 1000
POSE_WEIGHT = 1.0


def _network() -> nn.Sequential:
    last = nn.Conv2d(48, OUTPUTS * CELLS**2, 3, 1, 1)
    with torch.no_grad():
        # Most cells are cold: without this the first steps learn nothing else.
        assert last.bias is not None
        last.bias[: CELLS**2] = -4.0
    return nn.Sequential(
        block(3, 16, 2),
        block(16, 24, 2),
        block(24, 48, 2),
        block(48, 48, 1),
        block(48, 48, 1),
        block(48, 48, 1),
        last,
    )


def _loss(said: torch.Tensor, wanted: Targets) -> torch.Tensor:
    """Focal loss of the heat, and the mean error of the poses."""
    device = said.device
    heat, taught, near, pose = (
        torch.from_numpy(one).to(device)
        for one in (wanted.heat, wanted.taught, wanted.near, wanted.pose)
    )
    log_hot = functional.logsigmoid(said[:, 0])
    log_cold = functional.logsigmoid(-said[:, 0])
    middle = (heat == 1).float() * taught
    hot = -(middle * log_cold.exp() ** 2 * log_hot).sum()
    cold = -((1 - middle) * taught * (1 - heat) ** 4 * log_hot.exp() ** 2 * log_cold).sum()
    errors = (near[:, None] * (said[:, 1:] - pose).abs()).sum() / near.sum().clamp(min=1)
    return (hot + cold) / middle.sum().clamp(min=1) + POSE_WEIGHT * errors


def _mirrored(picture: Float32Array, tops: Float32Array) -> tuple[Float32Array, Float32Array]:
    """A scene, mirrored and turned by chance."""
    tops = tops.copy()
    if torch.rand(1) < 0.5:
        picture, tops[:, 0] = picture[:, ::-1], SCENE_SIDE - 1 - tops[:, 0]
    if torch.rand(1) < 0.5:
        picture, tops[:, 1] = picture[::-1], SCENE_SIDE - 1 - tops[:, 1]
    if torch.rand(1) < 0.5:
        picture, tops = picture.transpose(1, 0, 2), tops[:, [1, 0, 2, 3]]
    return picture, tops


def tops(args: argparse.Namespace) -> None:
    """Trains the heat map of tops."""
    begin(args.threads, args.seed)
    network = _network() if args.start is None else started(args.start)
    shuffle = nn.PixelShuffle(CELLS)
    files = [np.load(path) for folder in args.scenes for path in files_of(folder)]
    xs = np.concatenate([file["x"] for file in files])
    counts = np.concatenate([file["n"] for file in files])
    ts = np.split(np.concatenate([file["t"] for file in files]), np.cumsum(counts)[:-1])

    def blob(pictures: Float32Array) -> torch.Tensor:
        x = torch.from_numpy(np.ascontiguousarray(pictures)).permute(0, 3, 1, 2).float() / 255 - 0.5
        return x.to(torch.get_default_device(), memory_format=torch.channels_last)

    def loss_of() -> torch.Tensor:
        pick = torch.randint(HELD_OUT_SCENES, len(xs), (BATCH_SCENES,)).tolist()
        some = [_mirrored(xs[one], ts[one]) for one in pick]
        x = blob(np.stack([picture for picture, _ in some]))
        if torch.rand(1) < 0.3:
            x = x[:, torch.randperm(3)]
        x = (x + 0.5) * torch.exp(torch.randn(BATCH_SCENES, 1, 1, 1) * 0.12) - 0.5
        return _loss(shuffle(network(x)).float(), targets([one for _, one in some]))

    def report(mean: nn.Module) -> str:
        found = hot = wanted = 0
        for start in range(0, HELD_OUT_SCENES, 100):
            some = slice(start, start + 100)
            said = shuffle(mean(blob(xs[some]))).float()
            true = targets(ts[some])
            warm = said[:, 0].sigmoid().cpu().numpy()
            middles = (true.heat == 1) & (true.taught == 1)
            wanted += int(middles.sum())
            found += int((warm[middles] > 0.2).sum())
            hot += int(((warm > 0.2) & (true.heat < 0.3) & (true.taught == 1)).sum())
        return f"middles above 0.2: {found / max(wanted, 1):.4f}, other cells: {hot}"

    fit(network, args, loss_of, report)
    write(network, (3, SCENE_SIDE, SCENE_SIDE), args.out)
