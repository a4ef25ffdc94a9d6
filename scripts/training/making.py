"""Makes the training data of the networks: files of patches, views, lessons and scenes."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scripts.campaign.folder import FILES, code_hash, files_of, opened, settings_of, whole_file
from scripts.campaign.stopping import workers
from scripts.training.close_views import CloseView, Subject, close_views, is_held
from scripts.training.drawn.cutting import (
    View,
    ViewedDie,
    cut_lessons,
    cut_patches,
    draw_lesson,
)
from scripts.training.drawn.patches import MAX_LABELLED_LEAN_DEGREES, Patch, make_patch
from scripts.training.drawn.scenes import make_scene
from scripts.training.drawn.viewfile import load_views, save_views
from simulator.render.scene import camera_parameters
from simulator.scenes.random_setup import Difficulty
from tests.rigs.rendering.truth import rests_high
from vision.reading import DieState

SYMBOL = 7
VIEWS_PER_INSTALLATION = 5
"""Views of one installation: most of the rendering work is in what stays the same."""
HELD_VIEWS = 4
"""This many files of views are cut only once: the held-out lessons come from them."""
DRAWN = ("scripts/training/drawn",)
RENDERED = (
    *("simulator/render", "simulator/scenes", "tests/rigs/rendering"),
    "scripts/training/close_views.py",
)
"""The code that makes the files: output of two versions of it is never mixed."""
LEVELS: tuple[Difficulty, ...] = ("easy", "normal", "hard")


def in_pool(work: Callable[[Any], None], jobs: list[Any], processes: int) -> None:
    """Runs jobs in parallel and prints its progress."""
    with workers(processes) as pool:
        for done, _ in enumerate(pool.imap_unordered(work, jobs), 1):
            print(f"{done} of {len(jobs)}", flush=True)


def begun(args: argparse.Namespace, settings: dict[str, Any], jobs: list[Any]) -> list[Any]:
    """Begins or resumes the folder of all jobs, each of which ends with its file.

    Returns this part of the jobs, without those done already.
    """
    opened(args.out, settings, files=[job[-1].name for job in jobs])
    return [job for job in args.part.share(jobs) if not job[-1].exists()]


def _made(folders: Iterable[Path]) -> list[object]:
    """The settings that some folders of views were made with."""
    made = [settings_of(folder) for folder in folders]
    return [one and {name: one[name] for name in one if name != FILES} for one in made]


def patch_shard(job: tuple[int, int, Path | None, Path]) -> None:
    """Makes one file of patches: drawn, or cut out of the views in a file.

    The same seed gives the same file.
    """
    seed, count, source, path = job
    rng = np.random.default_rng(seed)
    if source is None:
        patches = [make_patch(rng, lenient=MAX_LABELLED_LEAN_DEGREES) for _ in range(count)]
    else:
        patches = [one for view in load_views(source) for one in cut_patches(rng, view)]
    save_patches(path, patches)


def save_patches(path: Path, patches: Sequence[Patch]) -> None:
    """Writes a file of patches."""
    with whole_file(path) as file:
        np.savez(
            file,
            x=np.stack([p.picture for p in patches]),
            y=np.array([p.label for p in patches]),
            k=np.array([p.kind for p in patches]),
            p=np.stack([p.pose for p in patches]),
        )


def patches(args: argparse.Namespace) -> None:
    """Makes all files of patches, or a part of them: some drawn, others cut out of views."""
    drawn = {name: getattr(args, name) for name in ("seed", "shards", "shard", "rounds")}
    settings = {"patches": drawn, "code": code_hash(*DRAWN), "views": _made(args.views)}
    views = [path for one in args.views for path in files_of(one)]
    sources: list[Path | None] = [None] * args.shards + views * args.rounds
    jobs = [
        (args.seed + i, args.shard, source, args.out / f"{args.seed + i:05d}.npz")
        for i, source in enumerate(sources)
    ]
    in_pool(patch_shard, begun(args, settings, jobs), args.processes)


def view_of(close: CloseView) -> View:
    """A rendered view in the form that the posture classifier's lessons are cut from."""
    profile = camera_parameters(close.scene)
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


def view_shard(job: tuple[int, int, int, Subject, Path]) -> None:
    """Renders one file of views; the views of an installation have a seed of their own."""
    seed, start, count, subject, path = job
    seen: list[View] = []
    for k in range(start, start + count):
        chance = np.random.default_rng((seed, k))
        seen += [
            view_of(close)
            for close in close_views(chance, LEVELS[k % 3], VIEWS_PER_INSTALLATION, subject)
        ]
    with whole_file(path) as file:
        save_views(file, seen)


def views(args: argparse.Namespace) -> None:
    """Renders all files of views, or a part of them."""
    names = ("seed", "shards", "stacked", "covered", "facing", "shard")
    rendered = {name: getattr(args, name) for name in names}
    settings = {"views": rendered, "code": code_hash(*RENDERED)}
    counts: tuple[tuple[Subject, int], ...] = (
        ("any", args.shards),
        ("stacked", args.stacked),
        ("covered", args.covered),
        ("facing", args.facing),
    )
    wanted = [subject for subject, count in counts for _ in range(count)]
    jobs = [
        (args.seed, i * args.shard, args.shard, subject, args.out / f"{i:05d}.npz")
        for i, subject in enumerate(wanted)
    ]
    in_pool(view_shard, begun(args, settings, jobs), args.processes)


def lesson_shard(job: tuple[int, int, Path | None, bool, Path]) -> None:
    """Makes one file of lessons: cut from the views in a file, or drawn."""
    seed, count, source, known, path = job
    rng = np.random.default_rng((seed, 7))
    if source is None:
        lessons = [draw_lesson(rng) for _ in range(count)]
    else:
        lessons = [
            lesson for view in load_views(source) for lesson in cut_lessons(rng, view, known)
        ]
    with whole_file(path) as file:
        np.savez(
            file,
            x=np.stack([one.picture for one in lessons]),
            s=np.array([one.slant for one in lessons], np.float32),
            k=np.array([one.certainty for one in lessons], np.float32),
            v=np.array([one.value for one in lessons]),
            p=np.array([one.posture for one in lessons]),
            t=np.stack([one.lean for one in lessons]).astype(np.float32),
        )


def lessons(args: argparse.Namespace) -> None:
    """Makes all files of lessons, or a part: from views, in `rounds`, and some that are drawn."""
    made = {name: getattr(args, name) for name in ("drawn", "rounds", "known")}
    settings = {"lessons": made, "code": code_hash(*DRAWN), "views": _made(args.views)}
    sources: list[Path | None] = [path for one in args.views for path in files_of(one)]
    if len(sources) <= HELD_VIEWS:
        folders = ", ".join(map(str, args.views))
        sys.exit(f"{folders}: expected {HELD_VIEWS + 1} files of views, found {len(sources)}")
    sources += sources[HELD_VIEWS:] * (args.rounds - 1) + [None] * (args.drawn // 1000)
    jobs = [
        (i, 1000, source, args.known, args.out / f"{i:05d}.npz") for i, source in enumerate(sources)
    ]
    in_pool(lesson_shard, begun(args, settings, jobs), args.processes)


def scene_shard(job: tuple[int, int, Path]) -> None:
    """Draws one file of scenes; the same seed gives the same file."""
    seed, count, path = job
    rng = np.random.default_rng((seed, 8))
    scenes = [make_scene(rng) for _ in range(count)]
    with whole_file(path) as file:
        np.savez(
            file,
            x=np.stack([one.picture for one in scenes]),
            n=np.array([len(one.tops) for one in scenes]),
            t=np.concatenate([one.tops for one in scenes]),
        )


def scenes(args: argparse.Namespace) -> None:
    """Draws all files of scenes for the heat map, or a part of them."""
    drawn = {name: getattr(args, name) for name in ("seed", "shards", "shard")}
    settings = {"scenes": drawn, "code": code_hash(*DRAWN)}
    jobs = [
        (args.seed + i, args.shard, args.out / f"{args.seed + i:05d}.npz")
        for i in range(args.shards)
    ]
    in_pool(scene_shard, begun(args, settings, jobs), args.processes)
