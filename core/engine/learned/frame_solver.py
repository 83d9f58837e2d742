"""Poses near predicted ones whose contacts are exact, each frame by itself.

The planned engine solves all frames of a window at once, since its poses must follow the momentum.
A prediction already moves as the planned body does. What remains is to place feet and center of
mass, for which a small system in each frame suffices: only the root and the legs change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from ...character.kinematic_model import KinematicModel
from ...character.momentum import PlacementDynamics
from ...fullbody.cost_terms import FootTerms, HingeLimits
from ...fullbody.foot_path import FootPath, FootSupport
from ...fullbody.objective import build_hinge_limits, can_tilt
from ...fullbody.targets import BodyTargets
from ...fullbody.weights import BodyWeights, compute_posture_weights, find_leg_dofs
from ...geometry.curves import fade_offset

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FrameSolverParameters:
    """How frames are solved.

    Args:
        com: weight of squared errors of the center of mass [m]; tuned: with that of the planned
            engine, 1e7, pelvises over straight legs turned by 20 degrees within frames to save
            a millimeter.
        contact: weight of squared errors of contacts [m] or [rad], far above that of the center of
            mass, which yields where a leg does not reach.
        max_contact_step: distance or angle by which a step moves a contact at most [m] or [rad], so
            that the linear system of the step holds.
        smoothing: deviation over which the first change is smoothed in time [s]; tuned: knees that
            came to the end of their range in a run popped by 8 degrees,
            tests/core/engine/learned/test_engine.py
        fade_time: time over which the difference from poses of the past fades [s], half of a step.
        max_steps: greatest number of steps after the first one. Numerical: it bounds the time of
            computing of frames in which a leg does not reach.
        first_damping: damping of turns in a step that replaces a worse one. Numerical, as the next
            two: they decide how many steps it takes, not where these end (Levenberg-Marquardt).
        damping_growth: factor by which it grows with each step that is worse. Numerical.
        damping_decay: factor by which it falls with each other step. Numerical.
        last_damping: damping of the last step, in which the center of mass yields; tuned: straight
            legs alternated between the two sides of their range while their feet slid by 9 mm,
            tests/core/engine/learned/test_frame_solver.py
        exact_after: error of a contact below which a step makes it exact [m] or [rad]; tuned: after
            an error of 0.7 mm of a foot on an almost straight leg it slid by 1.4 mm in a run on
            hills, `humanoid-terrain-run` with seed 7.
        stop: weight of squared turns beyond the end of a range [rad]; tuned: knees that bent past
            straight and back made steps of 12 cm fail, a random task at 24 frames a second.
        max_joint_step: greatest turn of the root or of a leg's joint in one step [rad], so that the
            linear system of the step holds.
        min_turn_share: least share of the weight of a foot's rotation, in the middle of a swing;
            tuned: with the whole weight, feet of runs that were predicted near the ends of their
            range twisted the thigh, which popped by 6 degrees,
            tests/core/engine/learned/test_engine.py
    """

    com: float = 5e4
    contact: float = 1e9
    max_contact_step: float = 0.08
    smoothing: float = 0.03
    fade_time: float = 0.25
    max_steps: int = 8
    first_damping: float = 1e2
    damping_growth: float = 1e2
    damping_decay: float = 0.3
    last_damping: float = 1e8
    exact_after: float = 2e-4
    stop: float = 1e8
    max_joint_step: float = 0.5
    min_turn_share: float = 3e-3


FRAME_SOLVER = FrameSolverParameters()


@dataclass(frozen=True)
class _Targets:
    """Targets of n frames.

    Args:
        com: center of mass [m], shape (n, 3).
        reference: poses to stay close to, shape (n, nq).
        feet: terms of each foot.
    """

    com: Array
    reference: Array
    feet: tuple[FootTerms, ...]

    def select(self, frames: NDArray[np.int64]) -> _Targets:
        """Return the targets of some of the frames."""
        return _Targets(
            self.com[frames],
            self.reference[frames],
            tuple(foot.select(frames) for foot in self.feet),
        )


@dataclass(frozen=True)
class _Stops:
    """Ends of the ranges of m hinges, beyond which no change leads."""

    dofs: NDArray[np.int64]  # Indices among the d unknowns, (m,)
    sign: Array  # 1 for an upper end, -1 for a lower one, (m,)
    room: Array  # Angle to the end, negative beyond it [rad], (n, m)


@dataclass(frozen=True)
class _FrameSystem:
    """Least squares in the change of the root and the legs, d unknowns in each of n frames."""

    rows: Array  # Jacobian of the weighted terms, (n, r, d)
    residual: Array  # Weighted residuals, (n, r)
    diagonal: Array  # Half the second derivative of terms of single joints, (n, d)
    gradient: Array  # Half the gradient of these terms, (n, d)
    stops: _Stops
    cost: Array  # Cost by which steps are compared, (n,)
    contact_error: Array  # Largest error of a contact [m] or [rad], (n,)

    def solve(self, damping: Array | None = None) -> Array:
        """Return the changes of least cost, shape (n, d).

        Where a change would bend a leg beyond straight, it leads to the end of the range instead.

        Args:
            damping: weight of turns, shape (n,).
        """
        transposed = np.swapaxes(self.rows, 1, 2)
        square = transposed @ self.rows
        entries = np.arange(square.shape[1])
        square[:, entries, entries] += self.diagonal
        if damping is not None:
            square[:, entries[3:], entries[3:]] += damping[:, None]
        slope = (transposed @ self.residual[..., None])[..., 0] + self.gradient
        change = -np.linalg.solve(square, slope[..., None])[..., 0]
        stops = self.stops
        is_beyond = change[:, stops.dofs] * stops.sign > stops.room
        frames = np.flatnonzero(is_beyond.any(1))
        if frames.size:
            weight = FRAME_SOLVER.stop * is_beyond[frames]
            square[frames[:, None], stops.dofs, stops.dofs] += weight
            slope[frames[:, None], stops.dofs] -= weight * stops.sign * stops.room[frames]
            change[frames] = -np.linalg.solve(square[frames], slope[frames, :, None])[..., 0]
        return np.asarray(change)


@dataclass(frozen=True)
class FrameSolver:
    """Solver of the poses of one body.

    Args:
        model: the body.
        weights: weights of feet, posture and ranges. Those of center of mass, momentum and
            velocities are not used.
        dofs: degrees of freedom of the root and the legs, shape (d,).
        joint_groups: degrees of freedom of the root and of each leg, and those that turn.
        posture: weights of their differences from the prediction, shape (d,).
        limits: ranges of the hinges.
        straight: those at which a leg is straight.
    """

    model: KinematicModel
    weights: BodyWeights
    dofs: NDArray[np.int64]
    joint_groups: tuple[tuple[NDArray[np.int64], NDArray[np.int64]], ...]
    posture: Array
    limits: HingeLimits
    straight: HingeLimits

    @staticmethod
    def from_model(model: KinematicModel, weights: BodyWeights) -> FrameSolver:
        """Return the solver of a body."""
        is_used = find_leg_dofs(model)
        is_used[:6] = True
        dofs = np.flatnonzero(is_used)
        links = model.character.links
        leg_dofs = tuple(
            np.concatenate([model.joint_dofs(links[link].joint.name) for link in leg.links])
            for leg in model.character.legs
        )
        limits = build_hinge_limits(model, weights, has_holding_hands=False)
        return FrameSolver(
            model,
            weights,
            dofs,
            joint_groups=((np.arange(6), np.arange(3, 6)), *((leg, leg) for leg in leg_dofs)),
            posture=compute_posture_weights(model, weights)[dofs] + weights.damping,
            limits=limits,
            straight=limits.select(limits.weight == weights.stiff_knee),
        )

    def solve(self, targets: BodyTargets, past: Array | None = None) -> Array:
        """Return poses near the reference with the feet on their paths, shape (n, nq).

        A first change is smoothed in time. The steps after it, which make contacts exact, stay
        close to where it leads; they are repeated in frames with large errors.

        Args:
            targets: targets of the m last frames of the past and n frames after them.
            past: poses of the past, which the others continue, shape (m, nq); None without a past.
        """
        feet = tuple(self._make_terms(leg, path) for leg, path in enumerate(targets.feet))
        work = _Targets(targets.com, targets.reference, feet)
        change = self._embed(self._expand(work.reference, work, has_limits=True).solve())
        dt = float(targets.time[1] - targets.time[0])
        poses = self.model.integrate(
            work.reference,
            gaussian_filter1d(change, FRAME_SOLVER.smoothing / dt, axis=0, mode="nearest"),
        )
        if past is not None:
            work = work.select(np.arange(len(past), len(poses)))
            poses = self._continue_past(past, poses, dt)
        return self._meet_contacts(replace(work, reference=poses))

    def _meet_contacts(self, work: _Targets) -> Array:
        """Return poses near the reference whose contacts are exact, shape (n, nq).

        A frame whose step increased the cost returns to the pose before it, for a step with more
        damping (Levenberg-Marquardt).
        """
        poses = work.reference.copy()
        best = work.reference.copy()
        lowest_cost = np.full(len(poses), np.inf)
        damping = np.zeros(len(poses))
        frames = np.arange(len(poses))
        for step in range(FRAME_SOLVER.max_steps):
            system = self._expand(poses[frames], work.select(frames), has_limits=False)
            is_worse = system.cost > lowest_cost[frames]
            worse = frames[is_worse]
            if worse.size:
                damping[worse] = np.maximum(
                    FRAME_SOLVER.first_damping, FRAME_SOLVER.damping_growth * damping[worse]
                )
                poses[worse] = best[worse]
                system = self._expand(poses[frames], work.select(frames), has_limits=False)
            damping[frames[~is_worse]] *= FRAME_SOLVER.damping_decay
            if step == FRAME_SOLVER.max_steps - 1:
                damping[frames] = FRAME_SOLVER.last_damping
            best[frames] = poses[frames]
            lowest_cost[frames] = system.cost
            change = self._embed(system.solve(damping[frames]))
            poses[frames] = self.model.integrate(poses[frames], change)
            frames = frames[system.contact_error > FRAME_SOLVER.exact_after]
            if not frames.size:
                break
        return poses

    def _continue_past(self, past: Array, poses: Array, dt: float) -> Array:
        """Return the poses after m frames of the past, from which the difference fades, (n, nq).

        Args:
            past: poses of the past, shape (m, nq).
            poses: other poses in these frames and n frames after them, shape (m + n, nq).
            dt: time between frames [s].
        """
        m = len(past)
        difference = self.model.difference(poses[m - 2 : m], past[-2:])
        span = FRAME_SOLVER.fade_time
        u = np.clip(dt * np.arange(1, len(poses) - m + 1) / span, 0, 1)[:, None]
        rate = (difference[1] - difference[0]) / dt
        return self.model.integrate(poses[m:], fade_offset(u, difference[1], span * rate))

    def _make_terms(self, leg: int, path: FootPath) -> FootTerms:
        """Return the terms of a foot, whose rotation is almost free in the middle of a swing."""
        character = self.model.character
        terms = FootTerms.from_path(
            leg, character.feet[leg], path, w=self.weights, can_tilt=can_tilt(character, leg)
        )
        share = np.where(
            path.support == FootSupport.SWING,
            np.maximum(path.firmness**2, FRAME_SOLVER.min_turn_share),
            1.0,
        )
        return replace(terms, turn_weight=terms.turn_weight * np.sqrt(share)[:, None])

    def _embed(self, change: Array) -> Array:
        """Return changes of poses, of which those of root and legs are given. (n, d) -> (n, nv).

        Root and each leg turn by `max_joint_step` at most. A swing that is out of reach would
        otherwise shorten the step of the leg that stands.
        """
        out = np.zeros((len(change), self.model.nv))
        out[:, self.dofs] = change
        max_step = FRAME_SOLVER.max_joint_step
        for group, turning in self.joint_groups:
            largest = np.abs(out[:, turning]).max(1, keepdims=True)
            out[:, group] *= max_step / np.maximum(largest, max_step)
        return out

    def _expand(self, poses: Array, targets: _Targets, has_limits: bool) -> _FrameSystem:
        """Return the system of each pose (n, nq).

        Args:
            poses: poses.
            targets: targets.
            has_limits: whether joints have ranges; legs never bend beyond straight.
        """
        dynamics = self.model.compute_placement(poses, self.dofs)
        rows = np.zeros((len(poses), 3 + 12 * len(targets.feet), len(self.dofs)))
        residual = np.zeros(rows.shape[:2])
        com_scale = np.sqrt(FRAME_SOLVER.com)
        rows[:, :3] = com_scale * dynamics.com_jacobian
        residual[:, :3] = com_scale * (dynamics.com - targets.com)
        contact_error = np.zeros(len(poses))
        for k, foot in enumerate(targets.feet):
            part = slice(3 + 12 * k, 15 + 12 * k)
            error = _write_foot(foot, dynamics, rows[:, part], residual[:, part])
            contact_error = np.maximum(contact_error, error)
        change = self.model.difference(targets.reference, poses)[:, self.dofs]
        diagonal = np.broadcast_to(self.posture, change.shape)
        gradient = self.posture * change
        if has_limits:
            limits = self.limits
            excess = np.maximum(limits.sign * (poses[:, limits.coordinate] - limits.bound), 0.0)
            columns = limits.dof[:, self.dofs]
            diagonal = diagonal + (limits.weight * (excess > 0)) @ columns
            gradient = gradient + (limits.sign * limits.weight * excess) @ columns
        straight = self.straight
        room = straight.sign * (straight.bound - poses[:, straight.coordinate])
        return _FrameSystem(
            rows,
            residual,
            diagonal,
            gradient=gradient,
            stops=_Stops(straight.dof[:, self.dofs].argmax(1), straight.sign, room),
            cost=(residual**2).sum(1)
            + (self.posture * change**2).sum(1)
            + FRAME_SOLVER.contact * contact_error**2,
            contact_error=contact_error,
        )


def _write_foot(
    foot: FootTerms, dynamics: PlacementDynamics, rows: Array, residual: Array
) -> Array:
    """Write the weighted terms and contacts of a foot, and return its errors of contacts, (n,).

    A contact is approached in steps, over which it is about linear in the joints.

    Args:
        foot: terms of the foot in n frames.
        dynamics: dynamics of the n poses.
        rows: Jacobian of the terms, then of the contacts, shape (n, 12, d). Written.
        residual: residuals, shape (n, 12). Written.
    """
    contact = foot.expand(dynamics, rows[:, :6], residual[:, :6])
    is_used = np.arange(6) < foot.row_count[:, None]
    error = np.abs(contact.error * is_used).max(1)
    longest = FRAME_SOLVER.max_contact_step
    scale = np.sqrt(FRAME_SOLVER.contact) * is_used
    rows[:, 6:] = scale[..., None] * contact.rows
    residual[:, 6:] = scale * contact.error * (longest / np.maximum(error, longest))[:, None]
    return np.asarray(error)
