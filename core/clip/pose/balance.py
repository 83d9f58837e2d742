"""Legs under the body: a style that leans carries its hips so far back or forward that its feet stand where it says."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...character.kinematic_model import KinematicModel
from ..style.knobs import move_hips
from ..style.style import LEGS, ROWS, Cycle, Style
from .pose import style_poses

Array = NDArray[np.float64]

STOOD = np.linspace(0.25, 0.75, 7)      # shares of a contact over which feet and body are compared
ROUNDS = 2            # of moving the hips: the mass of the legs goes with them
FARTHEST = 0.2        # leg lengths that hips are moved at most


def balanced(model: KinematicModel, style: Style) -> Style:
    """Return a style whose feet stand as far behind the centre of mass of this body as its cycles say."""
    cycles, standing = style.cycles, style.standing
    for _ in range(ROUNDS):
        tried = replace(style, cycles=cycles, stood=standing)
        off = _offsets(model, tried)
        standing = _moved(standing, float(off[0]))
        cycles = tuple(_moved(cycle, float(back)) for cycle, back in zip(cycles, off[1:], strict=True))
    return replace(style, cycles=cycles, stood=standing)


def _moved(cycle: Cycle, back: float) -> Cycle:
    """Return a cycle with its hips moved back, leg lengths."""
    table = cycle.curves.copy()
    for side in ("", ".R"):
        move_hips(table, [ROWS.index(name + side) for name in LEGS], down=0.0, back=float(np.clip(back, -FARTHEST, FARTHEST)))
    return replace(cycle, curves=table)


def _offsets(model: KinematicModel, style: Style) -> Array:
    """Return how much farther the centre of mass of each cycle is ahead of its standing feet than it says, leg lengths. (k,).

    A body that stands has it over the middle of its soles.
    """
    character, keys = model.character, style.keys
    cycles = (style.standing, *style.cycles)
    each = np.repeat(np.arange(len(keys)), len(STOOD))
    duty = np.array([cycle.duty for cycle in cycles])[each]
    phase = np.tile(STOOD, len(keys)) * duty
    curves, later = style.curves(keys)[each], style.later(keys)[each]
    out = []
    for leg, foot in zip(character.legs, character.feet, strict=True):
        others = 0.5 + leg.side * later
        phases = np.stack([phase if other is leg else phase + others for other in character.legs], -1)
        placed = model.place(style_poses(model, curves, np.zeros(len(each)), phases, later))
        turn = placed.rotation[:, foot.link]
        rests = np.where((turn[:, 2, 0] < 0)[:, None], foot.pivot, foot.heel)                 # on its ball or its heel
        stands = placed.origin[:, foot.link] + (turn @ rests[..., None])[..., 0] - rests + foot.centre
        travel = (phase - 0.5 * duty) * np.array([cycle.stride * (cycle.speed > 0) for cycle in cycles])[each]
        out.append((placed.com - stands)[:, 0] / character.leg_length - travel)
    ahead = np.mean(out, 0).reshape(len(keys), -1).mean(1)
    off = ahead - np.array([cycle.behind * (cycle.speed > 0) for cycle in cycles])
    # one that hops flies from behind its feet to before them
    return np.where([cycle.together for cycle in cycles], 0.0, off)
