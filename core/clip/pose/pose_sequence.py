"""Poses acted out over time: a body that goes from one key pose to the next, each at its moment."""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline, PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from ...character.kinematic_model import KinematicModel
from ..style.style import Style
from .key_pose import key_pose
from .pose import style_poses

Array = NDArray[np.float64]

DT = 0.01             # s between samples
SMOOTH = 0.025        # s over which the corners at the keys are rounded
APART = 0.04          # s between keys at least


@dataclass(frozen=True)
class Cast:
    """The key poses of a body, each as a change from how it stands. (nv,) by name."""

    model: KinematicModel
    standing: Array       # (nq,)
    changes: dict[str, Array]

    @staticmethod
    def of(model: KinematicModel, style: Style, names: tuple[str, ...]) -> Cast:
        """A body that stands as a style has it, and named key poses."""
        legs = len(model.character.legs)
        standing = style_poses(model, style.curves(np.zeros(1)), np.zeros(1), np.zeros((1, legs)))[0]
        return Cast(model, standing, {name: model.difference(standing, key_pose(name).of(model, 0)) for name in names})

    def change(self, *shares: tuple[str, float]) -> Array:
        """A mix of key poses by their shares; what is missing to 1 is standing. (nv,)."""
        return np.sum([share * self.changes[name] for name, share in shares], axis=0) + np.zeros(self.model.nv)

    def height(self, change: Array) -> float:
        """Of the centre of mass over the lowest point of the soles, toes flat on the ground, m."""
        placed = self.model.place(self.model.integrate(self.standing[None], change[None]))
        lows = []
        for foot in self.model.character.feet:
            origin, rotation = placed.origin[0, foot.link], placed.rotation[0, foot.link]
            heel, pivot = ((origin + rotation @ p)[2] for p in (foot.heel, foot.pivot))
            lows.append(min(heel, pivot - (foot.pivot - foot.ball)[2]))
        return float(placed.com[0, 2] - np.mean(lows))

    @property
    def legs(self) -> Array:
        """Which degrees of freedom are the legs'. (nv,) of 0 and 1."""
        out, character = np.zeros(self.model.nv), self.model.character
        for leg in character.legs:
            for link in leg.links:
                out[self.model.joint_dofs(character.links[link].joint.name)] = 1.0
        return out

    def ahead(self) -> float:
        """How far the middle of the soles is in front of the centre of mass of the standing body, m."""
        placed = self.model.place(self.standing[None])
        return float(np.mean([(placed.origin[0, f.link] + placed.rotation[0, f.link] @ f.centre - placed.com[0])[0]
                              for f in self.model.character.feet]))


Keys = tuple[tuple[float, Array], ...]


@dataclass(frozen=True)
class Acted:
    """Key poses in order of time, gone through without stopping where the way leads on.

    Args:
        keys: moments, s, and changes from how the body stands, (nv,); of the legs, and of all the rest.
        end: up to which poses can be asked for, s.
    """

    cast: Cast
    keys: tuple[Keys, Keys]
    end: float

    def at(self, times: Array) -> Array:
        """Poses with the root at the origin and the heading along x. (n,) -> (n, nq)."""
        return self.cast.model.integrate(np.tile(self.cast.standing, (len(times), 1)), self._curve(np.clip(times, 0.0, self.end)))

    @cached_property
    def _curve(self) -> CubicSpline:
        time, legs = np.arange(0.0, self.end + DT, DT), self.cast.legs
        drawn = legs * _through(self.keys[0], time) + (1 - legs) * _through(self.keys[1], time)
        return CubicSpline(time, gaussian_filter1d(drawn, SMOOTH / DT, axis=0, mode="nearest"))


def _through(keys: Keys, time: Array) -> Array:
    """Changes over time, through keys in order. (n,) -> (n, nv)."""
    kept: list[tuple[float, Array]] = []
    for key in sorted(keys, key=lambda key: key[0]):
        if not kept or key[0] - kept[-1][0] > APART:
            kept.append(key)
    moments = np.array([t for t, _ in kept])
    return np.asarray(PchipInterpolator(moments, np.stack([c for _, c in kept]))(np.clip(time, moments[0], moments[-1])))
