"""Balance of a style: shifts of the hips that put the feet where the style has them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ..style.knobs import move_hips
from ..style.style import LEG_CURVES, ROWS, Cycle, Style
from .foot_sweep import locate_sole_center
from .pose import compute_style_poses

Array = NDArray[np.float64]

# Times at which feet and body are compared [shares of a contact].
STANCE_SHARES = np.linspace(0.25, 0.75, 7)
# Number of iterations, needed since a shift of the hips also moves the mass of the legs.
ITERATIONS = 2
# Largest shift of the hips [leg lengths], a foot's length, beyond which legs do not reach their
# steps
MAX_HIP_SHIFT = 0.2


def balance_style(model: KinematicModel, style: Style) -> Style:
    """Return a style whose feet on this body are as far behind the center of mass as specified.

    The distance is `Cycle.behind`.
    """
    cycles = style.cycles
    standing = style.standing
    for _ in range(ITERATIONS):
        candidate = replace(style, cycles=cycles, custom_standing=standing)
        offsets = _compute_foot_offsets(model, candidate)
        standing = _shift_hips(standing, float(offsets[0]))
        cycles = tuple(
            _shift_hips(cycle, float(back)) for cycle, back in zip(cycles, offsets[1:], strict=True)
        )
    return replace(style, cycles=cycles, custom_standing=standing)


def _shift_hips(cycle: Cycle, back: float) -> Cycle:
    """Return a cycle with the hips shifted back by `back` [leg lengths]."""
    table = cycle.curves.copy()
    for side in ("", ".R"):
        move_hips(
            table,
            [ROWS.index(name + side) for name in LEG_CURVES],
            down=0.0,
            back=float(np.clip(back, -MAX_HIP_SHIFT, MAX_HIP_SHIFT)),
        )
    return replace(cycle, curves=table)


def _compute_foot_offsets(model: KinematicModel, style: Style) -> Array:
    """Return the excess distance of the center of mass in front of the feet, (k,) [leg lengths].

    The excess is relative to `Cycle.behind`, of the standing body to the middle of its soles.
    The k cycles are the standing one and those of the style.
    """
    character = model.character
    keys = style.keys
    cycles = (style.standing, *style.cycles)
    cycle_index = np.repeat(np.arange(len(keys)), len(STANCE_SHARES))
    duty = np.array([cycle.duty for cycle in cycles])[cycle_index]
    phase = np.tile(STANCE_SHARES, len(keys)) * duty
    curves = style.curves_at(keys)[cycle_index]
    right_delay = style.right_delay_at(keys)[cycle_index]
    leg_offsets = []
    for leg, foot in zip(character.legs, character.feet, strict=True):
        other_phase = 0.5 + leg.side * right_delay
        phases = np.stack(
            [phase if other is leg else phase + other_phase for other in character.legs], -1
        )
        placed = model.compute_link_poses(
            compute_style_poses(
                model, curves, np.zeros(len(cycle_index)), phases=phases, right_delay=right_delay
            )
        )
        sole_center = locate_sole_center(placed, foot)
        travel = (phase - 0.5 * duty) * np.array(
            [cycle.stride * (cycle.speed > 0) for cycle in cycles]
        )[cycle_index]
        leg_offsets.append((placed.com - sole_center)[:, 0] / character.leg_length - travel)
    com_ahead = np.mean(leg_offsets, 0).reshape(len(keys), -1).mean(1)
    offsets = com_ahead - np.array([cycle.behind * (cycle.speed > 0) for cycle in cycles])
    # The center of mass of a hop moves from behind the feet to in front of them.
    return np.where([cycle.is_hop for cycle in cycles], 0.0, offsets)
