"""How a robot stands: as its file says, or with its feet on the ground and its knees bent."""
from __future__ import annotations

from itertools import pairwise

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from ...errors import CharacterError
from .limbs import Chain, legs_of
from .solids import ending, sole_of
from .tree import HINGE, RobotTree

Array = NDArray[np.float64]

POSES = ("home", "stand", "standing", "default")       # names of key poses, the first that is there counts
ANKLE = 0.25                   # of a leg's length, within which of its end its last joint is an ankle
ACROSS = 0.7                   # cosine between a hinge and the normal of a leg's plane, above which it bends the leg in it
BEND = 0.8                     # rad that a knee is bent by
UPRIGHT = 0.5                  # of a leg's length from hip to foot that must be height, for it to stand rather than sprawl
OUT, DOWN = 0.65, 0.45         # of its length that a sprawling leg reaches out and down
PLACE, ALIKE, LEVEL = 20.0, 0.3, 5.0       # weights: a foot's place by leg lengths, angles near those wished, soles level
MISSED = 0.05                  # leg lengths from its wished place at which a foot has not found it


def stand(tree: RobotTree) -> None:
    """Put a robot into the pose in which it naturally stands.

    Raises:
        CharacterError: the file names no pose, and no feet can be brought to the ground.
    """
    named = {tree.model.key(k).name: k for k in range(tree.model.nkey)}
    key = next((named[name] for name in POSES if name in named), 0 if tree.model.nkey else None)
    if key is not None:
        pose = tree.model.key_qpos[key].copy()
        tree.set_pose(pose)
        return
    pose = _within_ranges(tree, tree.model.qpos0.copy())
    tree.set_pose(pose)
    legs = legs_of(tree)
    rows = max(leg.row for leg in legs)
    searches = [_Leg(tree, leg, rows) for leg in legs]
    bent = pose.copy()
    for search in searches:
        bent[search.q] = search.seed
    tree.set_pose(bent)
    height = float(np.mean([ending(tree, leg.links[-1]).lowest[2] for leg in legs if _Leg.upright_of(tree, leg)] or [np.nan]))
    for search in searches:
        bent[search.q] = search.settle(bent, height)
    tree.set_pose(bent)
    tree.notes.append("the file names no pose to stand in; knees were bent and feet set on the ground")


def _within_ranges(tree: RobotTree, pose: Array) -> Array:
    for k in range(tree.model.njnt):
        if tree.model.jnt_type[k] == HINGE and tree.model.jnt_limited[k]:
            q = tree.model.jnt_qposadr[k]
            pose[q] = np.clip(pose[q], *tree.model.jnt_range[k])
    return pose


class _Leg:
    """The search for one leg's angles, about the pose in which the tree is when it is made."""

    def __init__(self, tree: RobotTree, leg: Chain, rows: int) -> None:
        self.tree, self.leg = tree, leg
        model = tree.model
        self.joints = [k for link in leg.links for k in tree.movers[link].joints if model.jnt_type[k] == HINGE]
        self.q = model.jnt_qposadr[self.joints]
        rest = tree.pose[self.q]
        limited = model.jnt_limited[self.joints].astype(bool)[:, None]
        self.low, self.high = np.where(limited, model.jnt_range[self.joints], np.stack([rest - np.pi, rest + np.pi], 1)).T
        self.hip = tree.joint_place(leg.links[0])
        tip = ending(tree, leg.links[-1]).lowest
        stations = [tree.joint_place(link) for link in leg.links] + [tip]
        self.length = float(sum(np.linalg.norm(b - a) for a, b in pairwise(stations)))
        self.upright = self.upright_of(tree, leg)
        away = tip - self.hip
        out = np.array([1.0, 0.0, 0.0]) if self.upright else np.array([away[0], away[1], 0.0]) / np.hypot(*away[:2])
        # a leg of fewer hinges cannot choose its foot's place, only its height
        self.counts = np.array([1.0, 1.0, 1.0]) if len(self.joints) >= 3 else np.array([0.05, 0.05, 1.0])
        self.up = self._foot_axes().T[:, 2].copy()               # in the foot's frame
        self.target = tip.copy() if self.upright else self.hip + self.length * (OUT * out - [0, 0, DOWN])
        end = ending(tree, leg.links[-1])
        self.is_point = bool(np.linalg.norm(tip - stations[-2]) > ANKLE * self.length) or (
            end.known and sole_of(end, self.length) is None)
        if self.upright and self.is_point:
            self.target[0] = self._swung_from()
        self.seed = self._bent(rest, np.cross([0.0, 0.0, 1.0], out), stations, rows)

    def _swung_from(self) -> float:
        """Place along x of the hinge that swings the leg forward and back, under which a point stands; else of the hip."""
        places = [self.tree.place(self.tree.data.xanchor[k])[0] for k in self.joints
                  if abs(self.tree.directions(self.tree.data.xaxis[k][:, None])[1, 0]) > ACROSS]
        return float(places[0] if places else self.hip[0])

    @staticmethod
    def upright_of(tree: RobotTree, leg: Chain) -> bool:
        """Whether a leg stands below its hip rather than beside it."""
        away = ending(tree, leg.links[-1]).lowest - tree.joint_place(leg.links[0])
        return bool(-away[2] > UPRIGHT * np.linalg.norm(away))

    def _bent(self, rest: Array, normal: Array, stations: list[Array], rows: int) -> Array:
        """Angles with the knee bent in the leg's plane, as its range has it; else forward, of many legs towards the middle."""
        turns = self.tree.directions(self.tree.data.xaxis[self.joints].T).T @ normal             # (k,)
        place = np.array([self.tree.place(self.tree.data.xanchor[k]) for k in self.joints])
        bending = [k for k in range(len(self.joints)) if abs(turns[k]) > ACROSS]
        out = rest.copy()
        inner = [k for k in bending[1:] if np.linalg.norm(place[k] - place[bending[0]]) > 0.1 * self.length]
        if not inner:
            return out
        middle = 0.5 * (place[bending[0]] + stations[-1])
        knee = min(inner, key=lambda k: float(np.linalg.norm(place[k] - middle)))
        sign = -1.0 if self.upright and rows > 0 and self.leg.row == rows else 1.0
        room = sorted(float(np.sign(turns[knee]) * (end - rest[knee])) for end in (self.low[knee], self.high[knee]))
        if -room[0] < 0.5 * BEND or room[1] < 0.5 * BEND:
            sign = 1.0 if room[1] > -room[0] else -1.0
        for k in bending:
            share = 1.0 if k == knee else -0.5 if k == bending[0] or k > knee else 0.0
            out[k] += share * sign * BEND * np.sign(turns[k])
        return np.clip(out, self.low, self.high)

    def _foot_axes(self) -> Array:
        return self.tree.data.xmat[self.tree.movers[self.leg.links[-1]].bodies[0]].reshape(3, 3)

    def settle(self, pose: Array, height: float) -> Array:
        """Angles near the bent ones with the foot at its place, upright legs at a height below the root, and its sole level."""
        target = self.target.copy()
        if self.upright:
            target[2] = height

        def off(angles: Array) -> Array:
            now = pose.copy()
            now[self.q] = angles
            self.tree.data.qpos[:] = now
            mujoco.mj_kinematics(self.tree.model, self.tree.data)
            tilt = self._foot_axes() @ self.up - [0.0, 0.0, 1.0]
            return np.concatenate([PLACE / self.length * self.counts * (ending(self.tree, self.leg.links[-1]).lowest - target),
                                   ALIKE * (angles - self.seed), (not self.is_point) * LEVEL * tilt])

        start = np.clip(self.seed, self.low, self.high)
        found = least_squares(off, start, bounds=(self.low - 1e-9, self.high + 1e-9)).x
        miss = float(np.linalg.norm(off(found)[:3])) / PLACE
        if miss > MISSED:
            foot = self.tree.movers[self.leg.links[-1]].name
            raise CharacterError(f"No pose was found in which {self.tree.name} stands: the foot {foot!r} misses its place by "
                                 f"{miss * self.length:.2f} m. Add a key pose named 'home' to the file.")
        return np.clip(found, self.low, self.high)
