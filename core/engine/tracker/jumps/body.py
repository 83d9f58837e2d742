"""Whole bodies of jumps.

The planar body sets center of mass, trunk and feet; arms, head and the distances of the feet from
the path are those of a style. The center of mass is ballistic in the air. The trunk is turned by a
small angle so that the arms do not change the angular momentum there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from ....character.kinematic_model import KinematicModel
from ....fullbody.foot_path import FootPath, FootSupport
from ....fullbody.leg_ik import solve_leg_ik
from ....geometry import so3
from ..biped import ANKLE_1, ANKLE_2, PlanarBiped
from ..body_motion import PlacedWalk, follow_trunk
from ..foot_motion import PlanarFeet
from ..input_walk import solve_leg
from ..record import WalkRecord
from .input_jump import TAKEOFF_SHARE, InputJump
from .jumper import JumpStage
from .loaded_curve import LoadedCurve
from .series import JumpSeries

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JumpBodyParameters:
    """How the whole body follows the planar one.

    Args:
        cycle_smoothing: deviation over which the phase of the arms is smoothed [s].
        stride: time steps between the poses for which the turn of the trunk is computed, which
            halves the solves of whole bodies.
        rounds: number of times that it is corrected. Numerical: the inertia changes little with a
            turn of 6 degrees.
        probe: turn with which the inertia against it is measured [rad]. Numerical: a difference
            that is small against the turn and large against the error of the iteration of legs.
        ankle_margin: distance of ankles from the end of their range [rad]. tuned: with 0.08 heels
            rise in the squat and leave no place for the force that turns the trunk, with 0.05
            resting feet move by 5 mm, test_jump_motion.test_jumps_are_sound
    """

    cycle_smoothing: float = 0.03
    stride: int = 2
    rounds: int = 2
    probe: float = 0.01
    ankle_margin: float = 0.065


JUMP_BODY = JumpBodyParameters()


@dataclass(frozen=True)
class _Contact:
    """A contact of both feet, from index `begin` to index `end` of the states of a series."""

    begin: int
    end: int


@dataclass(frozen=True)
class JumpBodyMover:
    """Computation of a whole body that follows a planar one.

    Args:
        model: body.
        biped: its side view.
        jump: jump of the style.
        series: planar jumps.
    """

    model: KinematicModel
    biped: PlanarBiped
    jump: InputJump
    series: JumpSeries

    def place(self, times: Array) -> PlacedWalk:
        """Return the motion of the body at times [s], shape (n,).

        They are after the second takeoff of the series and before its last landing.
        """
        return self._solve(times, self._build_feet(times), self._fit_turn())

    @cached_property
    def _contacts(self) -> list[_Contact]:
        """Contacts that begin and end within the series."""
        is_down = self.series.stage != JumpStage.AIR
        edges = np.flatnonzero(np.diff(is_down.astype(int))) + 1
        edges = edges[1:] if is_down[0] else edges
        return [_Contact(a, b) for a, b in zip(edges[::2], edges[1::2], strict=False)]

    @cached_property
    def _record(self) -> WalkRecord:
        series = self.series
        kinds = {
            JumpStage.FLAT: FootSupport.FLAT,
            JumpStage.TOES: FootSupport.BALL,
            JumpStage.AIR: FootSupport.SWING,
        }
        support = np.array([int(kinds[state.stage]) for state in series.states])
        count = len(series.states)
        return WalkRecord(
            series.time,
            self._lower_hips(),
            np.stack([support, support], 1),
            series.com,
            cycle=self._measure_cycle(),
            leg=np.zeros(count, int),
            is_fallen=False,
        )

    def _lower_hips(self) -> Array:
        """Return planar coordinates with hips that are as low as the whole body, (n, 9).

        A landing takes longer than in the plane, and bends the ankles more.
        """
        series = self.series
        q = series.coordinates.copy()
        ankles = self.biped.locate(q, self.biped.points[[ANKLE_1, ANKLE_2]])
        q[:, :2] += self._com_curve(series.time) - series.com
        for leg, ankle in enumerate(ankles.T):
            line = ankle - (q[:, 0] + 1j * q[:, 1])
            q[:, 3 + 3 * leg : 5 + 3 * leg] = solve_leg(line, self.biped.side_view).T
        return q

    def _measure_cycle(self) -> Array:
        """Return the number of jumps done with the share of the present one, shape (n,)."""
        time = self.series.time
        moments = [time[0]]
        shares = [0.0]
        for number, contact in enumerate(self._contacts):
            moments += [time[contact.begin], time[contact.end]]
            shares += [number + 1.0, number + 1.0 + TAKEOFF_SHARE]
        return np.interp(time, moments, shares)

    @cached_property
    def _tracks(self) -> PlanarFeet:
        jump = self.jump
        view = self.biped.side_view
        margin = JUMP_BODY.ankle_margin
        return PlanarFeet(self.model, view, self._record, jump.place_foot, margin)

    def _build_feet(self, times: Array) -> tuple[FootPath, FootPath]:
        return self._tracks.build_path(0, times), self._tracks.build_path(1, times)

    def _make_reference(self, times: Array, turn: CubicSpline) -> Array:
        """Return poses with the pitch of the planar trunk, turned by an angle, (n, nq)."""
        record = self._record
        cycle = record.sample_cycle(times, JUMP_BODY.cycle_smoothing)
        poses = self.jump.sample(self.model, cycle)
        poses = follow_trunk(self.model, poses, record.interpolate(times))
        angle = turn(times)
        change = so3.quat_exp(np.stack([0 * angle, angle, 0 * angle], -1))
        poses[:, 3:7] = so3.quat_multiply(change, poses[:, 3:7])
        return poses

    def _solve(
        self, times: Array, feet: tuple[FootPath, FootPath], turn: CubicSpline
    ) -> PlacedWalk:
        reference = self._make_reference(times, turn)
        placed = self.model.compute_link_poses(reference)
        x, z = self._com_curve(times).T
        com = np.stack([x, placed.com[:, 1], z], -1)
        reference[:, :3] += com - placed.com
        poses = solve_leg_ik(self.model, reference, com, feet)
        # What the iteration leaves, some 0.1 mm, would be forces in the air.
        poses[:, :3] += com - self.model.compute_link_poses(poses).com
        return PlacedWalk(times, poses, reference, com, feet, self._tracks.list_footsteps())

    @cached_property
    def _com_curve(self) -> CubicSpline:
        """Center of mass, forward and up, by the time: near the planar one."""
        time = self.series.time
        gravity = np.array([0.0, -self.biped.gravity])
        fall = 0.5 * gravity * time[:, None] ** 2
        lifted = self.series.com - fall
        out = lifted.copy()
        edges = [contact.end for contact in self._contacts[:-1]]
        after = [contact.begin for contact in self._contacts[1:]]
        rates = []
        for a, b in zip(edges, after, strict=True):
            rate = (lifted[b] - lifted[a]) / (time[b] - time[a])
            out[a : b + 1] = lifted[a] + (time[a : b + 1] - time[a])[:, None] * rate
            rates.append(rate)
        for contact, begin, end in zip(self._contacts[1:-1], rates, rates[1:], strict=False):
            inside = slice(contact.begin, contact.end + 1)
            curve = LoadedCurve(
                time[inside], np.ones(contact.end - contact.begin + 1), out[inside], begin, end
            )
            out[inside] = curve.fit()
        return CubicSpline(time, out + fall)

    def _fit_turn(self) -> CubicSpline:
        """Return the angle by which the trunk is turned [rad], by the time."""
        grid = slice(None, None, JUMP_BODY.stride)
        time = self.series.time[grid]
        feet = self._build_feet(time)
        turn = np.zeros(len(time))
        for _ in range(JUMP_BODY.rounds):
            poses, turned = (
                self._solve(time, feet, CubicSpline(time, turn + change))
                for change in (0.0, JUMP_BODY.probe)
            )
            turn = turn + self._find_turn(time, poses.poses, turned.poses)
        return CubicSpline(time, turn)

    def _find_turn(self, time: Array, poses: Array, turned: Array) -> Array:
        """Return the turn that keeps the angular momentum in the air [rad], shape (n,).

        Args:
            time: [s], shape (n,).
            poses: shape (n, nq).
            turned: the same with the trunk turned by `probe`, shape (n, nq).
        """
        dt = time[1] - time[0]
        maps = self.model.compute_centroidal_dynamics(poses).angular_map[:, 1]
        inertia = (maps * self.model.difference(poses, turned)).sum(1) / JUMP_BODY.probe
        velocity = self.model.difference(poses[:-1], poses[1:]) / dt
        momentum = (0.5 * (maps[1:] + maps[:-1]) * velocity).sum(1)
        between = 0.5 * (inertia[1:] + inertia[:-1])
        turning, mobility = (
            np.concatenate([[0.0], np.cumsum(values / between) * dt])
            for values in (momentum, np.ones(len(momentum)))
        )
        out = np.zeros(len(time))
        kept = []
        contacts = self._contacts
        spans = [np.searchsorted(time, self.series.time[[c.begin, c.end]]) for c in contacts]
        for before, after in pairwise(spans):
            air = slice(before[1], after[0] + 1)
            passed = turning[air] - turning[air][0]
            free = mobility[air] - mobility[air][0]
            kept.append(passed[-1] / free[-1])
            out[air] = kept[-1] * free - passed
        for span, begin, end in zip(spans[1:-1], kept, kept[1:], strict=False):
            inside = slice(span[0], span[1] + 1)
            curve = LoadedCurve(
                time[inside],
                1 / inertia[inside],
                turning[inside, None],
                np.array([begin]),
                np.array([end]),
            )
            out[inside] = curve.fit()[:, 0] - turning[inside]
        return out
