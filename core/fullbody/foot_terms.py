"""Terms and contacts of one foot in the full body's cost."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..character.character import Foot
from ..character.kinematic_model import Centroidal
from ..geometry import so3
from .foot_path import FootPath, Hold
from .stride_path import held_point
from .weights import BodyWeights

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootTerms:
    """What a foot's path asks for at n frames, prepared once for all expansions."""

    leg: int
    origin: Array             # (n, 3) wished for
    turned_back: Array        # (n, 3, 3) inverse of the rotation wished for; of a flat foot, of the one where it rests
    place: Array              # (n, 3) roots of weights
    turn: Array               # (n, 1) root of the weight
    point: Array              # (n, 3) of the foot that rests, in its frame
    anchor: Array             # (n, 3) where it rests
    count: NDArray[np.int64]  # (n,) contact rows in use

    held: Array               # (3,) in its frame, that the origin wished for is a place of
    across: Array | None      # (n, 3, 3) to the left, up and forward where the foot rests, of one that may tilt sideways

    @staticmethod
    def of(leg: int, foot: Foot, path: FootPath, w: BodyWeights, tilts: bool = False) -> FootTerms:
        """Prepare the terms of one path.

        Args:
            tilts: the ankle has no joint to keep the sole level sideways, which then rests on its middle line.
        """
        hold = path.hold
        wished = np.where((hold == Hold.FLAT)[:, None, None], path.rest, path.rotation)
        swing, on_heel = hold == Hold.SWING, (hold == Hold.HEEL)[:, None]
        middle = np.array([w.swing_along_middle, w.swing_along_middle, w.swing_height_middle])
        firm = middle * (w.swing_place / middle) ** path.firm[:, None]                      # (n, 3)
        raised = np.clip(_pitch(path) / w.ball_low, 0, 1)
        on_ball = w.ball_turn_low * (w.ball_turn / w.ball_turn_low) ** raised
        turn = np.choose(hold, [w.swing_turn, w.heel_turn, 0.0, on_ball, 0.0]) * (not foot.is_point)
        return FootTerms(leg, path.origin, np.swapaxes(wished, 1, 2), np.sqrt(np.where(swing[:, None], firm, 0.0)),
                         np.sqrt(turn)[:, None], np.where(on_heel, foot.heel, foot.middle if foot.is_point else foot.pivot),
                         np.where(on_heel, path.heel, path.pivot), np.choose(hold, [0, 3, 5 if tilts else 6, 3, 0]),
                         held_point(foot), np.swapaxes(path.rest[..., [1, 2, 0]], 1, 2) if tilts else None)

    def expand(self, c: Centroidal, rows: Array, residual: Array) -> tuple[Array, Array]:
        """Write soft rows (n, 6, nv) and residuals (n, 6); contact rows (n, 6, nv) and errors (n, 6), linear ones first."""
        origin, rotation = c.foot_origin[:, self.leg], c.foot_rotation[:, self.leg]
        jacobian = c.foot_jacobian[:, self.leg]
        off = so3.log(rotation @ self.turned_back)                                          # world axes
        placed, moved = origin, jacobian[:, :3]
        if self.held.any():
            reach = (rotation @ self.held[:, None])[..., 0]                                 # (n, 3)
            placed, moved = origin + reach, moved - so3.hat(reach) @ jacobian[:, 3:]
        rows[:, :3], rows[:, 3:] = moved * self.place[..., None], jacobian[:, 3:] * self.turn[..., None]
        residual[:, :3], residual[:, 3:] = (placed - self.origin) * self.place, off * self.turn
        arm = (rotation @ self.point[..., None])[..., 0]                                    # (n, 3)
        hard = jacobian.copy()
        hard[:, :3] -= so3.hat(arm) @ jacobian[:, 3:]
        if self.across is not None:
            hard[:, 3:], off = self.across @ hard[:, 3:], (self.across @ off[..., None])[..., 0]
        return hard, np.concatenate([origin + arm - self.anchor, off], 1)


def _pitch(path: FootPath) -> Array:
    """Return by how much a heel is up against the foot's rest. (n,) rad."""
    ahead, up = path.rest[..., 0], path.rest[..., 2]
    forward = path.rotation[..., 0]
    return np.asarray(-so3.angle((forward * up).sum(-1), (forward * ahead).sum(-1)))
