"""The figures of docs/preview.md: how often the simulated body does what it is asked, and where it falls.

Usage: preview_figures.py steady [SEEDS [SECONDS]]            walk, run and stand
       preview_figures.py pushes [INSTANTS [FORCE SECONDS]]   on the head, from eight sides; all forces unless one is told
       preview_figures.py replanning PICTURE                  figure 6 of the paper
       preview_figures.py ground SCENARIO... [SEEDS]          whether it gets to the other side

A run has passed if nothing but feet touched the ground, the head stayed above half its height and the physics told no number that
is not finite. Everything runs on all cores; `pushes` takes hours for all forces at 50 instants.
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
from footfall.core.scenarios.scenarios import scenario
from numpy.typing import NDArray

FORCES, LASTS = (100.0, 200.0, 300.0, 400.0, 500.0), (0.1, 0.2)      # N, s
SIDES = 8
WITHIN = 3.0              # s after a push, in which a body has fallen or has not
INSTANTS = (4.0, 9.0)     # s after standing, from and to which a walk is pushed
A_WALK = 5                # instants of each walk that are pushed: the next ones are those of another seed
EVERY = (1, 2, 5, 10, 25, 50, 100, 0)        # looks from one preview to the next, 0 for contacts only
WALKS = 20.0              # s


def walking(seed: int, every: int = 1) -> Simulation:
    """A walk of a minute that has not begun yet."""
    return Simulation(scenario("preview-walk").task(seconds=60.0, seed=seed), every)


def go(walk: Simulation, seconds: float) -> bool:
    """Walk on; returns whether it still does."""
    for _ in range(round(seconds / walk.loop.step)):
        walk.look()
        if walk.loop.state.trouble:
            return False
    return True


def push(walk: Simulation, force: NDArray[np.float64], seconds: float) -> None:
    """On the head, at once."""
    head = walk.character.head
    assert head is not None
    walk.loop.physics.push(head, force, seconds)


def survivors(seed: int, count: int, cases: list[tuple[float, float]]) -> NDArray[np.int64]:
    """Of one walk pushed at some instants from all sides: how many of each case still walk. (cases,)."""
    rng, out = np.random.default_rng(seed), np.zeros(len(cases), int)
    walk, gone = walking(seed), 0.0
    for instant in np.sort(rng.uniform(*INSTANTS, count)):
        if not go(walk, instant - gone):
            return out
        gone = instant
        for k, (force, seconds) in enumerate(cases):
            for angle in 2 * np.pi * np.arange(SIDES) / SIDES:
                pushed = walk.branch()
                push(pushed, force * np.array([np.cos(angle), np.sin(angle), 0.0]), seconds)
                out[k] += go(pushed, WITHIN)
    return out


def pushes(instants: int = 50, force: float = 0.0, seconds: float = 0.1) -> None:
    """Prints the table of survivors."""
    cases = [(force, seconds)] if force else [(f, s) for s in LASTS for f in FORCES]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        walks = -(-instants // A_WALK)
        found = list(pool.map(survivors, range(walks), [min(A_WALK, instants - A_WALK * k) for k in range(walks)], [cases] * walks))
    print("| force | for | still walk |\n| --- | --- | --- |")
    for (f, s), alive in zip(cases, np.sum(found, axis=0), strict=True):
        print(f"| {f:.0f} N | {s:g} s | {alive} of {SIDES * instants}, {100 * alive / (SIDES * instants):.1f} % |")


@dataclass(frozen=True)
class Steady:
    """One clip: when it fell, s, or None; means of its steps; speed of computing."""

    fell: str
    length: float
    seconds: float
    speed: float
    times_real: float


def steady_run(name: str, seed: int, seconds: float) -> Steady:
    """Generate one clip and measure its steps."""
    motion = generate(scenario(f"preview-{name}").task(60.0, seconds, seed))
    steps = [f for f in motion.footsteps if f.strike > 0]
    lengths = [float(np.hypot(*(b.position - a.position)[:2])) for a, b in pairwise(steps)]
    times = [b.strike - a.strike for a, b in pairwise(steps)]
    gone = float(np.linalg.norm((motion.com[-1] - motion.com[0])[:2]))
    fell = next((note for note in motion.report.notes if "fallen" in note or "finite" in note), "")
    return Steady(fell, float(np.mean(lengths or [0])), float(np.mean(times or [0])), gone / seconds,
                  seconds / motion.report.seconds["total"])


def steady(seeds: int = 10, seconds: float = 60.0) -> None:
    """Prints how walk, run and stand hold."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        waits = {name: [pool.submit(steady_run, name, seed, seconds) for seed in range(seeds)] for name in ("walk", "run", "stand")}
        for name, all_ in waits.items():
            found = [wait.result() for wait in all_]
            held = [f for f in found if not f.fell]
            spans = [f"{min(v, default=0):.3f}-{max(v, default=0):.3f}" for v in ([f.length for f in held],
                                                                           [f.seconds for f in held])]
            print(f"| {name} | {len(held)} of {seeds} | {spans[0]} m | {spans[1]} s | "
                  f"{np.mean([f.times_real for f in found]):.2f} x |", *(f.fell[:60] for f in found if f.fell), flush=True)


def ground(names: list[str], seeds: int = 10) -> None:
    """Prints of how many seeds a scenario's body still walks at its end, and how far it got."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        waits = {name: [pool.submit(steady_run, name, seed, 10.0) for seed in range(seeds)] for name in names}
        for name, all_ in waits.items():
            found = [wait.result() for wait in all_]
            far = [10.0 * f.speed for f in found if not f.fell]
            print(f"| {name} | {len(far)} of {seeds} | {min(far, default=0):.1f}-{max(far, default=0):.1f} m |",
                  *(f.fell[:60] for f in found if f.fell), flush=True)


@dataclass(frozen=True)
class Replanned:
    """A walk that makes a preview every so many looks."""

    every: int
    lasted: float             # s
    error: float              # m, mean
    largest: float            # m
    times_real: float


def replanned(every: int) -> Replanned:
    """Walk and measure."""
    walk, errors = walking(0, every), list[float]()
    while walk.loop.state.time < WALKS and not walk.loop.state.trouble:
        done = walk.look()
        errors.append(float(np.linalg.norm(done.com - done.reading.com)))
    clock, time = walk.loop.clock, walk.loop.state.time
    return Replanned(every, time, float(np.mean(errors)), float(np.max(errors)),
                     time / (clock.plan + clock.control + clock.physics))


def replanning(picture: str) -> None:
    """Prints and draws figure 6: tracking error and speed over the looks from one preview to the next."""
    from matplotlib import pyplot

    found = [replanned(every) for every in EVERY]           # one after the other: they are timed
    for f in found:
        off = f"{1e3 * f.error:.1f} / {1e3 * f.largest:.0f} mm"
        print(f"| {f.every or 'contacts'} | {f.times_real:.2f} | {off} | {f.lasted:.1f} s |")
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.2), constrained_layout=True)
    at = np.arange(len(found))
    for axes, values, label in ((left, [1e3 * f.error for f in found], "error of the centre of mass, mm"),
                                (right, [f.times_real for f in found], "speed by real time")):
        held = np.array([f.lasted > WALKS - 0.1 for f in found])
        axes.plot(at, values, color="0.6", zorder=1)
        axes.scatter(at[held], np.array(values)[held], color="tab:blue", zorder=2, label="walks on")
        axes.scatter(at[~held], np.array(values)[~held], color="tab:red", marker="x", zorder=2, label="falls")
        axes.set_xticks(at, [str(f.every) if f.every else "contacts" for f in found])
        axes.set_xlabel("looks from one preview to the next")
        axes.set_ylabel(label)
    left.legend(frameon=False)
    right.axhline(1.0, color="0.8", linewidth=1)
    figure.savefig(picture, dpi=110)


def main(what: str, *rest: str) -> None:
    """The part that was asked for."""
    if what == "steady":
        steady(*(int(r) for r in rest[:1]), *(float(r) for r in rest[1:2]))
    elif what == "pushes":
        pushes(*(int(r) for r in rest[:1]), *(float(r) for r in rest[1:3]))
    elif what == "replanning":
        replanning(rest[0])
    elif what == "ground":
        ground([r for r in rest if not r.isdigit()], *(int(r) for r in rest if r.isdigit()))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*(sys.argv[1:] or [""]))
