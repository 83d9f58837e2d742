"""A body's dynamics at one instant, whatever physics engine moves it."""
from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..character.character import Character
from ..geometry import so3
from ..terrain import Flat, Ground
from .arms import Arms
from .body_state import Frames, Reading
from .model import SimulatedModel, simulated_model
from .physics import State
from .standing_pose import standing_pose, with_elbows_bent

Array = NDArray[np.float64]

UP = np.array([0.0, 0.0, 1.0])
REACH = 0.05          # m to each side of a sole's middle over which the ground is felt
AROUND = REACH * np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
ACROSS = 0.7          # of a hinge's axis that points across the body, where it pitches a foot
STEEPEST = 0.84       # rise over run, above which it is an edge


@dataclass(frozen=True)
class Knee:
    """A leg's hinge in its middle: its coordinate, its degree of freedom, and to which side it bends."""

    coordinate: int
    freedom: int
    side: float


class Body:
    """A character that is to be driven by torques on a ground.

    Args:
        character: that stands on two legs, or on any number.
        ground: where.

    Raises:
        TerrainError: the ground cannot be made of solids.
    """

    def __init__(self, character: Character, ground: Ground | None = None) -> None:
        self.character, self.ground = character, ground if ground is not None else Flat()
        self.model: SimulatedModel = simulated_model(character, self.ground)
        self._data = mujoco.MjData(self.model.mujoco)
        self.nq, self.nv = int(self.model.mujoco.nq), int(self.model.mujoco.nv)
        self.mass = character.mass
        self.weight = character.mass * float(-self.model.mujoco.opt.gravity[2])
        self._bodies, self._places = self._frames()                    # (k,), (k, 3)
        carried = self._carriers().astype(float)
        self._carried = carried[self._bodies]                          # (k, nv)
        self.toes = [toe for toe in self.model.toes if toe is not None]
        of_legs = self.model.links[[link for leg in character.legs for link in leg.links]]
        self.legs = np.flatnonzero(np.isin(self.model.mujoco.dof_bodyid, of_legs))        # degrees of freedom without toes
        self.knees = tuple(self._knee(leg.links[1:-1]) for leg in character.legs)
        self.rest = standing_pose(self.model, Flat(), np.zeros(2), 0.0)           # (nq,) as it stands on level ground
        self.running = with_elbows_bent(self.model, self.rest)                    # (nq,) to which joints return in a run
        data = self._data
        data.qpos[:] = self.rest
        mujoco.mj_kinematics(self.model.mujoco, data)
        mujoco.mj_comPos(self.model.mujoco, data)
        self.com_height = float(data.subtree_com[1, 2])                # m, of the centre of mass as the body rests
        self._arms = Arms(character, self.model, data, carried)
        hips = data.xpos[1] + data.xmat[1].reshape(3, 3) @ self._places[0]
        self.hips_from_com = hips - data.subtree_com[1]                # (3,) where the hips are about it then

    def standing(self, xy: Array, heading: float = 0.0) -> Array:
        """The pose (nq,) in which it rests at a place (2,) of its ground, heading as told, rad.

        Raises:
            TerrainError: there is no ground below one of its feet.
        """
        return standing_pose(self.model, self.ground, np.asarray(xy, float), heading)

    def _frames(self) -> tuple[NDArray[np.int64], Array]:
        """Pelvis, chest and head, feet, then all points of soles: the bodies that carry them and where in their frames."""
        character, links = self.character, self.model.links
        upper = [character.trunk[-1]] if character.trunk else []
        upper += [character.head] if character.head is not None else []
        self.upper = tuple(range(1, 1 + len(upper)))                   # their numbers among the frames
        self.feet = tuple(range(1 + len(upper), 1 + len(upper) + len(character.legs)))
        bodies = [links[0], *links[upper], *links[[foot.link for foot in character.feet]]]
        places = [character.hips.mean(0), *np.zeros((len(upper), 3)), *(foot.centre for foot in character.feet)]
        soles = self.model.soles
        self._points = np.cumsum([len(bodies), *(len(sole) for sole in soles)])
        bodies += [point.body for sole in soles for point in sole]
        places += [point.place for sole in soles for point in sole]
        self._flat = tuple(np.flatnonzero([point.is_corner for point in sole]) for sole in soles)
        self._balls = tuple(np.flatnonzero([point.name.startswith(("ball", "point")) for point in sole]) for sole in soles)
        self._rolling = tuple(np.flatnonzero([not point.name.startswith("heel") for point in sole]) for sole in soles)
        return np.array(bodies, np.int64), np.array(places)

    def _knee(self, links: tuple[int, ...]) -> Knee | None:
        """The first hinge in the middle of a leg; None of a leg that has none there."""
        model = self.model.mujoco
        for link in links:
            for joint in np.flatnonzero(model.jnt_bodyid == self.model.links[link]):
                if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE:
                    low, high = model.jnt_range[joint]
                    return Knee(int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint]), 1.0 if high > -low else -1.0)
        return None

    def flexion_left(self, leg: int, pose: Array) -> float:
        """How far the toes of a leg's foot can still come nearer to its shin in a pose (nq,), rad; without end on an ankle that is
        no hinge."""
        model = self.model.mujoco
        for joint in np.flatnonzero(model.jnt_bodyid == self.model.links[self.character.feet[leg].link]):
            if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE and abs(model.jnt_axis[joint, 1]) > ACROSS:
                low, high = model.jnt_range[joint]
                angle = pose[model.jnt_qposadr[joint]]
                return float(angle - low if model.jnt_axis[joint, 1] > 0 else high - angle)
        return np.inf

    def bearing_points(self, leg: int, rolls: bool = False) -> NDArray[np.int64]:
        """Which points of a leg's sole can bear it: the corners of all, or while its heel may rise ball and tip."""
        return self._rolling[leg] if rolls else self._flat[leg]

    def ball_points(self, leg: int) -> NDArray[np.int64]:
        """Which points of a leg's sole are those over which it rolls."""
        return self._balls[leg]

    def _carriers(self) -> NDArray[np.bool_]:
        """Whether a body hangs on the link that a degree of freedom moves. (bodies, nv)."""
        model = self.model.mujoco
        above = np.eye(model.nbody, dtype=bool)
        for body in range(1, model.nbody):                             # parents come first
            above[body] |= above[model.body_parentid[body]]
        return above[:, model.dof_bodyid]

    def read(self, state: State) -> Reading:
        """Everything at a state."""
        model, data = self.model.mujoco, self._data
        data.qpos[:], data.qvel[:] = state.pose, state.velocity
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        mujoco.mj_fwdVelocity(model, data)
        mass = np.zeros((self.nv, self.nv))
        mujoco.mj_fullM(model, data, mass)
        bias = data.qfrc_bias - data.qfrc_passive
        qd, com, frames = data.qvel.copy(), data.subtree_com[1].copy(), self._read_frames()
        root = data.xmat[1].reshape(3, 3)
        arm = so3.hat(com - data.xpos[1])
        angular = root @ mass[3:6] - arm @ mass[:3]                    # (3, nv)
        feet = _part(frames, slice(self.feet[0], self._points[0]))
        own = [slice(a, b) for a, b in zip(self._points[:-1], self._points[1:], strict=True)]
        return Reading(
            pose=state.pose, velocity=qd, com=com, com_velocity=mass[:3] @ qd / self.mass, com_jacobian=mass[:3] / self.mass,
            com_drift=bias[:3] / self.mass + model.opt.gravity, angular_momentum=angular @ qd, angular_map=angular,
            angular_drift=root @ bias[3:6] - arm @ bias[:3], heading=float(so3.yaw_of(root)),
            heading_rate=float(frames.velocity[0, 5]), mass_matrix=mass, bias=bias,
            frames=_part(frames, slice(0, self._points[0])), feet=feet, normals=self.normals(feet.place),
            points=tuple(frames.place[k] for k in own), point_jacobians=tuple(frames.jacobian[k, :3] for k in own),
            point_drifts=tuple(frames.drift[k, :3] for k in own), arms=self._arms.near(data))

    def _read_frames(self) -> Frames:
        """Places, Jacobians and accelerations without any of the joints', from MuJoCo's motion axes about the centre of mass."""
        data, qd = self._data, self._data.qvel
        rotation = data.xmat[self._bodies].reshape(-1, 3, 3)
        place = data.xpos[self._bodies] + (rotation @ self._places[..., None])[..., 0]
        arm = place - data.subtree_com[1]
        turn, move = data.cdof[:, :3].T, data.cdof[:, 3:].T                                 # (3, nv)
        jacobian = np.empty((len(place), 6, self.nv))
        jacobian[:, 3:] = turn
        lever = so3.hat(arm)
        jacobian[:, :3] = move - lever @ turn
        jacobian *= self._carried[:, None]
        velocity = jacobian @ qd
        drift = self._carried @ (data.cdof_dot * qd[:, None])                               # (k, 6) turning, then moving
        spin, speed = velocity[:, 3:], velocity[:, :3]
        # an axis through a fixed point tells how the velocity there changes; the body's own point moves on
        linear = drift[:, 3:] - (lever @ drift[:, :3, None] + so3.hat(speed) @ spin[..., None])[..., 0]
        return Frames(place, rotation, velocity, jacobian, np.concatenate([linear, drift[:, :3]], 1))

    def normals(self, places: Array) -> Array:
        """Of the ground below places, upward. (k, 3) -> (k, 3).

        Where one side is far above the other, or there is none, it is an edge and no slope: a foot on it stands level.
        """
        out = np.empty((len(places), 3))
        out[:] = UP
        if isinstance(self.ground, Flat):
            return out
        height = self.ground.height(places[:, None, :2] + AROUND)                           # (k, 5)
        height = np.where(np.isfinite(height), height, height[:, :1])
        slope = np.stack([height[:, 1] - height[:, 2], height[:, 3] - height[:, 4]], 1) / (2 * REACH)
        slope[~(np.abs(slope).max(1) < STEEPEST)] = 0.0
        out[:, :2] = -slope
        return out / np.linalg.norm(out, axis=1, keepdims=True)


def _part(frames: Frames, which: slice) -> Frames:
    return Frames(frames.place[which], frames.rotation[which], frames.velocity[which], frames.jacobian[which], frames.drift[which])
