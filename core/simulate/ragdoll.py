"""A body that has lost its balance, moved by the physics engine until it rests.

The joints are damped springs towards a protective pose, bent and with the arms towards the ground.
Their torques are shares of what the motors can give, so a body of any size and build falls in
the same manner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..character.character import Character
from ..geometry import so3
from ..terrain import Ground
from .ground_planes import GroundPlanes
from .model import (
    BODY_COLLISION,
    SUBSTEP,
    SimulatedModel,
    build_simulated_model,
)
from .protective_pose import make_protective_pose
from .ragdoll_parameters import RAGDOLL, RagdollParameters
from .soles import CONTACT

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ExternalPush:
    """A force on one link for a time.

    Attributes:
        link: of the character.
        force: (3,) in the world [N].
        moment: (3,) in the world [N m].
        begin, end: between which it acts, from the beginning of the fall on [s].
    """

    link: int
    force: Array
    moment: Array
    begin: float
    end: float

    def is_acting(self, time: float) -> bool:
        """Return whether it acts at a time since the beginning of the fall [s]."""
        return self.begin <= time < self.end


@dataclass(frozen=True)
class FallingBody:
    """State in which a body begins to fall.

    Attributes:
        pose: (q,) of the kinematic model.
        velocity: (v,) of the kinematic model, its change of pose a second.
        toe_rotation: (legs, 3, 3) of the toes in the world.
    """

    pose: Array
    velocity: Array
    toe_rotation: Array


@dataclass(frozen=True)
class Fall:
    """Frames of a body that falls; n frames, l links, q coordinates.

    Attributes:
        poses: (n, q) of the character's kinematic model; not a number from where the simulation
            diverged, as under forces of many thousand times the weight.
        toe_rotation: (n, legs, 3, 3) of the toes in the world; of a foot without toes, the foot's.
        ground_force: (n, l, 3) of the ground on each link, mean around the frame [N].
        ground_point: (n, l, 3) where that force acts [m].
        push_force, push_moment: (n, 3) of the pushes that still acted [N], [N m].
        push_point: (n, 3) [m].
    """

    poses: Array
    toe_rotation: Array
    ground_force: Array
    ground_point: Array
    push_force: Array
    push_moment: Array
    push_point: Array


class Ragdoll:
    """A character on a ground under the physics engine, without control.

    Args:
        character: of any build.
        ground: where it falls.
        friction: coefficient of sliding.

    Raises:
        TerrainError: the ground cannot be made of solids.
    """

    def __init__(
        self,
        character: Character,
        ground: Ground,
        friction: float,
        parameters: RagdollParameters = RAGDOLL,
    ) -> None:
        self.character = character
        self.simulated: SimulatedModel = build_simulated_model(character, ground, friction)
        self._parameters = parameters
        self._model = self.simulated.mujoco
        self._data = mujoco.MjData(self._model)
        self._enable_all_contacts()
        self._model.jnt_solref[:] = parameters.stop
        self._model.opt.impratio = parameters.impedance_ratio
        self._model.dof_solimp[:] = parameters.friction_impedance
        self._set_rolling_friction()
        self._planes = GroundPlanes(self._model, ground)
        self._is_ground = self._model.body_rootid[self._model.geom_bodyid] != 1
        self._link_by_body = np.full(self._model.nbody, -1)
        for leg, toe in enumerate(self.simulated.toes):
            if toe is not None:
                self._link_by_body[self._model.dof_bodyid[toe]] = character.feet[leg].link
        self._link_by_body[self.simulated.links] = np.arange(len(character.links))
        self._torque_limit = self.simulated.torque_limit
        self._is_of_arm = self._find_arm_joints()
        self._settled_damping = np.where(
            self._is_of_arm, parameters.settled_arm_damping, parameters.settled_damping
        )
        self._limp_time = 0.0  # [s] for which the joints have been limp

    def _enable_all_contacts(self) -> None:
        """Let every solid touch the ground, also those of feet, which stand on points of soles."""
        model = self._model
        for body in self.simulated.links:
            first = model.body_geomadr[body]
            for geom in range(first, first + model.body_geomnum[body]):
                model.geom_contype[geom] = BODY_COLLISION["contype"]
                model.geom_conaffinity[geom] = BODY_COLLISION["conaffinity"]
                model.geom_solref[geom] = CONTACT.solref
                model.geom_solimp[geom] = CONTACT.solimp

    def _set_rolling_friction(self) -> None:
        """Let contacts resist rolling and spinning, as soft tissue and clothes do."""
        model = self._model
        parameters = self._parameters
        # MuJoCo's number for contacts with sliding, torsional and rolling friction
        model.pair_dim[:] = model.geom_condim[:] = 6
        model.pair_friction[:, 2] = parameters.torsional_friction
        model.pair_friction[:, 3:] = parameters.rolling_friction
        model.geom_friction[:, 1] = parameters.torsional_friction
        model.geom_friction[:, 2] = parameters.rolling_friction

    def _find_arm_joints(self) -> NDArray[np.bool_]:
        """Return which joints belong to arms (nv - 6,)."""
        is_of_arm = np.zeros(self._model.nv - 6, dtype=np.bool_)
        for arm in self.character.arms:
            for link in arm.links:
                body = self.simulated.links[link]
                first = self._model.body_dofadr[body] - 6
                is_of_arm[first : first + self._model.body_dofnum[body]] = True
        return is_of_arm

    def measure_depth(self, poses: Array, toe_rotation: Array) -> Array:
        """Return the depth of the deepest solid in the ground at some poses (n,) [m].

        Args:
            poses: (n, q) of the kinematic model.
            toe_rotation: (n, legs, 3, 3) of the toes in the world.
        """
        depth = np.zeros(len(poses))
        for k, (pose, rotation) in enumerate(zip(poses, toe_rotation, strict=True)):
            self._reset(FallingBody(pose, np.zeros(self.simulated.dofs.size), rotation))
            contact = self._data.contact
            is_with_ground = self._is_ground[contact.geom].any(1)
            depth[k] = -contact.dist[is_with_ground].min(initial=0.0)
        return depth

    def fall(
        self,
        start: FallingBody,
        frames: int,
        *,
        fps: float,
        pushes: Sequence[ExternalPush] = (),
    ) -> Fall:
        """Return `frames` frames that begin in a state.

        Args:
            pushes: that act on the body meanwhile.
        """
        self._reset(start)
        target = make_protective_pose(
            self.character, self._model, self._data, start.velocity[:2], self._parameters
        )
        substeps = max(round(1.0 / (fps * SUBSTEP)), 1)
        self._model.opt.timestep = 1.0 / (fps * substeps)
        recorder = _FallRecorder(self, frames, substeps)
        tone = 1.0
        for frame in range(frames):
            if not np.isfinite(self._data.qpos).all():
                break
            recorder.record_pose(frame, self._data)
            for _ in range(substeps if frame < frames - 1 else 0):
                tone = self._step(target, tone, pushes, self._data.time)
                recorder.add_loads(frame, self._data, pushes)
        return recorder.make_fall()

    def _reset(self, start: FallingBody) -> None:
        self._limp_time = 0.0
        self._model.dof_frictionloss[:] = 0.0
        mujoco.mj_resetData(self._model, self._data)
        self._data.qpos[self.simulated.coordinates] = start.pose
        self._data.qvel[self.simulated.dofs] = start.velocity
        mujoco.mj_kinematics(self._model, self._data)
        self._bend_toes(start.toe_rotation)
        mujoco.mj_kinematics(self._model, self._data)
        self._planes.update(self._data)
        mujoco.mj_forward(self._model, self._data)

    def _bend_toes(self, rotation: Array) -> None:
        """Bend the toes as they are in the world; straight toes of a raised heel pierce the ground.

        Args:
            rotation: (legs, 3, 3) of the toes.
        """
        for foot, toe, toe_rotation in zip(
            self.character.feet, self.simulated.toes, rotation, strict=True
        ):
            if toe is not None:
                body = self.simulated.links[foot.link]
                turn = self._data.xmat[body].reshape(3, 3).T @ toe_rotation
                joint = self._model.dof_jntid[toe]
                low, high = self._model.jnt_range[joint]
                angle = float(np.clip(so3.log(turn)[1], low, high))
                self._data.qpos[self._model.jnt_qposadr[joint]] = angle

    def _step(
        self, target: Array, tone: float, pushes: Sequence[ExternalPush], time: float
    ) -> float:
        """Advance by one substep; return the tone of the joints for the next one."""
        model = self._model
        data = self._data
        parameters = self._parameters
        torque = tone * self._pull_towards(target)
        if self._limp_time > 0:
            torque += self._is_of_arm * parameters.lowering_tone * self._pull_towards(model.qpos0)
        limit = parameters.max_tone * self._torque_limit
        data.ctrl[:] = np.clip(torque, -limit, limit)
        lying_share = self._limp_time / parameters.settling_time
        settled = min(lying_share, 1.0)
        slack = parameters.lying_damping + settled * (
            self._settled_damping - parameters.lying_damping
        )
        damping = tone * parameters.damping + (1 - tone) * slack
        # Damping of the model itself is integrated implicitly, so it cannot become unstable.
        model.dof_damping[6:] = damping * self._torque_limit
        friction = lying_share**2 * parameters.settled_friction
        model.dof_frictionloss[6:] = friction * self._torque_limit
        self._apply_pushes(pushes, time)
        self._planes.update(data)
        mujoco.mj_step(model, data)
        up = data.xmat[1].reshape(3, 3)[2, 2]
        is_lying = up < np.cos(parameters.lying_angle)
        is_limp = is_lying or data.time > parameters.max_resisting_time
        if not is_limp:
            return tone
        self._limp_time += model.opt.timestep
        return tone * (1 - model.opt.timestep / parameters.fading_time)

    def _pull_towards(self, pose: Array) -> Array:
        """Return the torques of full tone towards a pose (nv - 6,) [N m]."""
        error = np.zeros(self._model.nv)
        mujoco.mj_differentiatePos(self._model, error, 1.0, self._data.qpos, pose)
        return self._parameters.stiffness * error[6:] * self._torque_limit

    def _apply_pushes(self, pushes: Sequence[ExternalPush], time: float) -> None:
        data = self._data
        data.qfrc_applied[:] = 0.0
        for push in pushes:
            if push.is_acting(time):
                body = self.simulated.links[push.link]
                mujoco.mj_applyFT(
                    self._model,
                    data,
                    push.force,
                    push.moment,
                    data.xipos[body],
                    body,
                    data.qfrc_applied,
                )


class _FallRecorder:
    """Arrays of a fall while it is simulated."""

    def __init__(self, ragdoll: Ragdoll, frames: int, substeps: int) -> None:
        self._ragdoll = ragdoll
        self._substeps = substeps
        links = len(ragdoll.character.links)
        legs = len(ragdoll.character.legs)
        self._poses = np.full((frames, ragdoll.simulated.coordinates.size), np.nan)
        self._toes = np.zeros((frames, legs, 3, 3))
        # Sums over the substeps between two frames: of forces, and of places weighted by force.
        self._force = np.zeros((frames, links, 3))
        self._weighted_point = np.zeros((frames, links, 3))
        self._weight = np.zeros((frames, links))
        self._com = np.zeros((frames, links, 3))
        self._push = np.zeros((frames, 3, 3))

    def record_pose(self, frame: int, data: mujoco.MjData) -> None:
        """Write down how the body lies at a frame."""
        simulated = self._ragdoll.simulated
        self._poses[frame] = data.qpos[simulated.coordinates]
        self._com[frame] = data.xipos[simulated.links]
        for leg, toe in enumerate(simulated.toes):
            foot = simulated.links[self._ragdoll.character.feet[leg].link]
            body = foot if toe is None else simulated.mujoco.dof_bodyid[toe]
            self._toes[frame, leg] = data.xmat[body].reshape(3, 3)

    def add_loads(self, frame: int, data: mujoco.MjData, pushes: Sequence[ExternalPush]) -> None:
        """Add what the ground and the pushes did in one substep after a frame."""
        ragdoll = self._ragdoll
        contact = data.contact
        is_loaded = contact.efc_address >= 0
        grounded = ragdoll._is_ground[contact.geom]
        for k in np.flatnonzero(is_loaded & grounded.any(1)):
            address = contact.efc_address[k]
            local = data.efc_force[address : address + 3]
            side = 1 if grounded[k, 0] else 0
            # The normal points from the first geom to the second.
            force = (contact.frame[k].reshape(3, 3).T @ local) * (1 if side == 1 else -1)
            body = ragdoll._model.geom_bodyid[contact.geom[k, side]]
            link = ragdoll._link_by_body[body]
            size = float(np.linalg.norm(force))
            self._force[frame, link] += force
            self._weighted_point[frame, link] += size * contact.pos[k]
            self._weight[frame, link] += size
        for push in pushes:
            if push.is_acting(data.time):
                place = data.xipos[ragdoll.simulated.links[push.link]]
                self._push[frame] += np.stack([push.force, push.moment, place])

    def make_fall(self) -> Fall:
        """Return the arrays; forces at a frame are the mean of those before and after it."""
        force = _average_around_frames(self._force) / self._substeps
        weight = _average_around_frames(self._weight)[..., None]
        point = _average_around_frames(self._weighted_point)
        is_touching = weight > 0
        point = np.where(is_touching, point / np.where(is_touching, weight, 1.0), self._com)
        push = _average_around_frames(self._push) / self._substeps
        return Fall(
            poses=self._poses,
            toe_rotation=self._toes,
            ground_force=force,
            ground_point=point,
            push_force=push[:, 0],
            push_moment=push[:, 1],
            push_point=push[:, 2],
        )


def _average_around_frames(after: Array) -> Array:
    """Return at each frame the mean of what was summed before and after it."""
    before = np.concatenate([after[:1], after[:-1]])
    after = np.concatenate([after[:-1], after[-2:-1]])
    return 0.5 * (before + after)
