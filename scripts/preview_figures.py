"""Print the figures of docs/dev/preview-figures.md: how often a simulated body passes, and falls.

Usage: preview_figures.py steady [SEEDS [SECONDS]]            walk, run and stand
       preview_figures.py pushes [INSTANTS [FORCE SECONDS]]   on the head, eight sides, all forces
       preview_figures.py replanning PICTURE                  figure 6 of the paper
       preview_figures.py ground NAME... [SEEDS]              the scenarios preview-NAME, for 10 s

A run has passed if nothing but feet touched the ground, the head stayed above half its height and
all numbers of the simulation were finite. Everything runs on all cores; `print_pushes` takes
hours for all forces at 50 instants.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from footfall.core.engine import generate
from footfall.core.engine.preview.simulation import Simulation
from footfall.core.scenarios.scenarios import find_scenario
from numpy.typing import NDArray

# Forces [N], durations [s] and number of directions of the pushes.
FORCES = (100.0, 200.0, 300.0, 400.0, 500.0)
DURATIONS = (0.1, 0.2)
SIDES = 8
# Time after a push in which a fall counts [s].
OBSERVATION_TIME = 3.0
# First and last time of a push in a walk that begins from standing [s].
INSTANTS = (4.0, 9.0)
# Number of pushes in the walk of one seed.
PUSHES_PER_WALK = 5
# Numbers of control steps from one preview to the next; 0 for previews at contacts only.
REPLANNING_INTERVALS = (1, 2, 5, 10, 25, 50, 100, 0)
# Length of the walks in which replanning is compared [s].
WALK_TIME = 20.0


def start_walk(seed: int, interval: int = 1) -> Simulation:
    """Return a simulation of one minute of walking before its first step."""
    return Simulation(find_scenario("preview-walk").build_task(seconds=60.0, seed=seed), interval)


def continue_walk(walk: Simulation, seconds: float) -> bool:
    """Walk on for `seconds` and return whether the body has not fallen."""
    for _ in range(round(seconds / walk.loop.dt)):
        walk.step()
        if walk.loop.state.trouble:
            return False
    return True


def push(walk: Simulation, force: NDArray[np.float64], seconds: float) -> None:
    """Push the head now."""
    head = walk.character.head
    assert head is not None
    walk.loop.physics.push(head, force, seconds)


def count_survivors(seed: int, count: int, cases: list[tuple[float, float]]) -> NDArray[np.int64]:
    """Of one walk pushed at some instants from all sides:
    how many of each case still walk. (cases,).
    """
    rng = np.random.default_rng(seed)
    out = np.zeros(len(cases), int)
    walk = start_walk(seed)
    elapsed = 0.0
    for instant in np.sort(rng.uniform(*INSTANTS, count)):
        if not continue_walk(walk, instant - elapsed):
            return out
        elapsed = instant
        for k, (force, seconds) in enumerate(cases):
            for angle in 2 * np.pi * np.arange(SIDES) / SIDES:
                pushed = walk.branch()
                push(pushed, force * np.array([np.cos(angle), np.sin(angle), 0.0]), seconds)
                out[k] += continue_walk(pushed, OBSERVATION_TIME)
    return out


def print_pushes(instants: int = 50, force: float = 0.0, seconds: float = 0.1) -> None:
    """Prints the table of survivors."""
    cases = [(force, seconds)] if force else [(f, s) for s in DURATIONS for f in FORCES]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        walks = -(-instants // PUSHES_PER_WALK)
        counts = list(
            pool.map(
                count_survivors,
                range(walks),
                [min(PUSHES_PER_WALK, instants - PUSHES_PER_WALK * k) for k in range(walks)],
                [cases] * walks,
            )
        )
    print("| force | for | still walk |\n| --- | --- | --- |")
    for (f, s), alive in zip(cases, np.sum(counts, axis=0), strict=True):
        print(
            f"| {f:.0f} N | {s:g} s | {alive} of {SIDES * instants}, "
            f"{100 * alive / (SIDES * instants):.1f} % |"
        )


@dataclass(frozen=True)
class Steady:
    """One clip: when it fell, s, or None; means of its steps; speed of computing."""

    fell: str
    length: float
    seconds: float
    speed: float
    times_real: float


def measure_steady_run(name: str, seed: int, seconds: float) -> Steady:
    """Generate one clip and measure its steps."""
    motion = generate(find_scenario(f"preview-{name}").build_task(60.0, seconds, seed))
    steps = [f for f in motion.footsteps if f.strike > 0]
    lengths = [float(np.hypot(*(b.position - a.position)[:2])) for a, b in pairwise(steps)]
    times = [b.strike - a.strike for a, b in pairwise(steps)]
    distance = float(np.linalg.norm((motion.com[-1] - motion.com[0])[:2]))
    fell = next((note for note in motion.report.notes if "fallen" in note or "finite" in note), "")
    return Steady(
        fell,
        float(np.mean(lengths or [0])),
        float(np.mean(times or [0])),
        distance / seconds,
        seconds / motion.report.seconds["total"],
    )


def print_steady(seeds: int = 10, seconds: float = 60.0) -> None:
    """Prints how walk, run and stand hold."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        waits = {
            name: [pool.submit(measure_steady_run, name, seed, seconds) for seed in range(seeds)]
            for name in ("walk", "run", "stand")
        }
        for name, all_ in waits.items():
            clips = [wait.result() for wait in all_]
            upright = [f for f in clips if not f.fell]
            spans = [
                f"{min(v, default=0):.3f}-{max(v, default=0):.3f}"
                for v in ([f.length for f in upright], [f.seconds for f in upright])
            ]
            print(
                (
                    f"| {name} | {len(upright)} of {seeds} | {spans[0]} m | {spans[1]} s | "
                    f"{np.mean([f.times_real for f in clips]):.2f} x |"
                ),
                *(f.fell[:60] for f in clips if f.fell),
                flush=True,
            )


def print_ground(names: list[str], seeds: int = 10) -> None:
    """Prints of how many seeds a scenario's body still walks at its end, and how far it got."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        waits = {
            name: [pool.submit(measure_steady_run, name, seed, 10.0) for seed in range(seeds)]
            for name in names
        }
        for name, all_ in waits.items():
            clips = [wait.result() for wait in all_]
            distances = [10.0 * f.speed for f in clips if not f.fell]
            print(
                (
                    f"| {name} | {len(distances)} of {seeds} | "
                    f"{min(distances, default=0):.1f}-{max(distances, default=0):.1f} m |"
                ),
                *(f.fell[:60] for f in clips if f.fell),
                flush=True,
            )


@dataclass(frozen=True)
class ReplanningResult:
    """Result of a walk with a preview every `interval` control steps.

    Args:
        duration: until a fall or the end [s].
        error: mean distance of the center of mass from its plan [m].
        largest: maximum of that distance [m].
        times_real: simulated time per computing time.
    """

    interval: int
    duration: float
    error: float
    largest: float
    times_real: float


def measure_replanning(interval: int) -> ReplanningResult:
    """Walk and return the result."""
    walk = start_walk(0, interval)
    errors = list[float]()
    while walk.loop.state.time < WALK_TIME and not walk.loop.state.trouble:
        done = walk.step()
        errors.append(float(np.linalg.norm(done.planned_com - done.body_state.com)))
    clock = walk.loop.clock
    time = walk.loop.state.time
    return ReplanningResult(
        interval,
        time,
        float(np.mean(errors)),
        float(np.max(errors)),
        time / (clock.plan + clock.control + clock.physics),
    )


def draw_replanning(picture: str) -> None:
    """Print and draw tracking error and speed over the interval of previews (figure 6)."""
    from matplotlib import pyplot

    # Sequential, since they are timed.
    results = [measure_replanning(every) for every in REPLANNING_INTERVALS]
    for f in results:
        error_text = f"{1e3 * f.error:.1f} / {1e3 * f.largest:.0f} mm"
        print(
            f"| {f.interval or 'contacts'} | {f.times_real:.2f} | {error_text} | {f.duration:.1f} "
            "s |"
        )
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.2), constrained_layout=True)
    tick_positions = np.arange(len(results))
    for axes, values, label in (
        (left, [1e3 * f.error for f in results], "error of the center of mass, mm"),
        (right, [f.times_real for f in results], "speed by real time"),
    ):
        has_lasted = np.array([f.duration > WALK_TIME - 0.1 for f in results])
        axes.plot(tick_positions, values, color="0.6", zorder=1)
        axes.scatter(
            tick_positions[has_lasted],
            np.array(values)[has_lasted],
            color="tab:blue",
            zorder=2,
            label="walks on",
        )
        axes.scatter(
            tick_positions[~has_lasted],
            np.array(values)[~has_lasted],
            color="tab:red",
            marker="x",
            zorder=2,
            label="falls",
        )
        axes.set_xticks(
            tick_positions, [str(f.interval) if f.interval else "contacts" for f in results]
        )
        axes.set_xlabel("control steps from one preview to the next")
        axes.set_ylabel(label)
    left.legend(frameon=False)
    right.axhline(1.0, color="0.8", linewidth=1)
    figure.savefig(picture, dpi=110)


def main(what: str, *rest: str) -> None:
    """Run one part."""
    if what == "steady":
        print_steady(*(int(r) for r in rest[:1]), *(float(r) for r in rest[1:2]))
    elif what == "pushes":
        print_pushes(*(int(r) for r in rest[:1]), *(float(r) for r in rest[1:3]))
    elif what == "replanning":
        draw_replanning(rest[0])
    elif what == "ground":
        print_ground([r for r in rest if not r.isdigit()], *(int(r) for r in rest if r.isdigit()))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*(sys.argv[1:] or [""]))
