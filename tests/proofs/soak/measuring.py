"""Resources of this process now: memory, handles, threads, files."""

import gc
import os
from pathlib import Path

from appliance.journal.files import folder_of
from appliance.service.loop import release_memory
from tests.proofs.soak.flatness import Sample


def take(time_s: float, journal: Path, lines: int, pictured: bool) -> Sample:
    """Collects garbage and gives free memory back, as the appliance does at times; then measures.

    Args:
        time_s: since the start, seconds.
        journal: the games' path; the folder of that holds everything else that is kept.
        lines: how many lines its games have.
        pictured: whether the current game is read from pictures.
    """
    gc.collect()
    release_memory()
    games = [path for path in folder_of(journal).rglob("*") if path.is_file()]
    everything = [path for path in journal.parent.rglob("*") if path.is_file()]
    games_bytes, all_bytes = (sum(p.stat().st_size for p in those) for those in (games, everything))
    return Sample(
        time_s=time_s,
        memory=_resident(),
        handles=_count("/proc/self/fd"),
        threads=_count("/proc/self/task"),
        objects=len(gc.get_objects()),
        games_bytes=games_bytes,
        other_bytes=all_bytes - games_bytes,
        lines=lines,
        pictured=pictured,
    )


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _count(folder: str) -> int:
    return sum(1 for _ in Path(folder).iterdir())
