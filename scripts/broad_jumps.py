"""Broad jumps of the planar biped with and without the policy of the foot rotation indicator.

Usage: broad_jumps.py [PICTURE [JUMPS]]

Abe and Popović 2011, figures 6 and 7. Prints how many jumps succeed with the policy, without it,
and at several speeds, and draws return maps, policy and value function.
"""

from __future__ import annotations

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_character
from footfall.core.engine.tracker.biped import PlanarBiped
from footfall.core.engine.tracker.jumps.fit import fit_jumper
from footfall.core.engine.tracker.jumps.jumper import ChoosePlace, Jumper
from footfall.core.engine.tracker.jumps.parameters import JUMP_POLICY, JumpGoal
from footfall.core.engine.tracker.jumps.policy import JumpPolicy
from footfall.core.engine.tracker.jumps.series import JumpSeries, record_jumps
from footfall.core.engine.tracker.path_ground import PathGround
from footfall.core.engine.tracker.side_view import SideView
from footfall.core.engine.tracker.simulation import PlanarSimulation
from numpy.typing import NDArray

Array = NDArray[np.float64]

FITTED_JUMPS = 25  # number of jumps at each of the speeds
CONSTANT_PLACE = -0.15  # of the indicator without a policy, from the toes [m]
SPEEDS = (0.65, 0.75, 0.9, 1.0, 1.15, 1.27)  # on level ground [m/s]
UPHILL_SPEEDS = (0.8, 1.0, 1.2)  # [m/s]


def find_return_map(jumper: Jumper, rates: Array) -> Array:
    """Return the rates with which the body begins its second jump; NaN where it falls."""
    out = np.full(len(rates), np.nan)
    for k, rate in enumerate(rates):
        series = record_jumps(jumper, jumper.start(float(rate)), 2)
        if len(series.rates) > 1 and not series.is_fallen:
            out[k] = series.rates[1]
    return out


def draw(maps: dict[str, Array], rates: Array, policy: JumpPolicy, picture: str) -> None:
    """Draw figure 7: return maps, policy and value function."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 4, figsize=(13, 3.4), layout="constrained")
    for axis, (name, after) in zip(axes, maps.items(), strict=False):
        axis.plot(rates, rates, color="tab:green")
        axis.plot(rates, after, ".-", color="tab:red")
        axis.set(xlabel="rate before, m/s", ylabel="rate after, m/s", title=name)
    failing = policy.value > 0.5 * JUMP_POLICY.most_rate
    extent = (policy.phases[0], policy.phases[-1], policy.rates[0], policy.rates[-1])
    for axis, values, name in (
        (axes[2], policy.place, "indicator, m from the toes"),
        (axes[3], policy.value, "value, m/s"),
    ):
        shown = np.where(failing, np.nan, values).T
        image = axis.imshow(shown, origin="lower", extent=extent, aspect="auto")
        figure.colorbar(image, ax=axis)
        axis.set(xlabel="phase, m", ylabel="rate, m/s", title=name)
    figure.savefig(picture, dpi=90)


def describe(series: JumpSeries) -> str:
    """Return number, speed, length, time and flight of the jumps of a series as table cells."""
    return (
        f"{series.jumps} | {series.speed:.2f} m/s | {series.length:.2f} m | "
        f"{series.seconds:.2f} s | {series.air_seconds:.2f} s"
    )


def main(picture: str | None = None, count: str = "100") -> None:
    """Print the numbers of jumps, and draw the figure into a file."""
    biped = PlanarBiped(SideView.from_model(KinematicModel(load_character("humanoid"))), 9.81)
    goal = JumpGoal.at_speed(biped, 1.0)
    policy = JumpPolicy.optimize(biped, goal)
    flat = PlanarSimulation(biped, PathGround.level())
    uphill = PlanarSimulation(biped, PathGround.slope(np.radians(3.0), 3.0))

    def stay(phase: float, rate: float) -> float:
        return CONSTANT_PLACE

    choices: dict[str, ChoosePlace] = {"policy": policy.choose, "constant": stay}
    print("| indicator | ground | jumps | speed | length | time | in the air |\n| " + "--- | " * 7)
    for name, choose in choices.items():
        for where, ground in (("level", flat), ("3 degrees up", uphill)):
            jumper = Jumper(ground, goal, choose)
            series = record_jumps(jumper, jumper.start(1.0), int(count) if ground is flat else 25)
            print(f"| {name} | {where} | {describe(series)} |", flush=True)
    for where, ground, speeds in (("level", flat, SPEEDS), ("3 degrees up", uphill, UPHILL_SPEEDS)):
        for speed in speeds:
            jumper = fit_jumper(ground, speed)
            series = record_jumps(jumper, jumper.start(jumper.goal.shape.rate), FITTED_JUMPS)
            print(f"| policy for {speed} m/s | {where} | {describe(series)} |", flush=True)
    if picture is not None:
        rates = np.linspace(0.7, 1.4, 15)
        maps = {
            f"{name} indicator": find_return_map(Jumper(flat, goal, choose), rates)
            for name, choose in reversed(choices.items())
        }
        draw(maps, rates, policy, picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
