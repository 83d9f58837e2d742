"""Generate random tasks and count relaxed constraints, refusals and errors.

Prints the table of docs/robust.md.

python scripts/robust.py 1000 > table.md
"""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
from footfall.core.engine import generate
from footfall.core.errors import FootfallError
from footfall.core.motion.measures import measure
from footfall.core.task import Path, Push, SpeedProfile, Task
from footfall.core.terrain import FlatGround, Ground, cut_gaps, make_rolling_hills

SECONDS = 4.0
FPS = 30.0
# Maximum drift of a resting contact [m].
MAX_REST_DRIFT = 0.002


@dataclass(frozen=True)
class Outcome:
    """Result of one task.

    Args:
        kind: description of the task.
        failed: text of an unexpected exception, if any.
        refused: whether the task was refused with a message.
        finite: whether all numbers of the motion are finite.
        relaxed: reasons of relaxed constraints.
        has_notes: whether the report has notes, such as a fall or a reduced speed.
        drift: of resting contacts [m].
        penetration: of the ground [m].
    """

    kind: str
    failed: str = ""
    refused: bool = False
    finite: bool = True
    relaxed: tuple[str, ...] = ()
    has_notes: bool = False
    drift: float = 0.0
    penetration: float = 0.0


@dataclass(frozen=True)
class RandomTask:
    """A task and a description of its kind."""

    task: Task
    kind: str


@dataclass(frozen=True)
class RandomGround:
    """A ground and a description of its kind."""

    ground: Ground
    kind: str


def random_task(seed: int) -> RandomTask:
    """Return a random task: speeds to 8 m/s, turns, slopes to 20 degrees, bumps, gaps, pushes."""
    r = np.random.default_rng(seed)
    points = [np.zeros(2)]
    heading = 0.0
    turning = r.random() < 0.6
    for _ in range(r.integers(2, 6)):
        heading += r.uniform(-2.5, 2.5) * turning
        points.append(points[-1] + r.uniform(2, 10) * np.array([np.cos(heading), np.sin(heading)]))
    top = 8.0 if r.random() < 0.4 else 2.5
    count = int(r.integers(1, 4))
    speed = SpeedProfile(
        r.uniform(0.2, top, count), np.sort(r.uniform(0, 4, count)) + 0.3 * np.arange(count)
    )
    terrain = _random_ground(r, turning)
    kind = terrain.kind
    pushes: tuple[Push, ...] = ()
    if r.random() < 0.3:
        angle = r.uniform(0, 2 * np.pi)
        size = r.uniform(50, 400)
        pushes = (Push(r.uniform(0.5, 3), (size * np.cos(angle), size * np.sin(angle), 0.0)),)
        kind = f"{kind}, pushed"
    kind = (
        f"{'turns' if turning else 'straight'}, {'to 8 m/s' if top > 3 else 'to 2.5 m/s'}, {kind}"
    )
    start = "standing" if r.random() < 0.2 else "moving"
    task = Task(
        Path(points if turning else [[0, 0], [80, 0]]),
        speed,
        ground=terrain.ground,
        seconds=SECONDS,
        fps=FPS,
        seed=seed,
        start=start,
        pushes=pushes,
    )
    return RandomTask(task, kind)


def _random_ground(r: np.random.Generator, turning: bool) -> RandomGround:
    choice = r.random()
    if choice < 0.35:
        return RandomGround(FlatGround(), "flat")
    hills = make_rolling_hills(
        r, 60.0, 90.0, bump_height=r.uniform(0, 0.25), slope_deg=r.uniform(0, 20), spacing=0.15
    )
    hills.origin[0] -= 20.0
    if choice < 0.85 or turning:
        return RandomGround(hills, "hills")
    gaps = []
    station = 4.0
    while station < 38:
        gaps.append((station, station + r.uniform(0.2, 1.5)))
        station = gaps[-1][1] + r.uniform(1.5, 4)
    return RandomGround(cut_gaps(hills, gaps), "gaps")


def run_task(seed: int) -> Outcome:
    """Generate the motion of a random task and measure it."""
    drawn = random_task(seed)
    task = drawn.task
    kind = drawn.kind
    try:
        motion = generate(task)
    except FootfallError:
        return Outcome(kind, refused=True)
    except Exception as error:  # Any exception is counted.
        return Outcome(kind, failed=f"{type(error).__name__}: {error}")
    figures = measure(motion, task.ground.sample_heights)
    finite = all(
        np.isfinite(a).all()
        for a in (motion.link_position, motion.link_orientation, motion.contact_force)
    )
    return Outcome(
        kind,
        finite=finite,
        relaxed=tuple({e.reason for e in motion.report.violations}),
        has_notes=bool(motion.report.notes),
        drift=figures.drift_m,
        penetration=figures.penetration_m,
    )


def main() -> None:
    """Print a table by kind of task, and all exceptions."""
    count = int(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with ProcessPoolExecutor() as pool:
        outcomes = list(pool.map(run_task, range(first, first + count), chunksize=4))
    print(
        (
            "| task | tasks | exceptions | not finite | refused | nothing relaxed | reach | "
            "turn | miss | with notes | a contact drifts > 2 mm | ground entered > 1 cm |\n|"
        )
        + " --- |" * 12
    )
    kinds = sorted({o.kind for o in outcomes})
    for kind in [*kinds, "all"]:
        selected = [o for o in outcomes if kind in ("all", o.kind)]
        reasons = Counter(reason for o in selected for reason in o.relaxed)
        moved = [o for o in selected if not (o.failed or o.refused)]
        cells = [
            len(selected),
            sum(bool(o.failed) for o in selected),
            sum(not o.finite for o in selected),
            sum(o.refused for o in selected),
            sum(not o.relaxed for o in moved),
            reasons["reach"],
            reasons["turn"],
            reasons["miss"],
            sum(o.has_notes for o in selected),
            sum(o.drift > MAX_REST_DRIFT for o in moved),
            sum(o.penetration > 0.01 for o in moved),
        ]
        print(f"| {kind} | " + " | ".join(map(str, cells)) + " |")
    for o in outcomes:
        if o.failed:
            print(f"\n{o.kind}: {o.failed}")


if __name__ == "__main__":
    main()
