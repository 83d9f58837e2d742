"""Feet of the whole body: exact where they rest, and as in the plane in their swings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...character.character import Foot
from ...character.kinematic_model import KinematicModel
from ...fullbody.foot_path import FootPath, FootSupport
from ...geometry import so3
from ...geometry.curves import smootherstep
from ...geometry.spans import find_spans
from ...motion import Footstep
from .biped import FOOT_1
from .footings import Footing, PlanarFoot
from .input_cycle import FootPlace
from .input_walk import solve_leg
from .record import WalkRecord
from .side_view import SideView

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FootMotionParameters:
    """How feet follow the planar walk.

    Args:
        ankle_margin: distance of ankles from the end of their range [rad]; the body of whole links
            bends its ankles up to so much more than the planar one.
        ankle_rounds: number of times that a heel is raised for it. Numerical: as the ankle rises
            with the heel the shin turns, so that each round leaves a part of the excess.
        min_contact: shortest contact of a foot [s]; one of less is a touch of a swing.
        swing_time: time of a swing whose end is not simulated [s], that of human walks.
        rest_distance: distance from its place up to which heel or ball of a flat foot rest on
            ground that moves [m], half of the drift that resting points may have.
        settling: time steps after which a flat foot is at its place, since heel and toes land on
            different steps and the foot comes to rest after.
    """

    ankle_margin: float = 0.08
    ankle_rounds: int = 6
    min_contact: float = 0.05
    swing_time: float = 0.4
    rest_distance: float = 1e-3
    settling: int = 5


FOOT_MOTION = FootMotionParameters()
# Times before the record at which a foot that rests at its begin has landed, and was flat, and
# after it at which one that rests at its end lifts [s]. All that matters is that they are out of
# its frames, and in this order.
EARLIER_STRIKE = 1.0
EARLIER_FLAT = 0.9


@dataclass(frozen=True)
class PlanarFeet:
    """Contacts and paths of the feet of a planar walk.

    Args:
        model: body.
        view: its side view.
        record: planar walk.
        place_foot: place of the foot that lands as a step begins, by the number of the step and
            the leg.
        ankle_margin: distance of ankles from the end of their range [rad].
    """

    model: KinematicModel
    view: SideView
    record: WalkRecord
    place_foot: Callable[[int, int], FootPlace]
    ankle_margin: float = FOOT_MOTION.ankle_margin

    def list_footsteps(self) -> tuple[Footstep, ...]:
        """Return the contacts of both legs in the order of their strikes."""
        return tuple(sorted((f for leg in self.by_leg for f in leg), key=lambda f: f.strike))

    @cached_property
    def by_leg(self) -> list[list[Footstep]]:
        """Contacts of each leg."""
        return [self._find_footsteps(leg) for leg in (0, 1)]

    def _find_footsteps(self, leg: int) -> list[Footstep]:
        """Return the contacts of a leg, each where its foot lies flat."""
        support = self.record.support[:, leg]
        time = self.record.time
        out = []
        for span in find_spans(support != FootSupport.SWING):
            begin = span.start
            last = span.stop - 1
            flat = np.flatnonzero(support[span] == FootSupport.FLAT) + begin
            if not flat.size or time[last] - time[begin] < FOOT_MOTION.min_contact:
                continue
            strike = time[begin] if begin else time[0] - EARLIER_STRIKE
            lift = time[last] if last < len(time) - 1 else time[-1] + EARLIER_STRIKE
            at_rest = flat[min(len(flat) // 2, FOOT_MOTION.settling)]
            flat = self._find_rest(leg, flat)
            heel_off = self._find_heel_off(leg, flat)
            out.append(
                Footstep(
                    leg,
                    float(strike),
                    float(time[flat[0]] if begin else time[0] - EARLIER_FLAT),
                    heel_off=float(time[heel_off]),
                    lift=float(lift),
                    position=self._locate_sole(leg, at_rest),
                    rotation=self._rotate_sole(leg, at_rest),
                )
            )
        return out

    def _find_rest(self, leg: int, flat: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return those time steps of a flat foot in which neither heel nor ball slides.

        As a heel sinks into ground that yields it turns the foot, whose ball then slides under
        little load; as the load moves to the ball, the heel slides before it lifts.

        Args:
            leg: leg.
            flat: time steps in which the foot is flat.
        """
        if not self.record.sole_station.size:
            return flat
        station = self.record.sole_station[flat, leg]
        is_off = np.abs(station - np.median(station, axis=0)) > FOOT_MOTION.rest_distance
        middle = len(flat) // 2
        ball_slides = np.flatnonzero(is_off[:middle, 1])
        heel_slides = np.flatnonzero(is_off[middle:, 0])
        begin = ball_slides[-1] + 1 if ball_slides.size else 0
        end = middle + heel_slides[0] if heel_slides.size else len(flat)
        return flat[begin : max(end, begin + 1)]

    def _find_heel_off(self, leg: int, flat: NDArray[np.int64]) -> int:
        """Return the last time step of a flat foot before its ankle comes to the end of its range.

        Args:
            leg: leg.
            flat: time steps in which the foot is flat.
        """
        shin, pitch = self.record.coordinates[flat, 4 + 3 * leg : 6 + 3 * leg].T
        is_bent = pitch - shin > self._find_ankle_limit(leg)
        return int(flat[max(int(np.argmax(is_bent)) - 1, 0)] if is_bent.any() else flat[-1])

    def _find_ankle_limit(self, leg: int) -> float:
        """Return the largest angle from the shin to the foot that is followed [rad]."""
        character = self.model.character
        ranges = character.links[character.legs[leg].links[2]].joint.ranges
        return -ranges[0][0] - self.ankle_margin if ranges else np.inf

    def _locate_sole(self, leg: int, index: int) -> Array:
        """Return the middle of heel and ball of a flat foot [m], (3,)."""
        q = self.record.coordinates[index]
        thigh, shin, pitch = q[3 + 3 * leg : 6 + 3 * leg]
        ankle = (
            complex(q[0], q[1])
            + self.view.thigh * np.exp(1j * thigh)
            + self.view.shin * np.exp(1j * shin)
        )
        foot = self.model.character.feet[leg]
        center = ankle + complex(foot.sole_center[0], foot.sole_center[2]) * np.exp(1j * pitch)
        return np.array([center.real, self._find_place(leg, index).lateral, center.imag])

    def _rotate_sole(self, leg: int, index: int) -> Array:
        pitch = self.record.coordinates[index, 2 + FOOT_1 + 3 * leg]
        yaw = self._find_place(leg, index).yaw
        return so3.rotation_about("y", -pitch) @ so3.rotation_about("z", yaw)

    def _find_place(self, leg: int, index: int) -> FootPlace:
        """Return the place of the foot of a leg that is flat at a time step.

        A foot that does not stand is one of a stand, before the first or after the last step.
        """
        record = self.record
        number = int(np.floor(record.cycle[index]))
        if record.leg[index] != leg:
            number += 1 if record.cycle[index] - number > 0.5 else -1
        return self.place_foot(number, leg)

    def _place_over_time(self, leg: int, times: Array) -> tuple[Array, Array]:
        """Return headings [rad] and distances to the left of the path [m] of a foot, each (n,).

        They are those of its contacts, and between them in its swings.
        """
        steps = self.by_leg[leg]
        if not steps:
            place = self.place_foot(0, leg)
            return np.full(len(times), place.yaw), np.full(len(times), place.lateral)
        ends = np.array([t for s in steps for t in (s.strike, s.lift)])
        yaw = np.repeat([_find_heading(s) for s in steps], 2)
        lateral = np.repeat([s.position[1] for s in steps], 2)
        return np.interp(times, ends, yaw), np.interp(times, ends, lateral)

    def _find_footing(
        self, leg: int, step: Footstep, times: Array, planar: tuple[Array, Array]
    ) -> Footing:
        """Return where a foot rests: where it is flat, or where the ground moves it.

        Args:
            leg: leg.
            step: contact.
            times: [s], shape (n,).
            planar: origins of the foot in the planar walk [m], (n, 3), and pitches [rad], (n,).
        """
        foot = self.model.character.feet[leg]
        if not self.record.surface.size:
            return Footing.on_firm_ground(foot, step, len(times))
        last = np.clip(step.heel_off, *self.record.time[[0, -1]])
        rest_pitch = self.record.interpolate(np.minimum(times, last))[:, 2 + FOOT_1 + 3 * leg]
        moved = PlanarFoot(*planar, rest_pitch, _find_heading(step))
        return Footing.on_moving_ground(foot, moved)

    def _raise_heel(self, leg: int, pivot: Array, q: Array, pitch: Array) -> Array:
        """Return pitches of a foot on its toes whose ankle stays within its range, shape (n,).

        Args:
            leg: leg.
            pivot: place of the joint of the toes [m], shape (n, 3).
            q: coordinates of the planar walk, shape (n, 9).
            pitch: of the foot in it [rad], shape (n,).
        """
        limit = self._find_ankle_limit(leg)
        toes = pivot[:, 0] + 1j * pivot[:, 2]
        hip = q[:, 0] + 1j * q[:, 1]
        out = pitch.copy()
        for _ in range(FOOT_MOTION.ankle_rounds):
            ankle = toes - self.view.toe * np.exp(1j * out)
            shin = solve_leg(ankle - hip, self.view)[1]
            out -= np.maximum(out - shin - limit, 0.0)
        return out

    def build_path(self, leg: int, times: Array) -> FootPath:
        """Return the path of a foot: exact where it rests, and as in the plane in its swings."""
        foot = self.model.character.feet[leg]
        q = self.record.interpolate(times)
        pitch = q[:, 2 + FOOT_1 + 3 * leg]
        heading, lateral = self._place_over_time(leg, times)
        yaw = so3.rotation_about("z", heading)
        path = FootPath.empty(len(times), FootSupport.SWING)
        rotation = so3.rotation_about("y", -pitch) @ yaw
        ankle = (
            q[:, 0]
            + 1j * q[:, 1]
            + self.view.thigh * np.exp(1j * q[:, 3 + 3 * leg])
            + self.view.shin * np.exp(1j * q[:, 4 + 3 * leg])
        )
        origin = np.stack([ankle.real, lateral, ankle.imag], 1)
        path = replace(path, rotation=rotation, origin=origin.copy(), rest_rotation=yaw)
        steps = self.by_leg[leg]
        for step in steps:
            footing = self._find_footing(leg, step, times, (origin, pitch))
            late = (times > step.heel_off) & (times <= step.lift)
            pitch[late] = self._raise_heel(leg, footing.pivot[late], q[late], pitch[late])
            _rest(path, foot, step, footing, times=times, pitch=pitch)
        for before, after in pairwise([*steps, *_expect_contact(steps)]):
            _join_swing(path, (times, origin), (before, after))
        return path


def _find_heading(step: Footstep) -> float:
    """Return the heading of a foot before it was pitched [rad]."""
    return float(np.arcsin(step.rotation[1, 0]))


def _rest(
    path: FootPath, foot: Foot, step: Footstep, footing: Footing, times: Array, pitch: Array
) -> None:
    """Write a contact into a path. Pitch of the foot in the plane [rad], shape (n,)."""
    on = np.flatnonzero((times >= step.strike) & (times <= step.lift))
    if not on.size:
        return
    t = times[on]
    is_early = t < step.flat
    is_late = t > step.heel_off
    relative = pitch[on] - footing.slope[on]
    relative = np.where(
        is_early, np.maximum(relative, 0.0), np.where(is_late, np.minimum(relative, 0.0), 0.0)
    )
    rotation = so3.rotation_about("y", -relative) @ footing.rotation[on]
    about_heel = footing.heel[on] - rotation @ foot.heel
    about_pivot = footing.pivot[on] - rotation @ foot.pivot
    path.rotation[on] = rotation
    path.origin[on] = np.where(is_early[:, None], about_heel, about_pivot)
    path.rest_rotation[on] = footing.rotation[on]
    path.heel[on] = footing.heel[on]
    path.pivot[on] = footing.pivot[on]
    path.toe_bend[on] = np.maximum(-relative, 0.0) * foot.has_toe
    path.support[on] = np.where(
        is_early, FootSupport.HEEL, np.where(is_late, FootSupport.BALL, FootSupport.FLAT)
    )


def _expect_contact(steps: list[Footstep]) -> list[Footstep]:
    """Return a contact after the last one, if there is any, at which the last swing may end."""
    return [replace(s, strike=s.lift + FOOT_MOTION.swing_time) for s in steps[-1:]]


def _join_swing(
    path: FootPath, planar: tuple[Array, Array], steps: tuple[Footstep, Footstep]
) -> None:
    """Move a swing of a path so that it begins and ends where the contacts have the foot.

    Args:
        path: with both contacts written.
        planar: times [s] and origins of the foot in the planar walk [m], (n, 3).
        steps: contacts before and after the swing.
    """
    times, origin = planar
    before, after = steps
    swing = np.flatnonzero((times > before.lift) & (times < after.strike))
    if not swing.size:
        return
    ends = []
    for frame in (swing[0] - 1, swing[-1] + 1):
        inside = 0 <= frame < len(times)
        ends.append(path.origin[frame] - origin[frame] if inside else np.zeros(3))
    share = smootherstep(np.clip((times[swing] - before.lift) / (after.strike - before.lift), 0, 1))
    path.origin[swing] += (1 - share[:, None]) * ends[0] + share[:, None] * ends[1]
    bend = path.toe_bend[swing[0] - 1] if swing[0] > 0 else 0.0
    path.toe_bend[swing] = bend * (1 - smootherstep(np.clip(3 * share, 0, 1)))
